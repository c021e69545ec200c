import type { JsonSchema } from "@valibot/to-json-schema";
import { adminTokenTexts } from "./adminTokenTexts.js";
import written from "./docstrings.json" with { type: "json" };

/** The docstrings of the code. test/docs.test.ts writes them to the file. */
const docstrings: Readonly<Record<string, { text: string; fields: Readonly<Record<string, string>> }>> = {
  ...written.docstrings,
  ...adminTokenTexts,
};

export const { version } = written;

/** The docstring of a function or type. */
export function docstringOf(name: string): string {
  return docstrings[name]?.text ?? "";
}

/** The docstrings of a type's fields. */
export function fieldDocstringsOf(name: string): Readonly<Record<string, string>> {
  return docstrings[name]?.fields ?? {};
}

/** The schema of a type, with the docstrings of the type and its fields. */
export function described(name: string, schema: JsonSchema): JsonSchema {
  const fields = fieldDocstringsOf(name);
  const properties = Object.entries(schema.properties ?? {}).map(([field, property]) => [
    field,
    { ...(property as JsonSchema), ...(field in fields && { description: fields[field] }) },
  ]);
  return {
    ...(name in docstrings && { description: docstringOf(name) }),
    ...schema,
    ...(schema.properties && { properties: Object.fromEntries(properties) }),
  };
}
