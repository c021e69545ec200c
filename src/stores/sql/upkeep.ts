/**
 * The triggers on the tables, which keep the entries of all counted lists right whoever writes the tables.
 *
 * A REPLACE deletes the rows in its way without firing a delete trigger (`recursive_triggers` is off by default). So
 * such rows are remembered before the write, and their entries deleted after it. A write that did not happen after all
 * (OR IGNORE, an upsert) leaves remembered rows behind, which the next change of the same rows forgets.
 */
import { trigger } from "./countedLists.js";
import { type CountedTable, countedTables, type Definition, definitions, managing } from "./definitions.js";

/** A list, and the alias that its definition gives a table. */
interface Use {
  definition: Definition;
  alias: string;
}

const tableNames = Object.keys(countedTables) as CountedTable[];

/** Where the rows are remembered that a write is about to replace. */
export const replacedTables = tableNames.map(
  (table) => `CREATE TABLE ${table}Replaced (${columnsOf(table).join(", ")}, gone)`,
);

/** Who manages a group that somebody asks to join. */
export const managersIndex = `CREATE INDEX groupMembersManaging ON groupMembers (groupID, userID)
    WHERE roleLevel IN ${managing}`;

/** One trigger for each kind of write: the order of several would not be defined. */
export const upkeepTriggers = tableNames.flatMap((table) => {
  const uses = usesOf(table);
  const key = countedTables[table];
  const columns = columnsOf(table);
  const hasID = columns.includes("id");
  const replaced = `${table}Replaced`;
  const same = (row: string) => {
    const sameKey = key.map((column) => `${column} = ${row}.${column}`).join(" AND ");
    return hasID ? `(${sameKey} OR id = ${row}.id)` : sameKey;
  };
  const differ = (names: readonly string[]) => names.map((name) => `OLD.${name} IS NOT NEW.${name}`).join(" OR ");
  const identity = hasID ? ["id", ...key] : key;
  const others = `${same("NEW")} AND NOT (${key.map((column) => `${column} = OLD.${column}`).join(" AND ")})`;
  const remember = (rows: string) => [
    `DELETE FROM ${replaced}`,
    `INSERT INTO ${replaced} SELECT ${columns.join(", ")}, 0 FROM ${table} WHERE ${rows}`,
  ];
  const deleteReplaced = `UPDATE ${replaced} SET gone = 1 WHERE ${same("NEW")}`;
  const forget = (row: string) => `DELETE FROM ${replaced} WHERE ${same(row)}`;
  const changed = ({ definition, alias }: Use) => differ(columnsIn(definition, alias));

  return [
    trigger(
      `${replaced}Delete AFTER UPDATE ON ${replaced}`,
      uses.map((use) => deleteEntries(use, "OLD")),
    ),
    trigger(
      `${table}BeforeInsert BEFORE INSERT ON ${table} WHEN EXISTS (SELECT 1 FROM ${table} WHERE ${same("NEW")})`,
      remember(same("NEW")),
    ),
    trigger(
      `${table}BeforeUpdate BEFORE UPDATE OF ${identity.join(", ")} ON ${table}
    WHEN (${differ(identity)}) AND EXISTS (SELECT 1 FROM ${table} WHERE ${others})`,
      remember(others),
    ),
    trigger(`${table}AfterInsert AFTER INSERT ON ${table}`, [
      deleteReplaced,
      forget("NEW"),
      ...uses.flatMap((use) => insertEntries(use, "NEW")),
    ]),
    trigger(`${table}AfterDelete AFTER DELETE ON ${table}`, [
      forget("OLD"),
      ...uses.map((use) => deleteEntries(use, "OLD")),
    ]),
    trigger(
      `${table}AfterUpdate AFTER UPDATE OF ${columns.join(", ")} ON ${table}
    WHEN ${differ(columns)}`,
      [
        forget("OLD"),
        deleteReplaced,
        forget("NEW"),
        ...uses.map((use) => deleteEntries(use, "OLD", changed(use))),
        ...uses.flatMap((use) => insertEntries(use, "NEW", changed(use))),
      ],
    ),
  ];
});

/** The rows of a list's entries as one SELECT of its columns, for rows that the condition allows. */
export function selectEntries({ tables, condition }: Definition, columns: string): string {
  const from = Object.entries(tables).map(([alias, table]) => `${table} ${alias}`);
  return `SELECT ${columns} FROM ${from.join(" CROSS JOIN ")} WHERE ${condition ?? "true"}`;
}

function insertEntries(use: Use, row: string, condition?: string): string[] {
  const { name, owner, key, item } = use.definition;
  // One row is inserted without a SELECT where that is possible, which SQLite would set aside first.
  const rows = (columns: string) =>
    isSingle(use) && condition === undefined
      ? `VALUES (${ofRow(use, row, columns)})`
      : selectFor(use, row, columns, condition);
  return [
    `INSERT INTO lists (name, owner) ${rows(`'${name}', ${owner}`)} ON CONFLICT DO NOTHING`,
    `INSERT INTO listEntries (list, key, item) ${rows(`(${listOf(use)}), ${key}, ${item}`)}`,
  ];
}

function deleteEntries(use: Use, row: string, condition = "true"): string {
  const { key } = use.definition;
  return isSingle(use)
    ? `DELETE FROM listEntries
      WHERE list = (${ofRow(use, row, listOf(use))}) AND key = ${ofRow(use, row, key)} AND (${condition})`
    : `DELETE FROM listEntries WHERE (list, key) IN (${selectFor(use, row, `(${listOf(use)}), ${key}`, condition)})`;
}

/** Whether each row of a table is an entry, by itself. */
function isSingle({ definition: { tables, condition } }: Use): boolean {
  return Object.keys(tables).length === 1 && condition === undefined;
}

function listOf({ definition: { name, owner } }: Use): string {
  return `SELECT id FROM lists WHERE name = '${name}' AND owner = ${owner}`;
}

/** The entries of one row of a table, in a trigger. */
function selectFor(use: Use, row: string, columns: string, condition = "true"): string {
  const { definition, alias } = use;
  const others = Object.entries(definition.tables).filter(([other]) => other !== alias);
  const from = others.map(([other, table]) => ` FROM ${table} ${other}`).join("");
  const where = [definition.condition, `(${condition})`].filter(Boolean).join(" AND ");
  return ofRow(use, row, `SELECT ${columns}${from} WHERE ${where}`);
}

function ofRow({ alias }: Use, row: string, sql: string): string {
  return sql.replaceAll(`${alias}.`, `${row}.`);
}

function usesOf(table: CountedTable): Use[] {
  return definitions.flatMap((definition) =>
    Object.entries(definition.tables)
      .filter(([, name]) => name === table)
      .map(([alias]) => ({ definition, alias })),
  );
}

/** The columns on which the entries of a table's rows depend, its key among them. */
function columnsOf(table: CountedTable): string[] {
  const used = usesOf(table).flatMap(({ definition, alias }) => columnsIn(definition, alias));
  return [...new Set([...countedTables[table], ...used])];
}

function columnsIn({ condition = "", owner, key, item }: Definition, alias: string): string[] {
  const columns = [condition, owner, key, item].join(" ").matchAll(new RegExp(`\\b${alias}\\.(\\w+)`, "g"));
  return [...new Set([...columns].map(([, column]) => String(column)))];
}
