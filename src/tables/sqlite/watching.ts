/** The triggers on a host's tables, which keep listed rows and documents up to date. */
import { type RecordName, recordKeys } from "../../records.js";
import { listedFrom } from "../../stores/sqlite/nodes/listedRows.js";
import { type KeyOfRow, renewed, renewListed, triggersOn } from "../../stores/sqlite/nodes/recordTriggers.js";
import { type SchemaObject, trigger } from "../../stores/sqlite/schema/schemaObject.js";
import { documentsOfGroup, documentsOfUser, search, tellIndexes } from "../../stores/sqlite/search/documentTriggers.js";
import { all, join, literal, raw, type Sql, sql } from "../../stores/sqlite/sql.js";
import type { KeyColumns, MappedRecord } from "../map.js";
import { aliasOf, columnsOf } from "../mapNames.js";
import { columnsOfKey, keyText, quoted } from "./key.js";

/** The triggers on a host's table. */
export function watching(record: RecordName, mapped: MappedRecord, separator: string): SchemaObject[] {
  if (listedFrom(record).length === 0) return [];
  const keyOf = (row: "NEW" | "OLD", field: string) =>
    sql`(${keyText(columnsOfKey(mapped.key, field), raw(row), separator)})`;
  const renew = (key: KeyOfRow, condition: Sql) => renewed(record, search, key, condition);
  const of = mentioned(record, mapped);
  const triggers = triggersOn(raw(mapped.from), { name: record, keyFields: recordKeys[record], keyOf, of }, renew);
  return [...triggers, ...replaced(record, mapped, separator)];
}

/** The names by which a statement may write a rowid. */
const rowIDs = ["rowid", "oid", "_rowid_"];

/**
 * All words that may name a column on which a listed row or a document depends. A word that is no column does no harm
 * in `UPDATE OF`: no statement writes it.
 */
function mentioned(record: RecordName, mapped: MappedRecord): Sql {
  const unique = new Map([...mentionedWords(record, mapped), ...rowIDs].map((word) => [word.toLowerCase(), word]));
  return join([...unique.values()].map((word) => raw(`"${word.replaceAll('"', '""')}"`)));
}

export function mentionedWords(record: RecordName, { key, where = "", fields = {} }: MappedRecord): string[] {
  const wanted = new Set(listedFrom(record).flatMap((table) => [...table.fields, ...search.columns(record)]));
  const expressions = Object.entries<string>(fields).flatMap(([field, text]) => (wanted.has(field) ? [text] : []));
  const words = [where, ...expressions].flatMap((text) =>
    Array.from(text.replace(/'[^']*'/g, " ").matchAll(wordPattern), ([word]) => word.replace(/^["`[]|["`\]]$/g, "")),
  );
  const keys = Object.values<KeyColumns>(key).flatMap((columns) => columnsOf(columns));
  return [...keys, ...words.map((word) => word.replaceAll('""', '"'))];
}

const wordPattern = /"(?:[^"]|"")+"|`[^`]+`|\[[^\]]+\]|[\p{L}_][\p{L}\p{N}_$]*/gu;

/**
 * A REPLACE deletes a row of another key without a trigger if that row has the same values in other unique columns. A
 * trigger before the statement notes the keys of such rows. A trigger after it updates their listed rows.
 */
function replaced(record: RecordName, mapped: MappedRecord, separator: string): SchemaObject[] {
  const { from, unique = [] } = mapped;
  if (unique.length === 0) return [];
  const fields = recordKeys[record];
  const alias = raw(aliasOf(from));
  const keys = fields.map((field) => keyText(columnsOfKey(mapped.key, field), alias, separator));
  const note = unique.map((columns) => {
    const same = columnsOf(columns).map((column) => sql`${alias}.${quoted(column)} = NEW.${quoted(column)}`);
    return sql`
      INSERT INTO im_admin_replaced (record, key)
        SELECT ${literal(record)}, json_array(${join(keys)}) FROM ${raw(from)} WHERE ${all(same)}
        ON CONFLICT DO NOTHING`;
  });
  const isNoted = sql`
    EXISTS (SELECT 1 FROM im_admin_replaced WHERE record = ${literal(record)})`;
  const forget = trigger(
    {
      name: `${record}Replaced`,
      event: "AFTER DELETE",
      on: "replaced",
      when: sql`OLD.record = ${literal(record)}`,
    },
    renewed(
      record,
      search,
      (field) => sql`(OLD.key ->> ${literal((fields as readonly string[]).indexOf(field))})`,
      all([]),
    ),
  );
  const renew = [sql`DELETE FROM im_admin_replaced WHERE record = ${literal(record)}`];
  return [
    forget,
    ...["Insert", "Update"].flatMap((event) => [
      trigger({ name: `${record}Before${event}`, event: `BEFORE ${event.toUpperCase()}`, on: raw(from) }, note),
      trigger(
        { name: `${record}After${event}`, event: `AFTER ${event.toUpperCase()}`, on: raw(from), when: isNoted },
        renew,
      ),
    ]),
  ];
}

/** The triggers on second tables that listed rows or documents depend on. */
export function alsoWatching(record: RecordName, { also = [] }: MappedRecord, separator: string): SchemaObject[] {
  return also.flatMap(({ table, key }, index) => {
    const fields = recordKeys[record].filter((field) => columnsOfKey(key, field).length > 0);
    const keyOf = (row: "NEW" | "OLD", field: string) =>
      sql`(${keyText(columnsOfKey(key, field), raw(row), separator)})`;
    const isWhole = fields.length === recordKeys[record].length;
    const renew = (keyOfRow: KeyOfRow, condition: Sql) =>
      isWhole
        ? renewed(record, search, keyOfRow, condition)
        : listedFrom(record).flatMap((own) => [
            ...renewListed(own, keyOfRow, condition, fields),
            ...(own.table !== "groupMembers"
              ? []
              : [
                  fields.includes("userID" as never)
                    ? documentsOfUser(keyOfRow("userID"), condition)
                    : documentsOfGroup(keyOfRow("groupID"), condition),
                  tellIndexes,
                ]),
          ]);
    return triggersOn(raw(table), { name: `${record}Also${index + 1}`, keyFields: fields, keyOf }, renew);
  });
}
