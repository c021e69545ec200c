import type pg from "pg";
import { describe, expect, it } from "vitest";
import type { Store } from "../../../src/index.js";
import { isDeep, type Random, randomOf, rounds, seed } from "../../helpers/chance.js";
import { filterings } from "../../helpers/filters.js";
import { accounts, blacksOf, compareList, groupsOf, membersOf, requestsFor } from "../../helpers/listsModel.js";
import { chatRecords, chatStatement, makeChatHost } from "../../helpers/postgres/chatHost.js";
import {
  historyGrowth,
  historyRecords,
  historyStatement,
  historyWorld,
  makeHistoryHost,
} from "../../helpers/postgres/historyHost.js";
import { groupIDs, hostStatement, hostTransaction, userIDs } from "../../helpers/postgres/hostStatements.js";
import { inOneSnapshot, readerOver, readRows } from "../../helpers/postgres/rows.js";
import { postgresForFile } from "../../helpers/postgres/server.js";
import { connect, migrateSmall, problemsOf, settle } from "../../helpers/postgres/sessions.js";

const lists = [
  ...groupIDs.flatMap((groupID) => [
    ...filterings("listGroupMembers").map((filters) => membersOf(groupID, filters)),
    membersOf(groupID, { roleLevels: [60] }),
    ...["ann", "王", "王芳", "u1", "2"].map((keyword) => membersOf(groupID, { keyword })),
  ]),
  ...userIDs
    .slice(0, 6)
    .flatMap((userID) => [
      groupsOf(userID),
      blacksOf(userID),
      ...filterings("listReceivedGroupRequests").map((filters) => requestsFor(userID, filters)),
    ]),
  ...filterings("listNotificationAccounts").map(accounts),
];

/** Compares all pages of all lists with the rows. */
async function compareAll(store: Store, rows: Store, size: number): Promise<string[]> {
  const found = [];
  for (const list of lists) found.push(await compareList(store, rows, list, size));
  return found.filter((difference) => difference !== undefined);
}

/** The codes of failures that hosts' own statements cause when they meet. */
const expected = ["40001", "40P01", "23505", "21000", "23514", "25P02", "3B001"];

async function write(
  pool: pg.Pool,
  seed: number,
  count: number,
  hostStatement: (random: Random) => string,
): Promise<string[]> {
  const random = randomOf(seed);
  const unexpected: string[] = [];
  const connection = await pool.connect();
  try {
    // Hosts that meet in a circle find it out soon.
    await connection.query("SET deadlock_timeout = '10ms'");
    for (let index = 0; index < count; index += 1) {
      for (const statement of hostTransaction(random, hostStatement)) {
        await connection.query(statement).catch((error: pg.DatabaseError) => {
          if (!expected.includes(error.code ?? "")) unexpected.push(`${error.message}: ${statement}`);
        });
      }
    }
  } finally {
    connection.release();
  }
  return unexpected;
}

/** The world at the beginning, and what makes a list long enough for a high tree at the end. */
const own = (schema: string) => ({
  world: `
  INSERT INTO ${schema}.groups (group_id) VALUES ('g1'), ('g2'), ('g3');
  INSERT INTO ${schema}.users (user_id) SELECT 'u' || n FROM generate_series(0, 29) n`,
  emptied: `${schema}.group_requests`,
  growth: `INSERT INTO ${schema}.group_members (group_id, user_id) SELECT 'g1', 'grown' || n FROM generate_series(1, 60) n`,
});

const hosts = {
  "im-admin's own tables": {
    ...{ statement: hostStatement, records: {}, prepare: async () => {}, ...own("im_admin") },
  },
  "tables of a host's own": {
    ...{ statement: chatStatement, records: chatRecords, prepare: makeChatHost, ...own("chat") },
  },
  "tables with histories, JSON and conditions on other tables": {
    ...{
      statement: historyStatement,
      records: historyRecords,
      prepare: makeHistoryHost,
      world: historyWorld,
      growth: historyGrowth,
      emptied: "past.asked, past.memberships",
    },
  },
};

/** The deep tests have all of them write. */
const writing = Object.entries(hosts).slice(0, isDeep ? undefined : 1);

describe.each(writing)("%s", (_, { statement, records, prepare, world, growth, emptied }) => {
  const server = postgresForFile(async (pool) => {
    await migrateSmall(pool);
    await prepare(pool);
    await pool.query(world);
  });

  const differences = (pool: pg.Pool, size: number) =>
    inOneSnapshot(pool, (store, rows) => compareAll(store, rows, size), records);

  it("has every page and every total as the rows of the same snapshot say, while hosts write", async () => {
    let isOver = false;
    const writers = Promise.all(
      Array.from({ length: 6 }, (_, index) => write(server.pool, seed + index, rounds(300), statement)),
    );
    const checker = async () => {
      const found: string[] = [];
      while (!isOver && found.length === 0) found.push(...(await differences(server.pool, 3)));
      return found;
    };
    const settler = async () => {
      // Small portions, so that reads find many lists half settled.
      while (!isOver) await server.pool.query(`SELECT im_admin.settle(${1 + Math.floor(Math.random() * 30)})`);
    };
    const checkers = [checker(), checker()];
    const settlers = [settler(), settler()];
    const unexpected = (await writers).flat();
    isOver = true;
    await Promise.all(settlers);
    expect({ seed, unexpected, differences: (await Promise.all(checkers)).flat() }).toEqual({
      seed,
      unexpected: [],
      differences: [],
    });
    expect(await differences(server.pool, 4)).toEqual([]);
    await server.pool.query(growth);
    await settle(server.pool);
    expect(await problemsOf(server.pool)).toEqual([]);
    expect(await differences(server.pool, 4)).toEqual([]);
    const { rows } = await server.pool.query("SELECT max(level) AS height FROM im_admin.list_nodes");
    expect(rows[0].height).toBeGreaterThan(1);
  });

  it("has every page and every total as the rows say within a transaction that has written much, settled or not", async () => {
    const random = randomOf(seed);
    const connection = await connect(server.pool);
    for (let round = 0; round < rounds(50); round += 1) {
      await connection.query(`BEGIN ISOLATION LEVEL ${round % 2 ? "READ COMMITTED" : "REPEATABLE READ"}`);
      for (let count = 0; count < 40; count += 1) {
        // Snapshots of other sessions would see an emptied table at once, as the server's documentation says.
        const written = random() < 0.02 ? `TRUNCATE ${emptied}` : statement(random);
        await connection.query(`SAVEPOINT here; ${written}`).catch((error: pg.DatabaseError) => {
          expect([expected, written]).toEqual([expect.arrayContaining([error.code]), written]);
          return connection.query("ROLLBACK TO SAVEPOINT here");
        });
      }
      for (const step of round % 2
        ? ["SELECT", "SELECT im_admin.settle(20)", "SELECT im_admin.settle()"]
        : ["SELECT"]) {
        await connection.query(step);
        const found = await compareAll(readerOver(connection), await readRows(connection, records), 3 + (round % 5));
        expect({ seed, round, step, found }).toEqual({ seed, round, step, found: [] });
      }
      await connection.query("ROLLBACK");
    }
  });
});
