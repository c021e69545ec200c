import { type ConversionConfig, type JsonSchema, toJsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";
import type { Integers } from "../../src/answers/fields.js";
import type { Bounds } from "../../src/fields.js";

/** What we add to the schemas of valibot. */
interface Ours {
  /** The bounds of a length or a value. */
  bounds?: Bounds;
  integers?: Integers;
  values?: readonly (number | boolean)[];
}

const conversion = {
  target: "draft-2020-12",
  // A list's length is checked before its items. So the last schema of its pipe describes the items.
  typeMode: "output",
  overrideAction({ valibotAction, jsonSchema }) {
    if (valibotAction.type !== "check") return undefined;
    return jsonSchema.type === "string" ? { ...textWithin((valibotAction as Ours).bounds), ...jsonSchema } : jsonSchema;
  },
  overrideSchema({ valibotSchema, jsonSchema }) {
    const { bounds, integers, values } = valibotSchema as Ours;
    switch (valibotSchema.type) {
      case "array":
        return { ...jsonSchema, ...entriesWithin(bounds) };
      case "custom":
        if (values)
          return typeof values[0] === "boolean" ? { type: "boolean" } : { enum: [...values], type: "integer" };
        if (integers) return { type: "integer", ...integers };
        // What is left are integers and lists.
        return bounds && integerWithin(bounds);
      case "literal":
        return { type: typeof jsonSchema.const === "number" ? "integer" : "string", ...jsonSchema };
      case "picklist":
        return jsonSchema.type === "number" ? { ...jsonSchema, type: "integer" } : undefined;
      case "nullish":
        return orNull(jsonSchema.anyOf?.[0] as JsonSchema);
      default:
        return undefined;
    }
  },
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
} satisfies ConversionConfig;

/**
 * Converts a schema of valibot into JSON Schema.
 *
 * @param definitions the schemas to refer to, by their names
 */
export function jsonSchemaOf(schema: v.GenericSchema, definitions: Record<string, v.GenericSchema> = {}): JsonSchema {
  const { $schema: _, $defs: __, ...jsonSchema } = toJsonSchema(schema, { ...conversion, definitions });
  return jsonSchema;
}

function integerWithin({ min = 0, max }: Bounds): JsonSchema {
  return { type: "integer", minimum: min, maximum: max };
}

/** Only identifiers have a least length, and they contain no control characters. */
function textWithin({ min, max }: Partial<Bounds> = {}): JsonSchema {
  return {
    ...(min !== undefined && { minLength: min }),
    ...(max !== undefined && { maxLength: max }),
    pattern: min === undefined ? "^[^\\u0000]*$" : "^[^\\u0000-\\u001f\\u007f]*$",
  };
}

function entriesWithin({ min = 0, max }: Partial<Bounds> = {}): JsonSchema {
  return { ...(min > 0 && { minItems: min }), ...(max !== undefined && { maxItems: max }) };
}

/** A schema, or null. */
function orNull({ type, enum: values, ...rest }: JsonSchema): JsonSchema {
  return { ...rest, type: [type as "string", "null"], ...(values && { enum: [...values, null] }) };
}
