import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import BetterSqlite3 from "better-sqlite3";
import fc from "fast-check";
import { expect, it } from "vitest";
import { openSqliteStore } from "../src/stores/sqlite.js";
import { statements } from "./sqliteStatements.js";
import { answeredLists, expectedLists, groupIDs, userIDs } from "./sqliteTotals.js";
import { temporaryFolder } from "./stores.js";

/** An IM server that writes the tables with SQL of its own, next to a store that answers. */
function openWorld(path: string) {
  const store = openSqliteStore({ path });
  const server = new BetterSqlite3(path);
  server.pragma("synchronous = OFF");
  for (const groupID of groupIDs) server.prepare("INSERT INTO groups (groupID) VALUES (?)").run(groupID);
  for (const userID of userIDs) server.prepare("INSERT INTO users (userID) VALUES (?)").run(userID);
  return {
    server,
    async lists() {
      // A list is only answered where the user exists.
      for (const userID of userIDs) server.prepare("INSERT OR IGNORE INTO users (userID) VALUES (?)").run(userID);
      return { answered: await answeredLists(store), expected: await expectedLists(server) };
    },
    async close() {
      server.close();
      await store.close();
    },
  };
}

/** Runs a statement that may violate a constraint, or find the wrong state of a transaction. */
function attempt(server: BetterSqlite3.Database, sql: string): void {
  try {
    server.exec(sql);
  } catch (error) {
    if (!/constraint failed|cannot store|transaction|savepoint/.test(String(error))) throw error;
  }
}

it.each(["off", "on"])("answers the rows that any SQL has left, with recursive_triggers %s", async (recursive) => {
  const folder = temporaryFolder();
  let files = 0;
  const property = fc.asyncProperty(statements, async (statements) => {
    const world = openWorld(join(folder, `${files++}.db`));
    try {
      world.server.pragma(`recursive_triggers = ${recursive}`);
      for (const sql of statements) attempt(world.server, sql);
      const { answered, expected } = await world.lists();
      expect(answered).toStrictEqual(expected);
    } finally {
      await world.close();
    }
  });
  await fc.assert(property, { numRuns: 200 });
});

it("needs each of its triggers for that", async () => {
  const folder = temporaryFolder();
  const counted = {
    users: { columns: "userID, appMangerLevel", rows: "('u1', 3), ('u2', 3)", key: "userID" },
    blacks: { columns: "ownerUserID, blackUserID", rows: "('u3', 'u1'), ('u3', 'u2')", key: "blackUserID" },
    groupRequests: { columns: "groupID, userID", rows: "('g1', 'u1'), ('g1', 'u2')", key: "userID" },
    groupMembers: { columns: "groupID, userID", rows: "('g1', 'u1'), ('g1', 'u2')", key: "userID" },
  };
  const writes = Object.entries(counted).flatMap(([table, { columns, rows, key }]) => [
    `INSERT OR REPLACE INTO ${table} (${columns}) VALUES ${rows}`,
    `INSERT OR REPLACE INTO ${table} (${columns}) VALUES ${rows}`,
    `UPDATE OR REPLACE ${table} SET ${key} = 'u2' WHERE ${key} = 'u1'`,
    `DELETE FROM ${table}`,
  ]);

  async function staysRight(name: string, before: string): Promise<boolean> {
    const world = openWorld(join(folder, `${name}.db`));
    try {
      world.server.exec("INSERT INTO groupMembers (groupID, userID, roleLevel) VALUES ('g1', 'u3', 100)");
      world.server.exec(before);
      for (const sql of writes) {
        world.server.exec(sql);
        const { answered, expected } = await world.lists();
        if (!isDeepStrictEqual(answered, expected)) return false;
      }
      return true;
    } finally {
      await world.close();
    }
  }

  expect(await staysRight("all", "")).toBe(true);
  const schema = new BetterSqlite3(join(folder, "all.db"));
  const triggers = schema.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").pluck().all() as string[];
  schema.close();
  const needless: string[] = [];
  for (const trigger of triggers) if (await staysRight(trigger, `DROP TRIGGER ${trigger}`)) needless.push(trigger);
  expect(needless).toStrictEqual([]);
  expect(triggers.length).toBeGreaterThan(0);
});
