import type { JsonSchema } from "@valibot/to-json-schema";

/**
 * Splits the schema of a conversation into that of a single chat and that of a group chat. `conversationType` decides
 * which of `userID` and `groupID` is required, and which must be empty.
 */
export function chats(conversation: JsonSchema): Record<string, JsonSchema> {
  const { properties = {}, required = [] } = conversation;
  const identifier = properties["conversationID"] as JsonSchema;
  const empty: JsonSchema = { type: ["string", "null"], enum: ["", null] };
  const kind = (conversationType: number, given: "userID" | "groupID", absent: "userID" | "groupID"): JsonSchema => ({
    ...conversation,
    properties: {
      ...properties,
      conversationType: { type: "integer", const: conversationType },
      [given]: identifier,
      [absent]: empty,
    },
    required: [...required, given],
  });
  return {
    SingleChatInput: kind(1, "userID", "groupID"),
    GroupChatInput: kind(3, "groupID", "userID"),
  };
}
