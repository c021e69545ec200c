import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { defaultSizes } from "../../../../src/stores/sqlite/nodes/tables.js";
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
    const insert = server.prepare("INSERT INTO blacks (ownerUserID, blackUserID) VALUES ('u1', ?)");
    for (let index = 0; index < additions; index += 1) insert.run(`${id(0)}x${index}`);
    const remove = server.prepare("DELETE FROM blacks WHERE blackUserID >= ? AND blackUserID < ?");
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
const joins = `INSERT OR REPLACE INTO groupMembers (groupID, userID) SELECT 'g1', value FROM ${everybody}`;
const asks = `INSERT OR REPLACE INTO groupRequests (groupID, userID) SELECT 'g1', value FROM ${everybody}`;
const blocks = `INSERT OR REPLACE INTO blacks (ownerUserID, blackUserID) SELECT 'u1', value FROM ${everybody}`;
const founds = `INSERT OR REPLACE INTO groupMembers (groupID, userID) SELECT value, 'u1' FROM ${everybody}`;
const notifies = `INSERT OR REPLACE INTO users (userID, appMangerLevel) SELECT value, 3 FROM ${everybody}`;
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
const writes = [
  ...whileUnderWay(["users", "userID, appMangerLevel", "value, 3"], "appMangerLevel = 4"),
  ...whileUnderWay(["blacks", "ownerUserID, blackUserID", "'u1', value"], "createTime = 7"),
  ...whileUnderWay(["groupMembers", "groupID, userID", "'g1', value"], "roleLevel = 60"),
  ...[joins, joins],
  "UPDATE groupMembers SET roleLevel = 60 WHERE userID IN ('u1', 'u2', 'u3')",
  ...[asks, blocks, notifies, founds].flatMap((fill) => [fill, fill]),
  "UPDATE OR REPLACE groupMembers SET userID = 'u2' WHERE userID = 'u30'",
  "UPDATE OR REPLACE groupRequests SET userID = 'u2' WHERE userID = 'u30'",
  "UPDATE OR REPLACE blacks SET blackUserID = 'u2' WHERE blackUserID = 'u30'",
  "UPDATE OR REPLACE users SET userID = 'u2' WHERE userID = 'u30'",
  "UPDATE users SET nickname = 'Ann' WHERE userID = 'u11'",
  "DELETE FROM users WHERE userID = 'u11'",
  "INSERT INTO users (userID, nickname) VALUES ('u11', '王芳')",
  "UPDATE groupMembers SET nickname = 'Ann' WHERE userID = 'u12'",
  ...["groupRequests", "groupMembers", "users", "blacks"].flatMap((table) => [
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
      const large = world.server.prepare("SELECT list FROM listNodes WHERE level = 1 AND total > 8").pluck().get();
      if (large !== undefined && fills.includes(sql)) return `${sql}: a leaf is larger than it may be`;
      const changes = world.server.prepare("SELECT count(*) FROM documentChanges").pluck().get();
      if (Number(changes) >= 3) return `${sql}: the indexes are not told what has changed`;
    }
    return undefined;
  } finally {
    await world.close();
  }
}

function memberColumn(table: string): string {
  return table === "blacks" ? "blackUserID" : "userID";
}

it("needs each of its triggers for writes of all kinds", async () => {
  const folder = temporaryFolder();
  const path = join(folder, "all.db");
  expect(await problemOfWrites(path)).toBeUndefined();
  const schema = new BetterSqlite3(path);
  const triggers = schema.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").pluck().all() as string[];
  schema.close();
  const needless: string[] = [];
  for (const trigger of triggers) {
    const problem = await problemOfWrites(join(folder, `${trigger}.db`), `DROP TRIGGER ${trigger}`);
    if (problem === undefined) needless.push(trigger);
  }
  expect(needless).toStrictEqual([]);
  expect(triggers.length).toBeGreaterThan(0);
});
