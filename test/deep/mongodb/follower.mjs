/**
 * Follows OpenIM's database until it is killed: `follower.mjs URL COPY DRIVER`. With `KILL_AT`, it kills itself before so
 * many statements of the copy. It prints its progress.
 */
import { createRequire } from "node:module";
import Database from "better-sqlite3";
import { followOpenIm } from "im-admin/openim";
import { createPostgresStore, migratePostgres } from "im-admin/postgres";
import { openSqliteStore } from "im-admin/sqlite";
import pg from "pg";

const [url = "", copy = "", driver = ""] = process.argv.slice(2);
const { MongoClient } = createRequire(import.meta.url)(driver);
const store = await open(copy);
const killAt = Number(process.env["KILL_AT"] ?? 0);
if (killAt > 0) killInStatement(killAt);
await followOpenIm({
  client: () => new MongoClient(url),
  store,
  // So many documents change that a copy which was stopped lacks more than a fifth.
  yes: true,
  onChange: (progress) => process.stdout.write(`${JSON.stringify(progress)}\n`),
});

async function open(database) {
  if (!database.startsWith("postgres:")) return openSqliteStore({ path: database });
  const pool = new pg.Pool({ connectionString: database });
  await migratePostgres(pool);
  return createPostgresStore({ pool });
}

function killInStatement(number) {
  const statement = Object.getPrototypeOf(new Database(":memory:").prepare("SELECT 1"));
  let left = number;
  for (const [owner, method] of [
    [statement, "run"],
    [statement, "all"],
    [pg.Client.prototype, "query"],
  ]) {
    const original = owner[method];
    owner[method] = function (...given) {
      left -= 1;
      if (left === 0) process.kill(process.pid, "SIGKILL");
      return original.apply(this, given);
    };
  }
}
