/**
 * The totals of all lists, kept by triggers, so that they cost one look-up and stay right whoever writes the tables.
 *
 * A REPLACE deletes the row in its way without firing a delete trigger (`recursive_triggers` is off by default). So
 * such a row is remembered before the write, and uncounted after it. What is remembered is at most one row a table,
 * because SQLite writes row by row; a write that did not happen after all (OR IGNORE, an upsert) leaves a row that
 * the next change of the same key forgets.
 */

/** The length of a list, as an SQL expression. */
export function total(list: ListName, owner: string): string {
  return `coalesce((SELECT total FROM listTotals WHERE list = '${list}' AND owner = ${owner}), 0)`;
}

/** What is counted, and whose list it is. */
export type ListName =
  /** Members of a group. */
  | "groupMembers"
  /** Groups that a user is a member of. */
  | "joinedGroups"
  /** The blacklist of a user. */
  | "blacks"
  /** Join requests for a group. */
  | "groupRequests"
  /** Join requests for the groups that a user manages. */
  | "receivedGroupRequests"
  /** Notification accounts; the owner is "". */
  | "notificationAccounts";

/** The roles whose members manage their group. */
export const managing = "(60, 100)";

interface CountedTable {
  table: string;
  key: readonly string[];
  /** Columns beside the key on which a total depends. */
  also: readonly string[];
  /** The statements that count a row (`sign` +) or uncount it (-); `row` is NEW or OLD. */
  count(row: "NEW" | "OLD", sign: "+" | "-"): string[];
}

const countedTables: readonly CountedTable[] = [
  {
    table: "users",
    key: ["userID"],
    also: ["appMangerLevel"],
    count: (row, sign) => [add(`SELECT 'notificationAccounts', '', ${sign}1 WHERE ${row}.appMangerLevel >= 3`)],
  },
  {
    table: "groupMembers",
    key: ["groupID", "userID"],
    also: ["roleLevel"],
    count: (row, sign) => [
      add(`VALUES ('groupMembers', ${row}.groupID, ${sign}1)`),
      add(`VALUES ('joinedGroups', ${row}.userID, ${sign}1)`),
      add(`SELECT 'receivedGroupRequests', ${row}.userID, ${sign}total FROM listTotals
        WHERE ${row}.roleLevel IN ${managing} AND list = 'groupRequests' AND owner = ${row}.groupID`),
    ],
  },
  {
    table: "blacks",
    key: ["ownerUserID", "blackUserID"],
    also: [],
    count: (row, sign) => [add(`VALUES ('blacks', ${row}.ownerUserID, ${sign}1)`)],
  },
  {
    table: "groupRequests",
    key: ["groupID", "userID"],
    also: [],
    count: (row, sign) => [
      add(`VALUES ('groupRequests', ${row}.groupID, ${sign}1)`),
      add(`SELECT 'receivedGroupRequests', userID, ${sign}1 FROM groupMembers
        WHERE groupID = ${row}.groupID AND roleLevel IN ${managing}`),
    ],
  },
];

function add(rows: string): string {
  return `INSERT INTO listTotals (list, owner, total) ${rows} ON CONFLICT DO UPDATE SET total = total + excluded.total;`;
}

/** The table of totals, and what keeps it. */
export const totals = [
  `CREATE TABLE listTotals (
    list TEXT NOT NULL,
    owner TEXT NOT NULL,
    total INTEGER NOT NULL,
    PRIMARY KEY (list, owner)
  ) STRICT, WITHOUT ROWID`,
  ...countedTables.flatMap(triggers),
];

function triggers({ table, key, also, count }: CountedTable): string[] {
  const replaced = `${table}Replaced`;
  const columns = [...key, ...also];
  const sameKey = (row: string) => key.map((column) => `${column} = ${row}.${column}`).join(" AND ");
  const differ = (names: readonly string[]) => names.map((name) => `OLD.${name} IS NOT NEW.${name}`).join(" OR ");
  const body = (...statements: string[]) => `BEGIN\n      ${statements.join("\n      ")}\n    END`;
  const inTheWay = `EXISTS (SELECT 1 FROM ${table} WHERE ${sameKey("NEW")})`;
  const remember = body(
    `DELETE FROM ${replaced};`,
    `INSERT INTO ${replaced} SELECT ${columns.join(", ")}, 0 FROM ${table} WHERE ${sameKey("NEW")};`,
  );
  const uncountReplaced = `UPDATE ${replaced} SET gone = 1 WHERE ${sameKey("NEW")};`;
  const forget = (row: string) => `DELETE FROM ${replaced} WHERE ${sameKey(row)};`;

  return [
    `CREATE TABLE ${replaced} (${columns.join(", ")}, gone)`,
    `CREATE TRIGGER ${replaced}Uncount AFTER UPDATE ON ${replaced} ${body(...count("OLD", "-"))}`,
    `CREATE TRIGGER ${table}BeforeInsert BEFORE INSERT ON ${table}
    WHEN ${inTheWay} ${remember}`,
    `CREATE TRIGGER ${table}BeforeUpdate BEFORE UPDATE OF ${key.join(", ")} ON ${table}
    WHEN (${differ(key)}) AND ${inTheWay} ${remember}`,
    `CREATE TRIGGER ${table}AfterInsert AFTER INSERT ON ${table}
    ${body(uncountReplaced, forget("NEW"), ...count("NEW", "+"))}`,
    `CREATE TRIGGER ${table}AfterDelete AFTER DELETE ON ${table}
    ${body(forget("OLD"), ...count("OLD", "-"))}`,
    `CREATE TRIGGER ${table}AfterUpdate AFTER UPDATE OF ${columns.join(", ")} ON ${table}
    WHEN ${differ(columns)}
    ${body(forget("OLD"), uncountReplaced, forget("NEW"), ...count("OLD", "-"), ...count("NEW", "+"))}`,
  ];
}
