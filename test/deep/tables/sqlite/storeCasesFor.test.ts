/** The store cases over a host's tables in an SQLite file and in D1, called as others' are; its groups have numbers. */
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { keyFields, type RecordName, recordFields, recordNames } from "../../../../src/records.js";
import type { BundledStore } from "../../../../src/stores/bundledStore.js";
import { createD1Store, migrateD1 } from "../../../../src/stores/drivers/d1.js";
import { openSqliteStore } from "../../../../src/stores/drivers/sqlite.js";
import { snakeCase } from "../../../../src/stores/snakeCase.js";
import { defineTables, type TableMap, tablesSql } from "../../../../src/stores/tablesSql.js";
import { type OpenStore, type StoreUnderTest, storeCasesFor } from "../../../../src/testing/index.js";
import { number, uuid } from "../../../helpers/hostIDs.js";
import { temporaryFolder } from "../../../helpers/stores.js";
import { startWorker, type TestWorker } from "../../../helpers/workerd.js";

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

const tables = recordNames.map((table) => {
  const columns = recordFields[table].map(([field, { name }]) => {
    const isText = name === "text" || name === "key";
    return `${snakeCase(field)} ${isText && field !== "groupID" ? "TEXT" : "INTEGER"}`;
  });
  return `CREATE TABLE ${snakeCase(table)} (${columns.join(", ")}, PRIMARY KEY (${keysOf(table).join(", ")})) STRICT`;
});
const { install } = tablesSql(map, { engine: "sqlite" });

interface Statement {
  sql: string;
  values: unknown[];
}

/** Writes a record by the host's own SQL: what a record does not tell is NULL. */
function write(table: RecordName, record: object): Statement {
  const values = recordFields[table].map(([field]) => (field === "groupID" ? "nullif(?, '')" : "?"));
  const replaced = columnsOf(table).map((column) => `${column} = excluded.${column}`);
  return {
    sql: `INSERT INTO ${snakeCase(table)} (${columnsOf(table).join(", ")}) VALUES (${values.join(", ")})
      ON CONFLICT (${keysOf(table).join(", ")}) DO UPDATE SET ${replaced.join(", ")}`,
    values: recordFields[table].map(([field]) => {
      const value = (record as Record<string, unknown>)[field] ?? null;
      return typeof value === "boolean" ? Number(value) : value;
    }),
  };
}

function erase(table: RecordName, record: object): Statement {
  const isSame = keysOf(table).map((column) => `${column} = ?`);
  return {
    sql: `DELETE FROM ${snakeCase(table)} WHERE ${isSame.join(" AND ")}`,
    values: keyFields[table].map(([field]) => (record as Record<string, unknown>)[field]),
  };
}

const statementsOf = (each: typeof write, given: object) =>
  Object.entries(given).flatMap(([table, records]: [string, object[]]) =>
    records.map((record) => each(table as RecordName, record)),
  );

/** A store whose records are written by the host's own statements, all or none. */
async function overHost(store: BundledStore, run: (statements: Statement[]) => unknown, records: object) {
  const written: StoreUnderTest = {
    ...store,
    put: async (given) => void (await run(statementsOf(write, given))),
    remove: async (given) => void (await run(statementsOf(erase, given))),
  };
  await written.put(records);
  return written;
}

const openFile: OpenStore = async (records) => {
  const path = join(temporaryFolder(), "chat.db");
  const host = new BetterSqlite3(path);
  host.pragma("synchronous = OFF");
  host.exec(tables.join(";"));
  await openSqliteStore({ path, adopt: true }).close();
  for (const statement of ["BEGIN", ...install, "COMMIT"]) host.exec(statement);
  const store = openSqliteStore({ path });
  onTestFinished(async () => {
    await store.close();
    host.close();
  });
  const prepared = new Map<string, BetterSqlite3.Statement>();
  const run = host.transaction((statements: Statement[]) => {
    for (const { sql, values } of statements) {
      const statement = prepared.get(sql) ?? host.prepare(sql);
      prepared.set(sql, statement);
      statement.run(values);
    }
  });
  return overHost(store, run, records);
};

let worker: TestWorker | undefined;
afterAll(() => worker?.stop());

async function startHost(): Promise<TestWorker> {
  const started = await startWorker();
  for (const statement of tables) await started.run(statement);
  await migrateD1(started.database);
  for (const statement of install) await started.run(statement);
  return started;
}

const openD1: OpenStore = async (records) => {
  worker ??= await startHost();
  const { database } = worker;
  const removals = recordNames.map((table) => ({ sql: `DELETE FROM ${snakeCase(table)}`, values: [] }));
  const run = (statements: Statement[]) => database.batch([...removals.splice(0), ...statements] as never[]);
  return overHost(createD1Store(database), run, records);
};

describe.each<[string, OpenStore]>([
  ["an SQLite file", openFile],
  ["D1", openD1],
])("over tables of a host's own in %s", (_, open) => {
  const cases = Object.entries(storeCasesFor({ userID: uuid, groupID: number }));

  it("there are all cases", () => expect(cases.length).toBeGreaterThan(50));

  it.each(cases)("%s", (_sentence, check) => check(open));
});
