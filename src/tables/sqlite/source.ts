/** What stands in the place of a table of im-admin's own: a view of a host's table, and triggers on that table. */
import { keyFields, type RecordName, recordFields, recordKeys, recordNames } from "../../records.js";
import { listed } from "../../stores/sqlite/nodes/listed.js";
import { type KeyOfRow, renewed, renewListed, triggersOn } from "../../stores/sqlite/nodes/recordTriggers.js";
import type { RecordSource } from "../../stores/sqlite/records/source.js";
import { type SchemaObject, trigger } from "../../stores/sqlite/schema/schemaObject.js";
import { documentsOfGroup, documentsOfUser, search, tellIndexes } from "../../stores/sqlite/search/triggers.js";
import { all, join, literal, name, names, our, ourName, raw, type Sql, sql } from "../../stores/sqlite/sql.js";
import { aliasOf, columnsOf } from "../columns.js";
import type { AlsoTable, KeyColumns, MappedRecord, TableMap } from "../map.js";
import { listedNumbers } from "../numbers.js";

/** The sources of the records that a map has. */
export function sourcesOf(map: TableMap): ReadonlyMap<RecordName, RecordSource> {
  const { separator = ":" } = map;
  const sources = new Map<RecordName, RecordSource>();
  for (const record of recordNames) {
    const mapped = map[record];
    if (mapped === undefined) continue;
    sources.set(record, mapped === "empty" ? noRecords(record) : sourceOf(record, mapped as MappedRecord, separator));
  }
  return sources;
}

function noRecords(record: RecordName): RecordSource {
  const columns = recordFields[record].map(([field]) => sql`NULL AS ${name(field)}`);
  return { objects: [view(record, sql`SELECT ${join(columns)} WHERE false`)], triggers: [] };
}

function view(record: RecordName, select: Sql): SchemaObject {
  return {
    type: "view",
    name: ourName(record),
    sql: sql`
      CREATE VIEW ${our(record)} AS
        ${select}`,
  };
}

function sourceOf(record: RecordName, mapped: MappedRecord, separator: string): RecordSource {
  const obstacle = join(
    obstaclesOf(record, mapped, separator).map(([, condition]) => condition),
    " OR ",
  );
  const columns = recordFields[record].map(([field]) => field);
  const records = view(
    record,
    sql`
      SELECT ${names(columns)} FROM (
        ${rowsOf(record, mapped, separator)}
      ) WHERE NOT (${obstacle})`,
  );
  return {
    objects: [records, ...indexesOf(record, mapped, separator)],
    triggers: [...watching(record, mapped, separator), ...alsoWatching(record, mapped, separator)],
  };
}

/** The rows that `where` leaves, with all fields and the first columns of keys that have several. */
export function rowsOf(record: RecordName, mapped: MappedRecord, separator: string): Sql {
  const alias = raw(aliasOf(mapped.from));
  const keys = keyFields[record].map(
    ([field]) => sql`${keyText(columnsOfKey(mapped.key, field), alias, separator)} AS ${name(field)}`,
  );
  const given = (mapped.fields ?? {}) as Readonly<Record<string, string | undefined>>;
  const fields = recordFields[record]
    .slice(keys.length)
    .map(([field, kind]) => sql`${fieldValue(field, kind.otherwise, given[field])} AS ${name(field)}`);
  const where = mapped.where === undefined ? sql`` : sql` WHERE (${raw(mapped.where)})`;
  return sql`
    SELECT ${join([...keys, ...fields], ",\n    ")}
      FROM ${raw(mapped.from)}${where}`;
}

/** A value of the field's type, whatever the expression gives. A search stops at U+0000, which SQLite allows. */
function fieldValue(field: string, otherwise: unknown, expression: string | undefined): Sql {
  if (typeof otherwise === "string") {
    if (expression === undefined) return literal("");
    const text = sql`coalesce(CAST((${raw(expression)}) AS TEXT), '')`;
    return field === "nickname" ? sql`replace(${text}, char(0), '')` : text;
  }
  if (expression === undefined) return literal(0);
  return typeof otherwise === "boolean"
    ? sql`coalesce((${raw(expression)}) <> 0, 0)`
    : sql`coalesce(CAST((${raw(expression)}) AS INTEGER), 0)`;
}

/** The text of a key; an index has the same expression. */
function keyText(columns: readonly string[], row: Sql, separator: string): Sql {
  return textOf(
    columns.map((column) => sql`${row}.${quoted(column)}`),
    separator,
  );
}

/** Text that is compared byte by byte, whatever type and collation the columns have. */
function textOf(parts: readonly Sql[], separator: string): Sql {
  return sql`CAST(${join(parts, ` || ${literal(separator).text} || `)} AS TEXT) COLLATE BINARY`;
}

function quoted(column: string): Sql {
  return raw(/^[a-z_][a-z0-9_]*$/i.test(column) ? column : `"${column.replaceAll('"', '""')}"`);
}

function columnsOfKey(key: MappedRecord["key"] | AlsoTable["key"], field: string): readonly string[] {
  return columnsOf((key as Readonly<Record<string, KeyColumns | undefined>>)[field] ?? []);
}

