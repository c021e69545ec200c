/**
 * Changes that name only a part of a key: those of a second table on which a host's records depend. Most of the records
 * with that part are as they were, so only those that differ from what is kept count as changed.
 */
import type { RecordName } from "../../../records.js";
import { type Listed, listedOf } from "../schema/listed.js";
import { literal, name, names, type Sql, sql } from "../sql.js";
import { changedDocuments } from "./documentChanges.js";
import { movedRows } from "./listedChanges.js";
import { changedKeys } from "./portion.js";

/** Notes the whole keys of the records that a kind such as "groupMembers groupID" stands for; nothing for other kinds. */
export function expandKeys(kind: string): Sql[] {
  const [record, ...fields] = kind.split(" ") as [RecordName, ...string[]];
  const listed = listedOf(record);
  if (listed === undefined || !fields.every((field) => listed.key.includes(field))) return [];
  return [noteMoved(listed, fields), ...(record === "groupMembers" ? [noteMembers(fields)] : [])];
}

function noteMoved(listed: Listed, fields: readonly string[]): Sql {
  const [first = literal(""), second = literal("")] = listed.key.map(name);
  return sql`
    INSERT INTO im_admin_changed (kind, first, second)
      WITH ${movedRows(listed, fields)}
      SELECT ${literal(listed.table)}, ${first}, ${second} FROM moved
        GROUP BY ${names([...listed.key, ...listed.fields])} HAVING sum(change) <> 0
      ON CONFLICT DO NOTHING`;
}

function noteMembers(fields: readonly string[]): Sql {
  return sql`
    INSERT INTO im_admin_changed (kind, first, second)
      WITH ${changedKeys("groupMembers", fields)}
      SELECT 'groupMembers', group_id, user_id FROM (
        ${changedDocuments(fields)}
      ) WHERE true
      ON CONFLICT DO NOTHING`;
}
