import text from "../../../../migrations/postgres/0001.sql?raw";
import type { Sql } from "../sql.js";
import { raw } from "../sql.js";

/** The migration for a schema that is called im_admin. */
export const migrationText = text;

/** The version that the migration makes. */
export const schemaVersion = 1;

/** The migration, as it stands in the package, for a schema. */
export function migration(schema: Sql): Sql {
  return raw(text.replace(/\bim_admin\b/g, () => schema.text));
}

/** Its parts, each with what it says of them: an empty line is between two. */
function parts(schema: Sql): string[] {
  return migration(schema).text.split(/\n\n(?=\S)/);
}

/** The same where the schema is there: to make one, or to ask for it, takes a right that its owner may not have. */
export function migrationWithin(schema: Sql): Sql {
  return raw(
    parts(schema)
      .filter((part) => !part.startsWith("CREATE SCHEMA"))
      .join("\n\n"),
  );
}

/** Makes functions and triggers as the migration has them, whatever somebody has done to them. */
export function renewal(schema: Sql): Sql {
  const functions = parts(schema)
    .filter((part) => /^CREATE FUNCTION/m.test(part))
    .map((part) => part.replace(/^CREATE FUNCTION/gm, "CREATE OR REPLACE FUNCTION"));
  const triggers = [...migration(schema).text.matchAll(/^CREATE (TRIGGER (\w+) [^;]*? ON (\S+)\s[^;]*;)/gm)].map(
    ([, trigger, name, table]) => `CREATE OR REPLACE ${trigger}\nALTER TABLE ${table} ENABLE TRIGGER ${name};`,
  );
  return raw([...functions, ...triggers].join("\n\n"));
}

/** The names of all triggers, with their tables. */
export const triggers: readonly { table: string; trigger: string }[] = [
  ...text.matchAll(/^CREATE TRIGGER (\w+) [^;]*? ON im_admin\.(\w+)\s/gm),
].map(([, trigger = "", table = ""]) => ({ table, trigger }));
