/** Processes that settle the same file at once, and are killed while they do so. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import BetterSqlite3 from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { openSqliteStore } from "../../../../src/stores/drivers/sqlite.js";
import { defaultSizes } from "../../../../src/stores/sqlite/schema/sizes.js";
import { checkLists } from "../../../../src/stores/sqlite/upkeep/checkAll.js";
import { randomOf, rounds, seed } from "../../../helpers/chance.js";
import {
  accounts,
  blacksOf,
  compareList,
  groupsOf,
  membersOf,
  readRows,
  requestsFor,
} from "../../../helpers/listsModel.js";
import { openSqliteDatabase, temporaryFolder } from "../../../helpers/stores.js";

const settle = new URL("../../../children/sqliteSettle.mjs", import.meta.url);
const writeForeign = new URL("../../../children/sqliteForeign.mjs", import.meta.url);

/** Starts a program, which is stopped at the latest when the test is over. */
function start(program: URL, ...args: (string | number)[]): ChildProcess {
  const child = fork(program, args.map(String), { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  child.once("exit", (code) => code && child.emit("error", new Error(`${program} failed`)));
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

/** The lists of a group with many members, of some of its members, and of accounts. */
const lists = {
  ...{ members: membersOf("g1"), found: membersOf("g1", { keyword: "an" }), short: membersOf("g1", { keyword: "王" }) },
  ...{ owners: membersOf("g1", { roleLevels: [60, 100] }), groups: groupsOf("u7"), blacks: blacksOf("u1") },
  ...{ requests: requestsFor("u60"), pending: requestsFor("u60", { handleResults: [0] }), accounts: accounts() },
};

/** What differs from the rows, in any list and any of what is kept, after a store has settled everything. */
async function problems(path: string): Promise<unknown[]> {
  const store = openSqliteStore({ path });
  const reader = new BetterSqlite3(path, { readonly: true });
  const database = openSqliteDatabase({ path });
  try {
    const found: unknown[] = await checkLists(database, defaultSizes);
    const rows = readRows(reader);
    for (const [name, list] of Object.entries(lists)) {
      const problem = await compareList(store, rows, list, 5_000);
      if (problem !== undefined) found.push(`${name} ${problem.slice(0, 500)}`);
    }
    const settled = await checkLists(database, defaultSizes);
    const waiting = reader.prepare("SELECT count(*) FROM im_admin_changed").pluck().get();
    return [...found, ...settled, ...(waiting === 0 ? [] : [`${waiting} changes wait`])];
  } finally {
    reader.close();
    await database.close();
    await store.close();
  }
}

const numbers = (most: number) => `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${most})`;

/** Statements that let lists grow and shrink through all their sizes, so that all that is kept is mended. */
const statements = [
  `INSERT OR REPLACE INTO im_admin_group_members (group_id, user_id, role_level, nickname)
    ${numbers(2_600)} SELECT 'g1', 'u' || i, i % 101, CASE i % 3 WHEN 0 THEN 'Ann ' || i WHEN 1 THEN '王芳' ELSE '' END FROM n`,
  `INSERT OR REPLACE INTO im_admin_users (user_id, nickname, app_manger_level)
    ${numbers(300)} SELECT 'u' || i, CASE i % 2 WHEN 0 THEN 'Hanna' ELSE '王' END, i % 5 FROM n`,
  `INSERT OR REPLACE INTO im_admin_group_requests (group_id, user_id, handle_result, req_time)
    ${numbers(900)} SELECT 'g1', 'v' || i, i % 3 - 1, i % 7 FROM n`,
  "UPDATE im_admin_group_members SET role_level = (role_level * 7 + 3) % 101 WHERE user_id LIKE '%3'",
  `INSERT OR REPLACE INTO im_admin_blacks (owner_user_id, black_user_id) ${numbers(700)} SELECT 'u1', 'u' || i FROM n`,
  "UPDATE im_admin_users SET nickname = nickname || 'n', app_manger_level = 3 WHERE user_id LIKE '%1'",
  "UPDATE OR REPLACE im_admin_group_members SET user_id = user_id || 'x' WHERE user_id LIKE '%5'",
  "DELETE FROM im_admin_group_members WHERE user_id LIKE 'u2%' OR user_id LIKE '%x'",
  "DELETE FROM im_admin_group_requests WHERE user_id LIKE 'v1%'",
  "DELETE FROM im_admin_group_members WHERE user_id LIKE 'u1%'",
  "DELETE FROM im_admin_blacks WHERE black_user_id LIKE 'u3%' OR black_user_id LIKE '%7'",
  "DELETE FROM im_admin_group_requests WHERE user_id NOT LIKE '%9'",
  "UPDATE im_admin_group_members SET join_time = 9 WHERE user_id < 'u7'",
  "DELETE FROM im_admin_users WHERE user_id LIKE '%2'",
];

/** A file with the users whose lists are compared. */
async function newFile(): Promise<string> {
  const path = join(temporaryFolder(), "im.db");
  const store = openSqliteStore({ path });
  await store.put({ groups: [{ groupID: "g1" }], users: ["u1", "u7", "u60"].map((userID) => ({ userID })) });
  await store.close();
  return path;
}

it("keeps every list right, whenever a process that settles is killed", { timeout: 600_000 }, async () => {
  const random = randomOf(seed);
  const path = await newFile();
  for (let attempt = 0; attempt < rounds(10); attempt += 1) {
    const shuffled = statements.map((sql) => [random(), sql] as const).sort(([left], [right]) => left - right);
    const child = start(settle, path, attempt % 2, JSON.stringify([statements[0], ...shuffled.map(([, sql]) => sql)]));
    await once(child, "message");
    const exited = once(child, "exit");
    await setTimeout(random() * 800);
    child.kill("SIGKILL");
    await exited;
    const connection = new BetterSqlite3(path);
    expect(connection.pragma("integrity_check", { simple: true })).toBe("ok");
    connection.exec("INSERT OR IGNORE INTO im_admin_users (user_id) VALUES ('u1'), ('u7'), ('u60')");
    connection.close();
    expect(await problems(path)).toEqual([]);
  }
});

it("answers exactly in three processes that settle at once, while two write", { timeout: 600_000 }, async () => {
  const path = await newFile();
  const settlers = [0, 1, 1].map((threads) => start(settle, path, threads, "[]"));
  await Promise.all(settlers.map((settler) => once(settler, "message")));
  const writers = ["Ann", "Bob"].map((name) => start(writeForeign, path, name, rounds(40)));
  const exits = await Promise.all(writers.map(async (writer) => (await once(writer, "exit"))[0]));
  expect(exits).toEqual([0, 0]);
  const told = settlers.map(async (settler) => {
    const answer = once(settler, "message");
    settler.send("stop");
    const [wrong] = await answer;
    const [code] = await once(settler, "exit");
    return [wrong, code];
  });
  expect(await Promise.all(told)).toEqual(Array(3).fill([[], 0]));
  expect(await problems(path)).toEqual([]);
});
