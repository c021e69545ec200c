/** Files of SQL that fill a D1 database. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { D1Files } from "../../../../adapters/cli/d1Files.js";
import { openSqliteStore } from "../../../../src/stores/drivers/sqlite.js";
import { rounds } from "../../../helpers/chance.js";
import { imAdmin } from "../../../helpers/cliProcess.js";
import { sampleWorld } from "../../../helpers/sampleWorld.js";
import { temporaryFolder } from "../../../helpers/stores.js";
import { startWorker } from "../../../helpers/workerd.js";

/** Runs files of SQL on an empty database, and returns its rows. */
async function filled(folder: string, table: string): Promise<unknown[]> {
  const path = join(temporaryFolder(), "im.db");
  await openSqliteStore({ path }).close();
  const connection = new BetterSqlite3(path);
  onTestFinished(() => void connection.close());
  for (const name of readdirSync(folder).sort()) connection.exec(readFileSync(join(folder, name), "utf8"));
  return connection.prepare(`SELECT * FROM ${table}`).all();
}

async function copied(from: string, table: string) {
  const to = join(temporaryFolder(), "d1");
  const { status, stderr } = await imAdmin(["copy", "--from", from, "--to", to, "--sql"]);
  const files = readdirSync(to).length;
  expect([status, stderr.split("\n").at(-2)]).toEqual([
    0,
    `${files} files in ${to}: run each by wrangler d1 execute --file`,
  ]);
  return { to, rows: await filled(to, table) };
}

it("fills a database with the records of a file", async () => {
  const path = join(temporaryFolder(), "im.db");
  const store = openSqliteStore({ path });
  await store.put(sampleWorld);
  await store.put({ conversations: [{ ownerUserID: "u", conversationID: "c", isPinned: true, burnDuration: -1 }] });
  await store.close();
  const connection = new BetterSqlite3(path, { readonly: true });
  onTestFinished(() => void connection.close());
  for (const record of ["users", "groups", "group_members", "blacks", "group_requests", "conversations"]) {
    const { rows } = await copied(path, `im_admin_${record}`);
    const expected = connection.prepare(`SELECT * FROM im_admin_${record}`).all();
    expect(rows.length).toBeGreaterThan(0);
    expect(rows).toEqual(expect.arrayContaining(expected));
  }
});

it("writes statements of at most 100,000 bytes, and files that wrangler can run", async () => {
  const path = join(temporaryFolder(), "im.db");
  const store = openSqliteStore({ path });
  const ex = "说😀'".repeat(40_000);
  const users = Array.from({ length: 30_000 }, (_, index) => ({ userID: `u${index}`, ex: "x".repeat(100) }));
  await store.put({
    users: [...users, { userID: "it's", ex }],
    groups: [{ groupID: "g1", notification: "说".repeat(40_000) }],
  });
  await store.close();
  const { to, rows } = await copied(path, "im_admin_users");
  expect(rows.length).toBe(30_001);
  expect(rows).toContainEqual({ user_id: "it's", nickname: "", face_url: "", ex, app_manger_level: 0 });
  const texts = readdirSync(to).map((name) => readFileSync(join(to, name), "utf8"));
  expect(texts.length).toBeGreaterThan(2);
  for (const text of texts) {
    expect(Buffer.byteLength(text)).toBeLessThan(2_200_000);
    for (const statement of text.split(";\n")) expect(Buffer.byteLength(statement)).toBeLessThan(100_000);
  }
});

/** Every character of ASCII but U+0000, and others: of several bytes, and some that programs take for the end of a line. */
const characters = [
  ...Array.from({ length: 127 }, (_, index) => String.fromCharCode(index + 1)),
  ...Array.from({ length: 64 }, (_, index) => String.fromCharCode(0x80 + index)),
  ..."\u2028\u2029\ufeff\uffff王说😀👩\u{10ffff}",
];

it("writes long texts of any character into a real D1", { timeout: 600_000 }, async () => {
  expect(characters).toHaveLength(200);
  const groups = characters.map((character, index) => ({
    groupID: `g${index}`,
    groupName: character,
    notification: character.repeat(100_000),
  }));
  // Two records that D1 cannot hold.
  const unheld = [
    { groupID: "k".repeat(70_000), notification: "n".repeat(20_000) },
    { groupID: "x", ex: "x".repeat(2_000_001) },
  ];
  const path = join(temporaryFolder(), "im.db");
  const store = openSqliteStore({ path });
  await store.put({ groups: [...groups, ...unheld, { groupID: "'".repeat(9_000), ex: "-".repeat(20_000) }] });
  await store.close();
  const to = join(temporaryFolder(), "d1");
  const { status, stderr } = await imAdmin(["copy", "--from", path, "--to", to, "--sql"]);
  expect([status, stderr]).toEqual([0, expect.stringContaining("\nwarning: 2 groups are left out: they are too long")]);

  const worker = await startWorker();
  onTestFinished(() => worker.stop());
  await worker.emptyStore();
  for (const name of readdirSync(to).sort()) {
    const statements = readFileSync(join(to, name), "utf8").split(/;\n+/).slice(0, -1);
    await worker.database.batch(statements.map((sql) => ({ sql, values: [] })) as never[]);
  }
  for (const { groupID, groupName, notification } of groups) {
    const [row] = await worker.run("SELECT group_name, notification FROM im_admin_groups WHERE group_id = ?", groupID);
    const { group_name, notification: stored } = row as { group_name: string; notification: string };
    expect([group_name, stored === notification]).toEqual([groupName, true]);
  }
  const others = await worker.run(
    "SELECT length(group_id) AS id, length(ex) AS ex FROM im_admin_groups WHERE ex <> ''",
  );
  expect(others).toEqual([{ id: 9_000, ex: 20_000 }]);
});

it("escapes texts that a program could take for a comment or the end of a statement", async () => {
  const hostile = fc.constantFrom(
    "'",
    '"',
    ";",
    "--",
    "/*",
    "*/",
    "\n",
    "\r\n",
    "\\",
    "王",
    "😀",
    "BEGIN",
    " END;",
    "\u2028",
  );
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: hostile, maxLength: 30 }), async (nickname) => {
      const folder = join(temporaryFolder(), "d1");
      const files = new D1Files(folder);
      await files.put({ users: [{ userID: "u1", nickname, faceURL: "", ex: "", appMangerLevel: 0 }] });
      expect(files.finish()).toBe(1);
      const text = readFileSync(join(folder, "000001.sql"), "utf8");
      // The others build the lists.
      const [record, next] = text.split(";\n");
      expect(record).not.toMatch(/;|--|\/\*|\r/);
      expect(next?.trim()).toMatch(/^DROP INDEX/);
      expect(await filled(folder, "im_admin_users")).toMatchObject([{ nickname }]);
    }),
    { numRuns: rounds(200) },
  );
});

it("refuses a folder that is not empty, and a database without records", async () => {
  const folder = temporaryFolder();
  const path = join(folder, "im.db");
  const store = openSqliteStore({ path });
  const to = join(folder, "d1");
  const copy = () => imAdmin(["copy", "--from", path, "--to", to, "--sql"]);
  expect(await copy()).toMatchObject({ status: 1, stderr: `im-admin: ${path} has no records\n` });
  await store.put({ users: [{ userID: "u1" }] });
  await store.close();
  mkdirSync(to);
  writeFileSync(join(to, "other.sql"), "");
  expect(await copy()).toMatchObject({
    status: 1,
    stderr: `im-admin: the folder ${to} is not empty: name a new one\n`,
  });
});
