import type { JsonSchema } from "@valibot/to-json-schema";
import written from "./docstrings.json" with { type: "json" };
import { texts } from "./texts.js";

interface Docstring {
  text: string;
  fields: Readonly<Record<string, string>>;
}

/** The docstrings of the code. test/docs.test.ts writes them to the file. */
const docstrings: Readonly<Record<string, Docstring>> = written.docstrings;

export const { version } = written;

/** The docstring of a function or type. */
export function docstringOf(name: string): string {
  return texts[name]?.text ?? docstrings[name]?.text ?? "";
}

/** The docstrings of a type's fields. */
export function fieldDocstringsOf(name: string): Readonly<Record<string, string>> {
  return { ...docstrings[name]?.fields, ...texts[name]?.fields };
}

/** The schema of a type, with the docstrings of the type and its fields. A type without keeps the description it has. */
export function described(name: string, { description = "", ...schema }: JsonSchema): JsonSchema {
  const text = docstringOf(name) || description;
  const fields = fieldDocstringsOf(name);
  const properties = Object.entries(schema.properties ?? {}).map(([field, property]) => [
    field,
    { ...(property as JsonSchema), ...(field in fields && { description: fields[field] }) },
  ]);
  return {
    ...(text !== "" && { description: text }),
    ...schema,
    ...(schema.properties && { properties: Object.fromEntries(properties) }),
  };
}
