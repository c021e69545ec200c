import type * as v from "valibot";

/** How many ignored fields are named, and by how many characters. Their names come from a client. */
const mostNames = 8;
const mostCharacters = 48;

/** Names the fields of an input that its schema does not know. */
export function ignoredFields(schema: v.GenericSchema, input: unknown, path = ""): string[] {
  const { entries } = schema as { entries?: Record<string, v.GenericSchema> };
  if (entries === undefined || Object(input) !== input || Array.isArray(input)) return [];
  const ignored = Object.entries(input as object).flatMap(([name, value]) => {
    const known = Object.hasOwn(entries, name) && entries[name];
    return known ? ignoredFields(known, value, `${path}${name}.`) : (path + name).slice(0, mostCharacters);
  });
  return ignored.slice(0, mostNames);
}
