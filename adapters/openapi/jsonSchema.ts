import { type ConversionConfig, type JsonSchema, toJsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";
import type { Keywords } from "../../src/answers/items.js";
import type { Bounds } from "../../src/fields.js";

/** What the schemas of this package have beside those of valibot. */
interface Ours {
  /** Of integers and lists. */
  bounds?: Bounds;
  texts?: Partial<Bounds>;
  keywords?: Keywords;
  values?: readonly (number | boolean)[];
}

const conversion = {
  target: "draft-2020-12",
  overrideSchema({ valibotSchema, jsonSchema }) {
    const { bounds, keywords, texts, values } = valibotSchema as Ours;
    switch (valibotSchema.type) {
      case "array":
        return { ...jsonSchema, ...entriesWithin(bounds) };
      case "custom":
        if (keywords) return keywords;
        if (texts) return textWithin(texts);
        if (values) return typeof values[0] === "boolean" ? { type: "boolean" } : oneOfNumbers(values as number[]);
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
  return { type: "integer", format: max > 2_147_483_647 ? "int64" : "int32", minimum: min, maximum: max };
}

/** Numbers without a gap are a range. */
function oneOfNumbers(values: readonly number[]): JsonSchema {
  const bounds = { min: Math.min(...values), max: Math.max(...values) };
  const isWhole = bounds.max - bounds.min === values.length - 1;
  return isWhole ? integerWithin(bounds) : { type: "integer", format: "int32", enum: [...values] };
}

/** Only identifiers have a least length; they have no control characters. */
function textWithin({ min, max }: Partial<Bounds>): JsonSchema {
  return {
    pattern: min === undefined ? "^[^\\u0000]*$" : "^[^\\u0000-\\u001f\\u007f]*$",
    ...(min !== undefined && { minLength: min }),
    ...(max !== undefined && { maxLength: max }),
    type: "string",
  };
}

function entriesWithin({ min = 0, max }: Partial<Bounds> = {}): JsonSchema {
  return { ...(min > 0 && { minItems: min }), ...(max !== undefined && { maxItems: max }) };
}

/** A schema, or null. */
export function orNull({ type, ...rest }: JsonSchema): JsonSchema {
  return type === undefined ? { anyOf: [rest, { type: "null" }] } : { ...rest, type: [type as "string", "null"] };
}
