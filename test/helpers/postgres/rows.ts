import type pg from "pg";
import type { Store } from "../../../src/store.js";
import type { BundledStore } from "../../../src/stores/bundledStore.js";
import { createPostgresStore } from "../../../src/stores/postgres/index.js";
import { snakeCase } from "../../../src/stores/snakeCase.js";
import { exampleOf } from "../exampleStore.js";
import { listedTables } from "../listsModel.js";

/** The columns that tell an item apart, which a host's tables have as well. */
const columns = {
  users: ["userID", "nickname", "appMangerLevel"],
  groups: ["groupID"],
  groupMembers: ["groupID", "userID", "roleLevel", "joinTime", "nickname"],
  blacks: ["ownerUserID", "blackUserID", "createTime"],
  groupRequests: ["groupID", "userID", "reqTime", "handleResult"],
};

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
    const selected = columns[table].map((field) => `${snakeCase(field)} AS "${field}"`);
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
