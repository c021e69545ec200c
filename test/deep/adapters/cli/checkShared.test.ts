/** Checks of a file that other processes have locked, or write. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { openAnyFile } from "../../../../adapters/cli/databases/checkedFile.js";
import { betterSqlite3 } from "../../../../src/stores/drivers/betterSqlite3.js";
import { openSqliteStore } from "../../../../src/stores/drivers/sqlite.js";
import { defaultSizes } from "../../../../src/stores/sqlite/schema/sizes.js";
import { sql } from "../../../../src/stores/sqlite/sql.js";
import { checkLists } from "../../../../src/stores/sqlite/upkeep/checkAll.js";
import { rounds } from "../../../helpers/chance.js";
import { start } from "../../../helpers/cliProcess.js";
import { corrupt } from "../../../helpers/corruptedFile.js";
import { smallFile } from "../../../helpers/smallFile.js";
import { temporaryFolder } from "../../../helpers/stores.js";

/** A file in which the total of a list is wrong, locked by SQL. */
async function lockedFile(sql: string): Promise<string> {
  const path = await smallFile();
  corrupt(path, "UPDATE im_admin_lists SET total = total + 1 WHERE name = 'groupMembers'");
  const owner = new BetterSqlite3(path);
  onTestFinished(() => void owner.close());
  owner.exec(sql);
  return path;
}

it("check waits for a lock, and then says what it could not do", async () => {
  const unreadable = await lockedFile(
    "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; DELETE FROM im_admin_blacks; COMMIT",
  );
  const unwritable = await lockedFile("BEGIN IMMEDIATE");
  const began = performance.now();
  const checks = [start(["check", "--db", unreadable]), start(["check", "--db", unwritable, "--repair"])];
  expect(await Promise.all(checks.map(({ ended }) => ended))).toEqual([
    {
      status: 3,
      stdout: "",
      stderr: `could not be checked: the database: database is locked
${unreadable}: nothing wrong was found, but not everything could be checked
`,
    },
    {
      status: 1,
      stdout: "",
      stderr: `lists and nodes do not count what is below them (1, such as groupMembers g1)
im-admin: ${unwritable}: the lists could not be repaired: database is locked
`,
    },
  ]);
  expect(performance.now() - began).toBeGreaterThan(4900);
});

it("check finds all lists right again and again while records are imported", async () => {
  const folder = temporaryFolder();
  const indexes = Array.from({ length: 20_000 }, (_, index) => index);
  const files = {
    "blacks.ndjson": indexes.map((index) => `{"ownerUserID":"u${index % 3}","blackUserID":"u${index}"}`),
    "groupMembers.ndjson": indexes.map((index) => `{"groupID":"g${index % 3}","userID":"u${index}"}`),
  };
  for (const [name, lines] of Object.entries(files)) writeFileSync(join(folder, name), lines.join("\n"));
  const path = join(temporaryFolder(), "im.db");
  await openSqliteStore({ path }).close();
  const importing = start(["import", folder, "--db", path]);
  let isOver = false;
  const ended = importing.ended.finally(() => {
    isOver = true;
  });
  const good = { status: 0, stdout: "", stderr: `${path}: all lists agree with the rows\n` };
  while (!isOver) expect(await start(["check", "--db", path]).ended).toEqual(good);
  expect(await ended).toMatchObject({ status: 0 });
  expect(await start(["check", "--db", path]).ended).toEqual(good);
});

it("check never says that words or lists are wrong which others write meanwhile", { timeout: 600_000 }, async () => {
  const path = join(temporaryFolder(), "im.db");
  const store = openSqliteStore({ path });
  await store.put({ groups: [{ groupID: "g" }] });
  await store.close();
  const writer = fork(new URL("../../../children/sqliteWordWriters.mjs", import.meta.url), [path]);
  onTestFinished(() => void writer.kill("SIGKILL"));
  const exited = once(writer, "exit");
  await once(writer, "message");
  const database = openAnyFile(betterSqlite3, path, "read");
  onTestFinished(() => database.close());
  const totals = new Set<unknown>();
  for (let round = 0; round < rounds(1000); round += 1) {
    const [rows = []] = await database.read([
      sql`SELECT count(*) AS words, sum(length(words)) AS length FROM im_admin_list_words`,
    ]);
    expect(Number(rows[0]?.["words"])).toBeGreaterThan(10);
    totals.add(rows[0]?.["length"]);
    expect([round, await checkLists(database, defaultSizes)]).toEqual([round, []]);
  }
  expect(totals.size).toBeGreaterThan(1);
  writer.send("end");
  expect((await exited)[0]).toBe(0);
});
