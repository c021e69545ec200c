import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { pendingFrom } from "../../../src/stores/sqlite/schema/migrations.js";
import { defaultSizes } from "../../../src/stores/sqlite/schema/sizes.js";
import { checkLists } from "../../../src/stores/sqlite/upkeep/checkAll.js";
import { openSqliteDatabase, temporaryFolder } from "../../helpers/stores.js";

/** A file with a table of a host. */
function fileOfHost(): string {
  const path = join(temporaryFolder(), "im.db");
  const connection = new BetterSqlite3(path);
  connection.exec("CREATE TABLE host (name TEXT); INSERT INTO host VALUES ('kept')");
  connection.close();
  return path;
}

function value(path: string, sql: string): unknown {
  const connection = new BetterSqlite3(path, { readonly: true });
  try {
    return connection.prepare(sql).pluck().get();
  } finally {
    connection.close();
  }
}

/** Opens a file, and answers how many steps of a migration there were. */
async function stepsOfOpening(path: string): Promise<number> {
  let steps = 0;
  await openSqliteDatabase({ path, adopt: true }, () => {
    steps += 1;
  }).close();
  return steps;
}

it("tells of each step of a migration, and of none where the schema is current", async () => {
  const path = fileOfHost();
  const steps: [number, number][] = [];
  await openSqliteDatabase({ path, adopt: true }, (done, of) => steps.push([done, of])).close();
  const count = pendingFrom(() => []).length;
  expect(steps).toStrictEqual(Array.from({ length: count }, (_, index) => [index + 1, count]));
  expect(await stepsOfOpening(path)).toBe(0);
  expect(value(path, "SELECT name FROM host")).toBe("kept");
});

it("leaves a file byte for byte as it was where the migration fails half-way", () => {
  const path = fileOfHost();
  const before = readFileSync(path);
  expect(() =>
    openSqliteDatabase({ path, adopt: true }, (done) => {
      if (done === 5) throw new Error("the disk is full");
    }),
  ).toThrow(`cannot open the database ${path}: the disk is full`);
  expect(readFileSync(path).equals(before)).toBe(true);
});

/** Has another process run statements in a transaction on a file, and commit them after some milliseconds. */
async function heldElsewhere(path: string, milliseconds: number, statements: string[]): Promise<void> {
  const child = fork(new URL("../../children/sqliteHold.mjs", import.meta.url), [path, String(milliseconds)]);
  onTestFinished(() => void child.kill("SIGKILL"));
  child.send(statements);
  await once(child, "message");
}

it("does nothing where another process has made the schema in the meantime", async () => {
  const path = fileOfHost();
  const statements = pendingFrom(() => []).map(({ text }) => text);
  await heldElsewhere(path, 300, statements);
  expect(await stepsOfOpening(path)).toBe(0);
  const database = openSqliteDatabase({ path });
  onTestFinished(() => database.close());
  expect(await checkLists(database, defaultSizes)).toStrictEqual([]);
});
