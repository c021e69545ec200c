/** The triggers on the tables of records, bundled or a host's. */
import type { RecordName } from "../../records.js";
import { snakeCase } from "../../stores/snakeCase.js";
import { listed, listsOf } from "./listed.js";
import { text } from "./place.js";

/** The function that a trigger calls after TRUNCATE. That of a host's tables is removed with the map. */
export function truncatedFunction(routine: "truncated" | "mapped_truncated"): string {
  return `CREATE OR REPLACE FUNCTION im_admin.${routine}() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = im_admin, pg_temp AS $$
BEGIN
  INSERT INTO list_doubts (list, owner) SELECT doubtful, chr(1) FROM unnest(TG_ARGV) doubtful;
  INSERT INTO list_changes (list, owner, key, change) SELECT doubtful, chr(1), '', 0 FROM unnest(TG_ARGV) doubtful;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION im_admin.${routine} IS 'Makes the lists of an emptied table doubtful, so that nobody reads their trees.';
REVOKE EXECUTE ON FUNCTION im_admin.${routine} FROM PUBLIC;`;
}

const events = [
  ["insert", "INSERT", "REFERENCING NEW TABLE AS new_rows"],
  ["delete", "DELETE", "REFERENCING OLD TABLE AS old_rows"],
  ["update", "UPDATE", "REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows"],
] as const;

interface Trigger {
  name: string;
  sql: string;
}

/**
 * The triggers that call a function for each statement that writes a table. After TRUNCATE they mark the lists as
 * doubtful.
 */
function triggers(table: string, routine: string, truncated: string, lists: readonly string[]): Trigger[] {
  const prefix = `zz_${routine.replace(".", "_").replace(/_written$/, "")}`;
  const trigger = (suffix: string, rest: string, called: string) => {
    const name = `${prefix}_${suffix}`;
    return { name, sql: `CREATE OR REPLACE TRIGGER ${name} ${rest}\n  FOR EACH STATEMENT EXECUTE FUNCTION ${called};` };
  };
  return [
    ...events.map(([suffix, event, rows]) => trigger(suffix, `AFTER ${event} ON ${table} ${rows}`, `${routine}()`)),
    trigger("truncate", `AFTER TRUNCATE ON ${table}`, `im_admin.${truncated}(${lists.map(text).join(", ")})`),
  ];
}

/** The triggers on im-admin's own table of a kind of records. */
export function ownTriggers(record: RecordName): Trigger[] {
  if (listed[record].length === 0) return [];
  const table = `im_admin.${snakeCase(record)}`;
  return triggers(table, `${table}_written`, "truncated", listsOf[record]);
}

/** The triggers on a host's table. */
export function triggersOn(table: string, routine: string, lists: readonly string[]): string[] {
  const onTable = (relation: string) => triggers(relation, routine, "mapped_truncated", lists).map(({ sql }) => sql);
  return [...onTable(table), onParts(table, onTable("%1$s"))];
}

/**
 * Creates the triggers on each partition too: a statement that names a partition fires only that partition's triggers.
 */
function onParts(table: string, triggers: readonly string[]): string {
  return `DO $parts$
DECLARE
  part regclass;
BEGIN
  FOR part IN
    WITH RECURSIVE parts AS (
      SELECT inhrelid FROM pg_inherits WHERE inhparent = ${text(table)}::regclass
      UNION SELECT below.inhrelid FROM pg_inherits below JOIN parts ON below.inhparent = parts.inhrelid
    )
    SELECT inhrelid FROM parts
  LOOP
    EXECUTE format($triggers$
${triggers.join("\n").replace(/^/gm, "      ")}
    $triggers$, part);
  END LOOP;
END $parts$;`;
}
