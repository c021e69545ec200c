import type { BundledStore } from "../bundledStore.js";
import type { Row, SqlDatabase, Statement, Statements, Value } from "../sqlite/database.js";
import { pendingFrom } from "../sqlite/schema/migrations.js";
import { storeOn } from "../sqlite/store.js";
import { runEach } from "./runEach.js";

export type { BundledStore } from "../bundledStore.js";
export type { Value } from "../sqlite/database.js";

/** What the store needs of the storage of a Durable Object with SQLite; `ctx.storage` of Workers' types fits. */
export interface DurableObjectStorage {
  sql: {
    // The rows are objects. Versions of Workers' types name their type differently.
    exec(text: string, ...values: Value[]): { toArray(): unknown[] };
  };
  transactionSync<Result>(run: () => Result): Result;
}

/**
 * Creates a store in the SQLite of a Durable Object, and migrates it to the current schema first. It does not change
 * other tables of the object. `close()` does nothing, since the storage is the object's.
 *
 * @throws TypeError if `storage` is no such storage
 * @throws Error if it was made by a newer im-admin
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
  // Nothing else runs in the object between synchronous statements.
  const database: SqlDatabase = { read: transaction, write: transaction, close: async () => {} };
  return storeOn(database);
}
