import fc from "fast-check";
import type pg from "pg";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createPostgresStore } from "../../../src/stores/postgres/index.js";
import { migrate } from "../../../src/stores/postgres/schema/migrate.js";
import { quoted } from "../../../src/stores/postgres/sql.js";
import { rounds } from "../../helpers/chance.js";
import { pagesOf } from "../../helpers/postgres/pagesOf.js";
import { type PostgresServer, startPostgres } from "../../helpers/postgres/server.js";

/** When the members of `g1` have joined at first: so far apart that others can come between. */
const joinTimes = Array.from({ length: 300 }, (_, index) => (index + 1) * 1000);
/** The order in which they are written: those who stand next to each other are on different pages of the database. */
const shuffled = joinTimes.map((_, index) => (((index * 101) % 300) + 1) * 1000);

const sizes = { leaf: 6, fanout: 4, changesPerFold: 1, recent: 0, searched: 10_000 };

let server: PostgresServer;
let connection: pg.PoolClient;
beforeAll(async () => {
  server = await startPostgres();
  await migrate(server.pool, quoted("im_admin"), sizes);
  await server.pool.query("INSERT INTO im_admin.groups (group_id) VALUES ('g1')");
  await join(server.pool, shuffled);
  // The server's own transactions may be in the way for a while.
  const left = async () => (await server.pool.query("SELECT im_admin.list_settle()::integer AS left")).rows[0].left;
  await vi.waitUntil(async () => (await left()) === 0, { timeout: 30_000 });
  connection = await server.pool.connect();
});
afterAll(async () => {
  connection.release();
  await server.stop();
});

/** Has a member join at each of some times. */
async function join(client: pg.Pool | pg.PoolClient, times: readonly number[]): Promise<void> {
  await client.query(
    `INSERT INTO im_admin.group_members (group_id, user_id, join_time)
      SELECT 'g1', 'u' || joined.time, joined.time FROM unnest($1::bigint[]) AS joined (time)`,
    [times],
  );
}

/** What happens to members who stand next to each other: some leave, or others join between them. */
const changes = fc.array(
  fc.record({
    first: fc.nat(joinTimes.length - 1),
    count: fc.integer({ min: 1, max: 60 }),
    each: fc.integer({ min: -1, max: 3 }),
  }),
  { minLength: 1, maxLength: 6 },
);

/** The join times that are left, and those that are new. */
function changed(made: readonly { first: number; count: number; each: number }[]) {
  const left = new Set(joinTimes);
  const joined = new Set<number>();
  for (const { first, count, each } of made) {
    for (const time of joinTimes.slice(first, first + count)) {
      if (each < 0) left.delete(time);
      for (let step = 1; step <= each; step += 1) joined.add(time + step);
    }
  }
  return { left, joined };
}

/** Runs something in a transaction that sees what it writes itself, and folds nothing; nothing stays of it. */
async function whilePending(work: () => Promise<void>): Promise<void> {
  await connection.query("BEGIN ISOLATION LEVEL REPEATABLE READ");
  try {
    await work();
  } finally {
    await connection.query("ROLLBACK");
  }
}

it("has every entry where it belongs, wherever changes are that are not folded", async () => {
  const query = connection.query.bind(connection);
  const store = createPostgresStore({ pool: { query, connect: () => Promise.reject(new Error("it reads only")) } });
  await fc.assert(
    fc.asyncProperty(changes, fc.integer({ min: 1, max: 40 }), (made, limit) =>
      whilePending(async () => {
        const { left, joined } = changed(made);
        await connection.query(
          "DELETE FROM im_admin.group_members WHERE join_time % 1000 = 0 AND join_time <> ALL ($1)",
          [[...left]],
        );
        await join(connection, [...joined]);
        const expected = [...left, ...joined].toSorted((one, other) => one - other);
        const found: number[] = [];
        for (let offset = 0; offset <= expected.length; offset += limit) {
          const page = await store.listGroupMembers({ groupID: "g1", keyword: "", offset, limit });
          expect(page?.total).toBe(expected.length);
          found.push(...(page?.items ?? []).map(({ joinTime }) => joinTime));
        }
        expect(found).toEqual(expected);
      }),
    ),
    { numRuns: rounds(200) },
  );
}, 120_000);

it.each([
  { who: "who come last", offset: 150, time: (index: number) => 1_000_000 + index },
  { who: "who come first", offset: 900 + 150, time: (index: number) => index },
  {
    who: "of whom a few come first",
    offset: 60 + 150,
    time: (index: number) => (index <= 60 ? index : 1_000_000 + index),
  },
])("reads a page at about its price while 900 are pending $who", async ({ offset, time }) => {
  const page = `SELECT * FROM im_admin.group_members_page('g1', ${offset}, 20, NULL)`;
  await whilePending(async () => {
    await join(
      connection,
      Array.from({ length: 900 }, (_, index) => time(index + 1)),
    );
    // The changes, on few pages, are looked at two or three times, and each of the 20 members and of the few before once.
    expect(await pagesOf(connection, page)).toBeLessThan(150);
  });
});
