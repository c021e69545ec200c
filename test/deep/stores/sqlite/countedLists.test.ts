import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { defaultSizes } from "../../../../src/stores/sqlite/schema/sizes.js";
import { createSqlStore } from "../../../../src/stores/sqlite/store.js";
import { checkLists } from "../../../../src/stores/sqlite/upkeep/checkAll.js";
import { putInBulk } from "../../../../src/stores/sqlite/upkeep/putInBulk.js";
import { repairLists } from "../../../../src/stores/sqlite/upkeep/repair.js";
import { openWorld } from "../../../helpers/countedWorld.js";
import { blacksOf, compareList, readRows } from "../../../helpers/listsModel.js";
import { openSqliteDatabase, temporaryFolder } from "../../../helpers/stores.js";

describe("where nodes join", () => {
  const id = (number: number) => `u${String(number).padStart(6, "0")}`;

  /** A blacklist with as many nodes of each level as its length gives, of whose entries ranges are deleted. */
  async function blacklistWithout(length: number, additions: number, ...ranges: [from: number, to: number][]) {
    const path = join(temporaryFolder(), "im.db");
    const database = openSqliteDatabase({ path });
    const store = createSqlStore(database, putInBulk(defaultSizes));
    const server = new BetterSqlite3(path);
    onTestFinished(async () => {
      server.close();
      await store.close();
    });
    const blocked = Array.from({ length }, (_, index) => ({ ownerUserID: "u1", blackUserID: id(index) }));
    await store.put({ users: [{ userID: "u1" }], blacks: blocked });
    await repairLists(database, defaultSizes);
    const insert = server.prepare("INSERT INTO im_admin_blacks (owner_user_id, black_user_id) VALUES ('u1', ?)");
    for (let index = 0; index < additions; index += 1) insert.run(`${id(0)}x${index}`);
    const remove = server.prepare("DELETE FROM im_admin_blacks WHERE black_user_id >= ? AND black_user_id < ?");
    for (const [from, to] of ranges) remove.run(id(from), id(to));
    const page = await compareList(store, readRows(server), blacksOf("u1"), 1000);
    return [page, await checkLists(database, defaultSizes)];
  }

  it("keeps an empty leaf at the start of a node that is not empty", async () => {
    // Built with nodes of level 3 at "" and u037500.
    expect(await blacklistWithout(60_000, 0, [37_500, 37_875], [0, 31_000], [48_000, 60_000])).toEqual([undefined, []]);
  });

  it("does not join two leaves to one that is full", async () => {
    // Built with leaves of 375: the first is filled up, the third thinned out, and the second emptied.
    expect(await blacklistWithout(6000, 125, [1000, 1125], [375, 750])).toEqual([undefined, []]);
  });
});

