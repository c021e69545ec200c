import type pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { migrate } from "../../../src/stores/postgres/schema/migrate.js";
import { quoted } from "../../../src/stores/postgres/sql.js";
import { checkLists } from "../../../src/stores/postgres/upkeep/checkAll.js";
import { randomOf, rounds, seed } from "../../helpers/chance.js";
import { accounts, blacksOf, compareList, groupsOf, membersOf, requestsFor } from "../../helpers/listsModel.js";
import { groupIDs, hostTransaction, userIDs } from "../../helpers/postgres/hostStatements.js";
import { inOneSnapshot } from "../../helpers/postgres/rows.js";
import { type PostgresServer, startPostgres } from "../../helpers/postgres/server.js";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
  // So small that lists of a few entries have nodes of several levels.
  await migrate(server.pool, quoted("im_admin"), { leaf: 6, fanout: 4, changesPerFold: 2, recent: 2, searched: 8 });
  await server.pool.query(`
    INSERT INTO im_admin.groups (group_id) VALUES ('g1'), ('g2'), ('g3');
    INSERT INTO im_admin.users (user_id) SELECT 'u' || n FROM generate_series(0, 29) n`);
});
afterAll(() => server.stop());

const lists = [
  ...groupIDs.flatMap((groupID) => [
    membersOf(groupID),
    membersOf(groupID, { roleLevels: [60] }),
    membersOf(groupID, { roleLevels: [20, 100] }),
    ...["ann", "王", "王芳", "u1", "2"].map((keyword) => membersOf(groupID, { keyword })),
    membersOf(groupID, { keyword: "an", roleLevels: [20, 100] }),
  ]),
  ...userIDs
    .slice(0, 6)
    .flatMap((userID) => [
      groupsOf(userID),
      blacksOf(userID),
      requestsFor(userID),
      requestsFor(userID, { handleResults: [0, -1] }),
      requestsFor(userID, { groupIDs: ["g2", "g3"] }),
    ]),
  accounts(),
  accounts({ appMangerLevel: 3 }),
];

/** Compares all pages of all lists with the rows of the same snapshot. */
async function differences(pool: pg.Pool, size: number): Promise<string[]> {
  return inOneSnapshot(pool, async (store, rows) => {
    const found = [];
    for (const list of lists) found.push(await compareList(store, rows, list, size));
    return found.filter((difference) => difference !== undefined);
  });
}

/** The codes of failures that hosts' own statements cause when they meet. */
const expected = ["40001", "40P01", "23505", "21000", "23514", "25P02", "3B001"];

async function write(pool: pg.Pool, seed: number, count: number): Promise<string[]> {
  const random = randomOf(seed);
  const unexpected: string[] = [];
  const connection = await pool.connect();
  try {
    // Hosts that meet in a circle find it out soon.
    await connection.query("SET deadlock_timeout = '10ms'");
    for (let index = 0; index < count; index += 1) {
      for (const statement of hostTransaction(random)) {
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

it("has every page and every total as the rows of the same snapshot say, while hosts write", async () => {
  let isOver = false;
  const writers = Promise.all(Array.from({ length: 6 }, (_, index) => write(server.pool, seed + index, rounds(300))));
  const checker = async () => {
    const found: string[] = [];
    while (!isOver && found.length === 0) found.push(...(await differences(server.pool, 3)));
    return found;
  };
  const checkers = [checker(), checker()];
  const unexpected = (await writers).flat();
  isOver = true;
  expect({ seed, unexpected, differences: (await Promise.all(checkers)).flat() }).toEqual({
    seed,
    unexpected: [],
    differences: [],
  });
  expect(await differences(server.pool, 4)).toEqual([]);
  // The server's own transactions may be in the way for a while.
  const left = async () => (await server.pool.query("SELECT im_admin.list_settle()::integer AS left")).rows[0].left;
  await expect.poll(left, { timeout: 30_000 }).toBe(0);
  expect(await checkLists(server.pool, quoted("im_admin"))).toEqual([]);
  expect(await differences(server.pool, 4)).toEqual([]);
  const searched = await server.pool.query("SELECT count(*)::integer AS documents FROM im_admin.documents");
  expect(searched.rows[0].documents).toBeGreaterThan(8);
  const { rows } = await server.pool.query("SELECT max(level) AS height FROM im_admin.list_nodes");
  expect(rows[0].height).toBeGreaterThan(1);
}, 180_000);
