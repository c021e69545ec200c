/** The triggers on im-admin's own tables of records. */
import type { RecordName } from "../../../records.js";
import { snakeCase } from "../../snakeCase.js";
import { listsOf } from "./listSql.js";

const events = [
  ["insert", "INSERT", "REFERENCING NEW TABLE AS new_rows"],
  ["delete", "DELETE", "REFERENCING OLD TABLE AS old_rows"],
  ["update", "UPDATE", "REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows"],
] as const;

interface Trigger {
  name: string;
  sql: string;
}

/** The triggers on the table of a kind of records, for each statement that writes or empties it. */
export function ownTriggers(record: RecordName): Trigger[] {
  if (listsOf[record].length === 0) return [];
  const name = snakeCase(record);
  const table = `im_admin.${name}`;
  const trigger = (suffix: string, rest: string, called: string) => ({
    name: `zz_im_admin_${name}_${suffix}`,
    sql: `CREATE OR REPLACE TRIGGER zz_im_admin_${name}_${suffix} ${rest}\n  FOR EACH STATEMENT EXECUTE FUNCTION ${called};`,
  });
  return [
    ...events.map(([suffix, event, rows]) =>
      trigger(suffix, `AFTER ${event} ON ${table} ${rows}`, `${table}_written()`),
    ),
    trigger("truncate", `AFTER TRUNCATE ON ${table}`, `im_admin.truncated('${name}')`),
  ];
}
