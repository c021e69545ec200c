import fc from "fast-check";
import type { OpenApiDocument } from "../../../adapters/openapi/index.js";

/** A schema, as far as our documents have it. */
interface Schema {
  $ref?: string;
  dependentSchemas?: Record<string, Schema>;
  if?: Schema;
  then?: Schema;
  else?: Schema;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
}

/** Identifiers of the world that requests ask about, so that some of them are found. */
const known = ["6965946400", "4365007572", "8423809271", "2559217223"];

/** What stands where something else should, and what is at the edge of things. */
const odd = fc.oneof(
  fc.constantFrom<unknown>(null, true, -1, 0, 1.5, 2 ** 31, 2 ** 53, 1e308, "", "0", "\0", "\n", "\ud800", [], {}, [
    null,
  ]),
  fc.string({ unit: "binary", maxLength: 70 }),
  fc.jsonValue({ maxDepth: 2 }),
);

/** Makes inputs of what a document says of them, most of which fit, and mutations of these. */
export function inputsOf(document: OpenApiDocument): (path: string) => fc.Arbitrary<unknown> {
  function resolve({ $ref, ...schema }: Schema): Schema {
    if ($ref === undefined) return schema;
    const found = $ref
      .slice(2)
      .split("/")
      .reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], document);
    return resolve(found as Schema);
  }

  /** Values that fit a schema, and now and then one that is odd. */
  function valueFor(given: Schema): fc.Arbitrary<unknown> {
    return fc.oneof({ weight: 30, arbitrary: fitting(resolve(given)) }, { weight: 1, arbitrary: odd });
  }

  function fitting(schema: Schema): fc.Arbitrary<unknown> {
    const { dependentSchemas, ...always } = schema;
    // They depend on a field that is required.
    for (const { if: condition, then: met, else: unmet } of Object.values(dependentSchemas ?? {})) {
      return fc.oneof(fitting(withRules(withRules(always, condition), met)), fitting(withRules(always, unmet)));
    }
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
    if ("const" in schema) return fc.constant(schema.const);
    return fc.oneof(...[schema.type ?? []].flat().map((type) => ofType(type, schema)));
  }

  function ofType(type: string, schema: Schema): fc.Arbitrary<unknown> {
    const { minimum: min = 0, maximum: max = 0, minLength, maxLength, minItems = 0, maxItems = 0 } = schema;
    const { items = {}, properties = {}, required = [] } = schema;
    switch (type) {
      case "null":
        return fc.constant(null);
      case "boolean":
        return fc.boolean();
      case "integer":
        return fc.oneof(fc.integer({ min, max: Math.min(max, min + 3) }), fc.constantFrom(min - 1, max, max + 1));
      case "string":
        return fc.oneof(
          { weight: 6, arbitrary: fc.constantFrom(...known) },
          fc.string({ unit: "grapheme", minLength: minLength ?? 0, maxLength: (maxLength ?? 0) + 1 }),
          fc.string({ unit: fc.constantFrom("😀", "管", "a"), maxLength: (maxLength ?? 0) + 1 }),
        );
      case "array":
        return fc.array(valueFor(items), { minLength: minItems, maxLength: maxItems + 1 });
      case "object": {
        const fields = Object.entries(properties).map(([name, property]) => [name, valueFor(property)]);
        const whole = fc.record(Object.fromEntries(fields), { requiredKeys: required as never[] });
        return fc
          .tuple(
            whole,
            fc.dictionary(fc.constantFrom("extra", "__proto__", ...required), odd, { maxKeys: 1 }),
            fc.nat(30),
          )
          .map(([value, more, chance]) => (chance === 0 ? { ...value, ...more } : value));
      }
      default:
        throw new Error(`no values of the type ${type} can be made`);
    }
  }

  /** An object with the rules of another in addition. */
  function withRules({ properties = {}, required = [], ...rest }: Schema, rules: Schema = {}): Schema {
    const changed = Object.entries(rules.properties ?? {}).map(([name, rule]) => [
      name,
      { ...properties[name], ...rule },
    ]);
    return {
      ...rest,
      properties: { ...properties, ...Object.fromEntries(changed) },
      required: [...required, ...(rules.required ?? [])],
    };
  }

  return (path) => {
    const operation = document.paths[path]?.["post"] as {
      requestBody: { content: Record<string, { schema: Schema }> };
    };
    return valueFor(operation.requestBody.content["application/json"]?.schema ?? {});
  };
}
