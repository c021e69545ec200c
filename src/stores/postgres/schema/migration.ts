import first from "../../../../migrations/postgres/0001.sql?raw";
import second from "../../../../migrations/postgres/0002.sql?raw";
import type { Sql } from "../sql.js";
import { raw } from "../sql.js";

/** What leads from each version to the next, for a schema that is called im_admin. The first makes version 1 of nothing. */
const texts = [first, second];

/** The version that all of them make. */
export const schemaVersion = texts.length;

/** What leads from a version to the current one, as it stands in the package, for a schema. */
export function migration(schema: Sql, version = 0): Sql {
  return within(schema, texts.slice(version).join("\n"));
}

/** The same from nothing where the schema is there: to make one, or to ask for it, takes a right that its owner may not have. */
export function migrationWithin(schema: Sql): Sql {
  const parts = partsOf(migration(schema).text).filter((part) => !part.startsWith("CREATE SCHEMA"));
  return raw(parts.join("\n\n"));
}

function within(schema: Sql, text: string): Sql {
  return raw(text.replace(/\bim_admin\b/g, () => schema.text));
}

/** The parts of a text, each with what it says of them: an empty line is between two. */
function partsOf(text: string): string[] {
  return text.split(/\n\n(?=\S)/);
}

/** All that is made, with each function as its last version has it. */
export const currentText = texts
  .map((text, index) => {
    const later = texts.slice(index + 1).flatMap(functionsOf);
    const isMadeLater = (part: string) => functionsOf(part).some((name) => later.includes(name));
    return partsOf(text)
      .filter((part) => !isMadeLater(part))
      .join("\n\n");
  })
  .join("\n\n");

function functionsOf(text: string): string[] {
  return [...text.matchAll(/^CREATE FUNCTION im_admin\.(\w+)/gm)].map(([, name = ""]) => name);
}

/** Makes functions and triggers as the migration has them, whatever somebody has done to them. */
export function renewal(schema: Sql): Sql {
  const { text } = within(schema, currentText);
  const functions = partsOf(text)
    .filter((part) => /^CREATE FUNCTION/m.test(part))
    .map((part) => part.replace(/^CREATE FUNCTION/gm, "CREATE OR REPLACE FUNCTION"));
  const triggers = [...text.matchAll(/^CREATE (TRIGGER (\w+) [^;]*? ON (\S+)\s[^;]*;)/gm)].map(
    ([, trigger, name, table]) => `CREATE OR REPLACE ${trigger}\nALTER TABLE ${table} ENABLE TRIGGER ${name};`,
  );
  return raw([...functions, ...triggers].join("\n\n"));
}

/** The names of all triggers, with their tables. */
export const triggers: readonly { table: string; trigger: string }[] = [
  ...currentText.matchAll(/^CREATE TRIGGER (\w+) [^;]*? ON im_admin\.(\w+)\s/gm),
].map(([, trigger = "", table = ""]) => ({ table, trigger }));