const everybody = `json_each('${JSON.stringify(Array.from({ length: 40 }, (_, index) => `u${index}`))}')`;
const joins = `INSERT OR REPLACE INTO im_admin_group_members (group_id, user_id) SELECT 'g1', value FROM ${everybody}`;
const asks = `INSERT OR REPLACE INTO im_admin_group_requests (group_id, user_id) SELECT 'g1', value FROM ${everybody}`;
const blocks = `INSERT OR REPLACE INTO im_admin_blacks (owner_user_id, black_user_id) SELECT 'u1', value FROM ${everybody}`;
const founds = `INSERT OR REPLACE INTO im_admin_group_members (group_id, user_id) SELECT value, 'u1' FROM ${everybody}`;
const notifies = `INSERT OR REPLACE INTO im_admin_users (user_id, app_manger_level) SELECT value, 3 FROM ${everybody}`;
const fills = [joins, asks, blocks, notifies, founds];
const newcomers = `json_each('${JSON.stringify(Array.from({ length: 20 }, (_, index) => `w${index}`))}')`;
/** A trigger of the host that adds many rows while a write is under way, and a write that it waits for. */
const meanwhile = (table: string, event: string, columns: string, values: string, write: string) => [
  `CREATE TRIGGER host AFTER ${event} ON ${table}
    BEGIN INSERT INTO ${table} (${columns}) SELECT ${values} FROM ${newcomers}; END`,
  write,
  "DROP TRIGGER host",
  `DELETE FROM ${table} WHERE ${memberColumn(table)} LIKE 'w%'`,
];
const whileUnderWay = ([table, columns, values]: readonly [string, string, string], change: string) => [
  `INSERT INTO ${table} (${columns}) SELECT ${values} FROM json_each('["a", "b", "c"]')`,
  ...meanwhile(table, "DELETE", columns, values, `DELETE FROM ${table} WHERE ${memberColumn(table)} = 'a'`),
  ...meanwhile(table, "UPDATE", columns, values, `UPDATE ${table} SET ${change} WHERE ${memberColumn(table)} = 'b'`),
  `DELETE FROM ${table} WHERE ${memberColumn(table)} IN ('b', 'c')`,
];
const groups = `json_each('["g1", "g2", "g3"]') managed`;
const received = [
  `INSERT INTO im_admin_group_members (group_id, user_id, role_level) SELECT managed.value, 'u2', 100 FROM ${groups}`,
  ...['["a", "b", "c", "d", "e"]', '["f", "g"]'].map(
    (applicants) => `
      INSERT INTO im_admin_group_requests (group_id, user_id)
        SELECT managed.value, applicant.value FROM ${groups} CROSS JOIN json_each('${applicants}') applicant`,
  ),
  "UPDATE im_admin_group_requests SET req_time = 7 WHERE user_id IN ('b', 'c', 'd')",
  "DELETE FROM im_admin_group_requests",
  "DELETE FROM im_admin_group_members",
];
const writes = [
  ...received,
  ...whileUnderWay(["im_admin_users", "user_id, app_manger_level", "value, 3"], "app_manger_level = 4"),
  ...whileUnderWay(["im_admin_blacks", "owner_user_id, black_user_id", "'u1', value"], "create_time = 7"),
  ...whileUnderWay(["im_admin_group_members", "group_id, user_id", "'g1', value"], "role_level = 60"),
  ...[joins, joins],
  "UPDATE im_admin_group_members SET role_level = 60 WHERE user_id IN ('u1', 'u2', 'u3')",
  ...[asks, blocks, notifies, founds].flatMap((fill) => [fill, fill]),
  "UPDATE im_admin_blacks SET create_time = 9 WHERE black_user_id LIKE 'u1_'",
  "UPDATE im_admin_group_requests SET handle_result = 1 WHERE user_id LIKE 'u1_'",
  "UPDATE OR REPLACE im_admin_group_members SET user_id = 'u2' WHERE user_id = 'u30'",
  "UPDATE OR REPLACE im_admin_group_requests SET user_id = 'u2' WHERE user_id = 'u30'",
  "UPDATE OR REPLACE im_admin_blacks SET black_user_id = 'u2' WHERE black_user_id = 'u30'",
  "UPDATE OR REPLACE im_admin_users SET user_id = 'u2' WHERE user_id = 'u30'",
  "UPDATE im_admin_users SET nickname = 'Ann' WHERE user_id = 'u11'",
  "DELETE FROM im_admin_users WHERE user_id = 'u11'",
  "INSERT INTO im_admin_users (user_id, nickname) VALUES ('u11', '王芳')",
  "UPDATE im_admin_group_members SET nickname = 'Ann' WHERE user_id = 'u12'",
  ...["im_admin_group_requests", "im_admin_group_members", "im_admin_users", "im_admin_blacks"].flatMap((table) => [
    // One node after another, in the order of keys and against it.
    ...[9, 8, 7, 6].map((digit) => `DELETE FROM ${table} WHERE ${memberColumn(table)} LIKE '%${digit}'`),
    `DELETE FROM ${table} WHERE ${memberColumn(table)} LIKE 'u2%' OR ${memberColumn(table)} LIKE 'u1_'`,
    `DELETE FROM ${table} WHERE ${memberColumn(table)} <> 'u3'`,
    `DELETE FROM ${table}`,
  ]),
];

/** What goes wrong first when a new world is written so, after some SQL; undefined where nothing does. */
async function problemOfWrites(path: string, before = ""): Promise<string | undefined> {
  const world = await openWorld(path);
  try {
    world.server.exec(before);
    for (const sql of writes) {
      try {
        world.server.exec(sql);
        const problems = Object.entries(await world.problems()).filter(([name]) => !name.startsWith("the trigger"));
        if (problems[0] !== undefined) return `${sql}: ${problems[0].join(": ")}`;
      } catch (error) {
        return String(error);
      }
      const large = world.server
        .prepare("SELECT list FROM im_admin_list_nodes WHERE level = 1 AND total > 8")
        .pluck()
        .get();
      if (large !== undefined && fills.includes(sql)) return `${sql}: a leaf is larger than it may be`;
      const stale = world.server.prepare("SELECT count(*) FROM im_admin_list_words WHERE is_stale").pluck().get();
      if (stale !== 0) return `${sql}: words are left stale`;
    }
    return undefined;
  } finally {
    await world.close();
  }
}

function memberColumn(table: string): string {
  return table === "im_admin_blacks" ? "black_user_id" : "user_id";
}

it("needs each of its triggers for writes of all kinds", async () => {
  const folder = temporaryFolder();
  const path = join(folder, "all.db");
  expect(await problemOfWrites(path)).toBeUndefined();
  const schema = new BetterSqlite3(path);
  // No write of a record needs the one that guards the map.
  const triggers = schema
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name <> 'im_admin_table_map'")
    .pluck()
    .all() as string[];
  schema.close();
  const needless: string[] = [];
  for (const trigger of triggers) {
    const problem = await problemOfWrites(join(folder, `${trigger}.db`), `DROP TRIGGER ${trigger}`);
    if (problem === undefined) needless.push(trigger);
  }
  expect(needless).toStrictEqual([]);
  expect(triggers.length).toBeGreaterThan(0);
});
