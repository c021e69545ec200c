/** The triggers on a host's tables. */
import { currentText } from "../../stores/postgres/schema/migration.js";
import { text } from "./place.js";

/** The function that these triggers call after TRUNCATE: as that of im-admin's own tables, but removed with the map. */
export const truncatedFunction = (
  currentText.match(/^CREATE FUNCTION im_admin\.truncated\(\)[\s\S]*?^REVOKE .*$/m)?.[0] ?? ""
).replaceAll("im_admin.truncated", "im_admin.mapped_truncated");

const events = [
  ["insert", "INSERT", "REFERENCING NEW TABLE AS new_rows"],
  ["delete", "DELETE", "REFERENCING OLD TABLE AS old_rows"],
  ["update", "UPDATE", "REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows"],
] as const;

/**
 * Triggers that call a function for each statement that writes a table. After TRUNCATE they mark the lists as doubtful.
 */
export function triggersOn(table: string, routine: string, lists: readonly number[]): string[] {
  const name = `zz_${routine.replace(".", "_").replace(/_written$/, "")}`;
  const onTable = (relation: string) => [
    ...events.map(
      ([suffix, event, rows]) => `CREATE TRIGGER ${name}_${suffix} AFTER ${event} ON ${relation} ${rows}
  FOR EACH STATEMENT EXECUTE FUNCTION ${routine}();`,
    ),
    `CREATE TRIGGER ${name}_truncate AFTER TRUNCATE ON ${relation}
  FOR EACH STATEMENT EXECUTE FUNCTION im_admin.mapped_truncated(${lists.join(", ")});`,
  ];
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
