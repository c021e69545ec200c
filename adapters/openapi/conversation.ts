import type { JsonSchema } from "@valibot/to-json-schema";

/** Adds to the schema of a conversation which of `userID` and `groupID` is required, and which must be empty. */
export function withChatRules(conversation: JsonSchema): JsonSchema {
  const only = (given: "userID" | "groupID", absent: "userID" | "groupID"): JsonSchema => ({
    required: [given],
    properties: { [given]: { type: "string", minLength: 1 }, [absent]: { maxLength: 0 } },
    // Redocly takes the other fields for wrong otherwise.
    additionalProperties: true,
  });
  const { properties = {} } = conversation;
  return {
    ...conversation,
    properties: {
      ...properties,
      // Generators name the values by it.
      conversationType: {
        ...(properties["conversationType"] as JsonSchema),
        "x-enum-varnames": ["SingleChat", "GroupChat"],
      },
    },
    // Beside the properties, openapi-generator would take the whole conversation for a value of any type.
    dependentSchemas: {
      conversationType: {
        if: { properties: { conversationType: { const: 1 } } },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
        then: only("userID", "groupID"),
        else: only("groupID", "userID"),
      },
    },
  } as JsonSchema;
}
