import type { BundledStore } from "../bundledStore.js";
import type { Row, SqlDatabase, Statement, Statements, Value } from "../sqlite/database.js";
import { pendingFrom } from "../sqlite/schema/migrations.js";
import { createSqlStore } from "../sqlite/store.js";
import { runEach } from "./runEach.js";

export type { BundledStore } from "../bundledStore.js";
export type { Value } from "../sqlite/database.js";

/** What the store needs of the storage of a Durable Object with SQLite; `ctx.storage` of Workers' types fits. */
export interface DurableObjectStorage {
  sql: {
    // The rows are objects; how their type is named differs.
    exec(text: string, ...values: Value[]): { toArray(): unknown[] };
  };
  transactionSync<Result>(run: () => Result): Result;
}

/**
 * A store in the SQLite of a Durable Object, which is brought to the current schema first; other tables of the object
 * are left alone. The storage stays its object's: `close()` does nothing.
 *
 * @throws TypeError for what is no such storage
 * @throws Error where it was made by a newer im-admin
 */
export function createDurableObjectStore(storage: DurableObjectStorage): BundledStore {
  if (typeof storage?.sql?.exec !== "function" || typeof storage.transactionSync !== "function") {
    throw new TypeError("storage must be the ctx.storage of a Durable Object with SQLite");
  }
  const run = ({ text, values }: Statement) => storage.sql.exec(text, ...values).toArray() as Row[];
  storage.transactionSync(() => {
    runEach(
      pendingFrom((text) => run({ text, values: [] })),
      run,
    );
  });
  const transaction = async (statements: Statements) => storage.transactionSync(() => runEach(statements, run));
  // Nothing else happens in the object while statements are run one after another.
  const database: SqlDatabase = { read: transaction, write: transaction, close: async () => {} };
  return createSqlStore(database);
}
