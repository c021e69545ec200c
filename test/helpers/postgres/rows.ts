import type pg from "pg";
import { forEachKind, recordKeys } from "../../../src/records.js";
import type { Store } from "../../../src/store.js";
import type { BundledStore } from "../../../src/stores/bundledStore.js";
import { lists } from "../../../src/stores/lists/index.js";
import { placingFields } from "../../../src/stores/lists/placing.js";
import { createPostgresStore } from "../../../src/stores/postgres/index.js";
import { snakeCase } from "../../../src/stores/snakeCase.js";
import { exampleOf } from "../exampleStore.js";
import { listedTables } from "../listsModel.js";

/** The fields that decide in which lists a record is, where, and whether a keyword finds it. A host's tables have them. */
const neededFields = forEachKind((name) => [
  ...recordKeys[name],
  ...placingFields[name].map(([field]) => field),
  ...(lists.some(({ table, isSearched }) => table === name && isSearched) ? ["nickname"] : []),
]);

/**
 * The example of a store of one's own with all rows of the tables with records. Name a host's own tables, or select from
 * them.
 */
export async function readRows(
  connection: Pick<pg.ClientBase, "query">,
  records: Readonly<Record<string, string>> = {},
): Promise<Store> {
  const tables = [];
  for (const table of listedTables) {
    const selected = neededFields[table].map((field) => `${snakeCase(field)} AS "${field}"`);
    const { rows } = await connection.query(
      `SELECT coalesce(json_agg(row_to_json(t)), '[]') AS rows FROM (SELECT ${selected} FROM ${records[snakeCase(table)] ?? `im_admin.${snakeCase(table)}`} stored) t`,
    );
    tables.push([table, rows[0].rows]);
  }
  return exampleOf(Object.fromEntries(tables));
}

/** Runs a function with a store and the rows of its tables, both from one snapshot. */
export async function inOneSnapshot<Result>(
  pool: pg.Pool,
  work: (store: BundledStore, rows: Store) => Promise<Result>,
  records?: Readonly<Record<string, string>>,
): Promise<Result> {
  const connection = await pool.connect();
  try {
    await connection.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    return await work(readerOver(connection), await readRows(connection, records));
  } finally {
    const isBroken = await connection.query("ROLLBACK").then(
      () => false,
      () => true,
    );
    connection.release(isBroken);
  }
}

/** A store that reads in the transaction of a connection. */
export function readerOver(connection: pg.PoolClient): BundledStore {
  const query = connection.query.bind(connection);
  return createPostgresStore({ pool: { query, connect: () => Promise.reject(new Error("it reads only")) } });
}
