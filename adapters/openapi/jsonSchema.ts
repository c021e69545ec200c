import { type ConversionConfig, type JsonSchema, toJsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";
import type { Integers } from "../../src/answers/fields.js";
import type { Bounds } from "../../src/fields.js";

/** What the schemas of this package have beside those of valibot. */
interface Ours {
  /** On what checks a length or a value. */
  bounds?: Bounds;
  integers?: Integers;
}

const conversion = {
  target: "draft-2020-12",
  // A list's length is checked before it is known to hold what it should, which the last schema of its pipe says.
  typeMode: "output",
  overrideAction({ valibotAction, jsonSchema }) {
    if (valibotAction.type !== "check") return undefined;
    const { integers } = valibotAction as Ours;
    if (integers !== undefined) return { ...jsonSchema, type: "integer", ...integers };
    return jsonSchema.type === "string" ? { ...textWithin((valibotAction as Ours).bounds), ...jsonSchema } : jsonSchema;
  },
  overrideSchema({ valibotSchema, jsonSchema }) {
    const { bounds } = valibotSchema as Ours;
    switch (valibotSchema.type) {
      case "array":
        return { ...jsonSchema, ...entriesWithin(bounds) };
      case "custom":
        // Those of our own schemas that are not lists are integers.
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
 * Says in JSON Schema what a schema of valibot says.
 *
 * @param definitions schemas that are referred to by their names
 */
export function jsonSchemaOf(schema: v.GenericSchema, definitions: Record<string, v.GenericSchema> = {}): JsonSchema {
  const { $schema: _, $defs: __, ...jsonSchema } = toJsonSchema(schema, { ...conversion, definitions });
  return jsonSchema;
}

function integerWithin({ min = 0, max }: Bounds): JsonSchema {
  return { type: "integer", minimum: min, maximum: max };
}

/** Only identifiers have a least length; they have no control characters. */
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
