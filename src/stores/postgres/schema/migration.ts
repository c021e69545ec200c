import first from "../../../../migrations/postgres/0001.sql?raw";
import second from "../../../../migrations/postgres/0002.sql?raw";
import type { Sql } from "../sql.js";
import { raw } from "../sql.js";

/**
 * The migrations, each from one version to the next, for a schema with the name im_admin. The first creates version 1.
 */
const texts = [first, second];

/** The version after all migrations. */
export const schemaVersion = texts.length;

/** The migrations from a version to the current one, as the package has them, for a schema. */
export function migration(schema: Sql, version = 0): Sql {
  return within(schema, texts.slice(version).join("\n"));
}

/** All migrations for an existing schema, without CREATE SCHEMA, for which its owner may lack the right. */
export function migrationWithin(schema: Sql): Sql {
  const parts = partsOf(migration(schema).text).filter((part) => !part.startsWith("CREATE SCHEMA"));
  return raw(parts.join("\n\n"));
}

function within(schema: Sql, text: string): Sql {
  return raw(text.replace(/\bim_admin\b/g, () => schema.text));
}

/** The parts of a file, which empty lines separate. */
function partsOf(text: string): string[] {
  return text.split(/\n\n(?=\S)/);
}

/** The text of the current schema, with the last version of each function. */
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

/** Creates functions and triggers as the migrations have them, also if somebody has changed or dropped them. */
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
