/** The store cases over tables of a host's own in SQLite, called as others' are; its groups have numbers. */
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { keyFields, type RecordName, recordFields, recordNames } from "../../../src/records.js";
import { openSqliteStore } from "../../../src/stores/drivers/sqlite.js";
import { snakeCase } from "../../../src/stores/names.js";
import { defineTables, type TableMap, tablesSql } from "../../../src/tables/index.js";
import { type OpenStore, storeCasesFor } from "../../../src/testing/index.js";
import { number, uuid } from "../../helpers/hostIDs.js";
import { temporaryFolder } from "../../helpers/stores.js";

const columnsOf = (table: RecordName) => recordFields[table].map(([field]) => snakeCase(field));
const keysOf = (table: RecordName) => keyFields[table].map(([field]) => snakeCase(field));
const own = (fields: typeof recordFields.users) =>
  Object.fromEntries(fields.map(([field]) => [field, snakeCase(field)]));

const map = defineTables(
  Object.fromEntries(
    recordNames.map((table) => {
      const count = keyFields[table].length;
      return [
        table,
        {
          from: snakeCase(table),
          key: own(recordFields[table].slice(0, count)),
          fields: own(recordFields[table].slice(count)),
        },
      ];
    }),
  ) as TableMap,
);

function makeTables(host: BetterSqlite3.Database): void {
  for (const table of recordNames) {
    const columns = recordFields[table].map(([field, { name }]) => {
      const isText = name === "text" || name === "key";
      return `${snakeCase(field)} ${isText && field !== "groupID" ? "TEXT" : "INTEGER"}`;
    });
    host.exec(
      `CREATE TABLE ${snakeCase(table)} (${columns.join(", ")}, PRIMARY KEY (${keysOf(table).join(", ")})) STRICT`,
    );
  }
}

/** Writes records by the host's own SQL: what a record does not tell is NULL. */
function write(host: BetterSqlite3.Database, table: RecordName, records: readonly object[]): void {
  const values = recordFields[table].map(([field]) => (field === "groupID" ? "nullif(?, '')" : "?"));
  const replaced = columnsOf(table).map((column) => `${column} = excluded.${column}`);
  const statement = host.prepare(`INSERT INTO ${snakeCase(table)} (${columnsOf(table).join(", ")})
    VALUES (${values.join(", ")}) ON CONFLICT (${keysOf(table).join(", ")}) DO UPDATE SET ${replaced.join(", ")}`);
  for (const record of records) {
    statement.run(
      recordFields[table].map(([field]) => {
        const value = (record as Record<string, unknown>)[field] ?? null;
        return typeof value === "boolean" ? Number(value) : value;
      }),
    );
  }
}

function erase(host: BetterSqlite3.Database, table: RecordName, records: readonly object[]): void {
  const isSame = keysOf(table).map((column) => `${column} = ?`);
  const statement = host.prepare(`DELETE FROM ${snakeCase(table)} WHERE ${isSame.join(" AND ")}`);
  for (const record of records) {
    statement.run(keyFields[table].map(([field]) => (record as Record<string, unknown>)[field]));
  }
}

const open: OpenStore = async (records) => {
  const path = join(temporaryFolder(), "chat.db");
  const host = new BetterSqlite3(path);
  host.pragma("synchronous = OFF");
  makeTables(host);
  await openSqliteStore({ path, adopt: true }).close();
  for (const statement of ["BEGIN", ...tablesSql(map, { engine: "sqlite" }).install, "COMMIT"]) host.exec(statement);
  const opened = openSqliteStore({ path });
  onTestFinished(async () => {
    await opened.close();
    host.close();
  });
  const all = (each: typeof write) =>
    host.transaction((given: object) => {
      for (const [table, ofTable] of Object.entries(given)) each(host, table as RecordName, ofTable);
    });
  const store = {
    ...opened,
    put: async (given: object) => all(write)(given),
    remove: async (given: object) => all(erase)(given),
  };
  await store.put(records);
  return store;
};

describe("over tables of a host's own", () => {
  const cases = Object.entries(storeCasesFor({ userID: uuid, groupID: number }));

  it("there are all cases", () => expect(cases.length).toBeGreaterThan(50));

  it.each(cases)("%s", (_, check) => check(open));
});