/** Why a row cannot be listed, as a condition over its values. */
export function obstaclesOf(
  record: RecordName,
  mapped: MappedRecord,
  separator: string,
): [reason: string, condition: Sql][] {
  const keys = keyFields[record].flatMap(([field]): [string, Sql][] => {
    const columns = columnsOfKey(mapped.key, field);
    // A separator more than there are places for one would make two IDs the same.
    const first = sql`replace(${name(field)}, ${literal(separator)}, '')`;
    const places = (columns.length - 1) * separator.length;
    return [
      [`${field} is NULL or empty`, sql`coalesce(${name(field)}, '') = ''`],
      [`${field} contains U+0000`, sql`instr(${name(field)}, char(0)) > 0`],
      ...(columns.length === 1
        ? []
        : [
            [
              `${field} has ${JSON.stringify(separator)} within a column`,
              sql`length(${name(field)}) - length(${first}) > ${literal(places)}`,
            ] as [string, Sql],
          ]),
    ];
  });
  const numbers = Object.entries(listedNumbers[record] ?? {}).map(([field, [least, most]]): [string, Sql] => [
    `${field} is not from ${least} to ${most}`,
    sql`${name(field)} NOT BETWEEN ${raw(least)} AND ${raw(most)}`,
  ]);
  return [...keys, ...numbers];
}

/** The index by which the text of a key is looked up. */
function indexesOf(record: RecordName, mapped: MappedRecord, separator: string): SchemaObject[] {
  const indexName = ourName(`${record}ByKey`);
  const keys = keyFields[record].map(([field]) => textOf(columnsOfKey(mapped.key, field).map(quoted), separator));
  return [
    {
      type: "index",
      name: indexName,
      on: mapped.from,
      sql: sql`CREATE INDEX ${name(indexName)} ON ${raw(mapped.from)} (${join(keys)})`,
    },
  ];
}

/** The triggers on a host's table. */
function watching(record: RecordName, mapped: MappedRecord, separator: string): SchemaObject[] {
  const tables = listed.filter((table) => table.record === record);
  if (tables.length === 0) return [];
  const keyOf = (row: "NEW" | "OLD", field: string) =>
    sql`(${keyText(columnsOfKey(mapped.key, field), raw(row), separator)})`;
  const renew = (key: KeyOfRow, condition: Sql) => tables.flatMap((table) => renewed(table, search, key, condition));
  const of = mentioned(record, mapped);
  const triggers = triggersOn(raw(mapped.from), { name: record, keyOf, of }, renew);
  return [...triggers, ...replaced(record, mapped, separator)];
}

/** A rowid may be written by each of these names. */
const rowIDs = ["rowid", "oid", "_rowid_"];

/**
 * All words that may name a column on which a listed row or a document depends. What is no column does no harm: a trigger
 * never waits for it.
 */
function mentioned(record: RecordName, mapped: MappedRecord): Sql {
  const unique = new Map([...mentionedWords(record, mapped), ...rowIDs].map((word) => [word.toLowerCase(), word]));
  return join([...unique.values()].map((word) => raw(`"${word.replaceAll('"', '""')}"`)));
}

export function mentionedWords(record: RecordName, { key, where = "", fields = {} }: MappedRecord): string[] {
  const tables = listed.filter((table) => table.record === record);
  const wanted = new Set(tables.flatMap((table) => [...table.fields, ...search.columns(record)]));
  const expressions = Object.entries<string>(fields).flatMap(([field, text]) => (wanted.has(field) ? [text] : []));
  const words = [where, ...expressions].flatMap((text) =>
    Array.from(text.replace(/'[^']*'/g, " ").matchAll(wordPattern), ([word]) => word.replace(/^["`[]|["`\]]$/g, "")),
  );
  const keys = Object.values<KeyColumns>(key).flatMap((columns) => columnsOf(columns));
  return [...keys, ...words.map((word) => word.replaceAll('""', '"'))];
}

const wordPattern = /"(?:[^"]|"")+"|`[^`]+`|\[[^\]]+\]|[\p{L}_][\p{L}\p{N}_$]*/gu;

/**
 * A REPLACE may delete a row of another key without a trigger, where it has the same values in other unique columns.
 * The keys of such rows are noted before, and their records made right after it.
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
    listed
      .filter((table) => table.record === record)
      .flatMap((table) =>
        renewed(
          table,
          search,
          (field) => sql`(OLD.key ->> ${literal((fields as readonly string[]).indexOf(field))})`,
          all([]),
        ),
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

/** The triggers on other tables that what is listed or searched depends on. */
function alsoWatching(record: RecordName, { also = [] }: MappedRecord, separator: string): SchemaObject[] {
  return also.flatMap(({ table, key }, index) => {
    const fields = recordKeys[record].filter((field) => columnsOfKey(key, field).length > 0);
    const keyOf = (row: "NEW" | "OLD", field: string) =>
      sql`(${keyText(columnsOfKey(key, field), raw(row), separator)})`;
    const isWhole = fields.length === recordKeys[record].length;
    const renew = (keyOfRow: KeyOfRow, condition: Sql) =>
      listed
        .filter((own) => own.record === record)
        .flatMap((own) =>
          isWhole
            ? renewed(own, search, keyOfRow, condition)
            : [
                ...renewListed(own, keyOfRow, condition, fields),
                ...(own.table !== "groupMembers"
                  ? []
                  : [
                      fields.includes("userID" as never)
                        ? documentsOfUser(keyOfRow("userID"), condition)
                        : documentsOfGroup(keyOfRow("groupID"), condition),
                      tellIndexes,
                    ]),
              ],
        );
    return triggersOn(raw(table), { name: `${record}Also${index + 1}`, keyOf }, renew, fields);
  });
}
