import type pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from "vitest";
import { createPostgresStore, migratePostgres } from "../../../src/stores/postgres/index.js";
import { migrate } from "../../../src/stores/postgres/schema/migrate.js";
import { quoted } from "../../../src/stores/postgres/sql.js";
import { checkLists } from "../../../src/stores/postgres/upkeep/checkAll.js";
import { openMigrated } from "../../helpers/postgres/migrated.js";
import { type PostgresServer, startPostgres } from "../../helpers/postgres/server.js";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

const page = { offset: 0, limit: 3 };

beforeEach(async () => {
  await openMigrated(server.pool, {
    users: Array.from({ length: 100 }, (_, index) => ({ userID: `u${index}` })),
    groups: [{ groupID: "g1" }, { groupID: "g2" }],
  });
});

async function connect(pool = server.pool): Promise<pg.PoolClient> {
  const connection = await pool.connect();
  onTestFinished(() => connection.release(true));
  return connection;
}

/** Counts all lists; the server's own transactions may be in the way for a while. */
async function settle(): Promise<void> {
  const left = async () => (await server.pool.query("SELECT im_admin.list_settle()::integer AS left")).rows[0].left;
  await expect.poll(left, { timeout: 30_000 }).toBe(0);
}

const member = (userID: string, roleLevel = 20, groupID = "g1") =>
  `INSERT INTO im_admin.group_members (group_id, user_id, role_level) VALUES ('${groupID}', '${userID}', ${roleLevel})`;
const request = (userID: string, groupID = "g1") =>
  `INSERT INTO im_admin.group_requests (group_id, user_id) VALUES ('${groupID}', '${userID}')`;

/** The sequences in which statements of two connections may run, each in its own order. */
function* interleavings<Statement>(left: readonly Statement[], right: readonly Statement[]): Generator<Statement[]> {
  const [ofLeft, ...afterLeft] = left;
  const [ofRight, ...afterRight] = right;
  if (ofLeft === undefined || ofRight === undefined) yield [...left, ...right];
  else {
    for (const rest of interleavings(afterLeft, right)) yield [ofLeft, ...rest];
    for (const rest of interleavings(left, afterRight)) yield [ofRight, ...rest];
  }
}

it("lists a request that arrives while its receiver becomes a manager, in whatever order", async () => {
  const store = createPostgresStore({ pool: server.pool });
  const promoting = await connect();
  const requesting = await connect();
  for (const level of ["READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"]) {
    const begin = `BEGIN ISOLATION LEVEL ${level}`;
    const promotion = "UPDATE im_admin.group_members SET role_level = 60 WHERE user_id = 'u1'";
    const orders = interleavings(
      [begin, promotion, "COMMIT"].map((text) => ({ connection: promoting, text })),
      [begin, request("u2"), "COMMIT"].map((text) => ({ connection: requesting, text })),
    );
    for (const statements of orders) {
      await server.pool.query(`TRUNCATE im_admin.group_members, im_admin.group_requests; ${member("u1")}`);
      for (const { connection, text } of statements) await connection.query(text);
      const received = await store.listReceivedGroupRequests({ userID: "u1", ...page });
      const order = statements.map(({ connection, text }) => `${connection === promoting}: ${text}`);
      expect({ order, total: received?.total, from: received?.items.map(({ userInfo }) => userInfo.userID) }).toEqual({
        order,
        total: 1,
        from: ["u2"],
      });
    }
  }
});

it("finds a member who joins while the profile is given a name, in whatever order, and whoever folds meanwhile", async () => {
  await migrate(server.pool, quoted("searched"), { leaf: 4, fanout: 4, changesPerFold: 1, recent: 2, searched: 8 });
  onTestFinished(async () => {
    await server.pool.query("DROP SCHEMA searched CASCADE");
  });
  const store = createPostgresStore({ pool: server.pool, schema: "searched" });
  const groupMembers = Array.from({ length: 20 }, (_, index) => ({ groupID: "g1", userID: `v${index}` }));
  await store.put({ users: [{ userID: "u1" }], groups: [{ groupID: "g1" }], groupMembers });
  const left = async () => (await server.pool.query("SELECT searched.list_settle()::integer AS left")).rows[0].left;
  const joining = await connect();
  const naming = await connect();
  for (const level of ["READ COMMITTED", "REPEATABLE READ"]) {
    const orders = interleavings(
      [
        `BEGIN ISOLATION LEVEL ${level}`,
        "INSERT INTO searched.group_members (group_id, user_id) VALUES ('g1', 'u1')",
        "SET CONSTRAINTS ALL IMMEDIATE",
        "COMMIT",
      ].map((text) => ({ connection: joining, text })),
      [
        `BEGIN ISOLATION LEVEL ${level}`,
        "UPDATE searched.users SET nickname = 'Ann' WHERE user_id = 'u1'",
        "COMMIT",
      ].map((text) => ({ connection: naming, text })),
    );
    for (const statements of orders) {
      await server.pool.query(
        "DELETE FROM searched.group_members WHERE user_id = 'u1'; UPDATE searched.users SET nickname = ''",
      );
      await expect.poll(left, { timeout: 30_000 }).toBe(0);
      for (const { connection, text } of statements) {
        await connection.query(text);
        await left();
      }
      const order = statements.map(({ connection, text }) => `${connection === joining}: ${text}`);
      const found = async () => {
        const members = await store.listGroupMembers({ groupID: "g1", keyword: "ann", ...page });
        return members?.items.map(({ userID }) => userID);
      };
      expect({ order, found: await found() }).toEqual({ order, found: ["u1"] });
      await expect.poll(left, { timeout: 30_000 }).toBe(0);
      expect({ order, found: await found() }).toEqual({ order, found: ["u1"] });
    }
  }
}, 60_000);

it("lets no writer wait for another of the same list, folding or not", async () => {
  const first = await connect();
  await first.query("BEGIN");
  // So many that one of them folds at the end of the transaction, which is not to come yet.
  await first.query("SET CONSTRAINTS ALL IMMEDIATE");
  await first.query(
    `INSERT INTO im_admin.group_members (group_id, user_id) SELECT 'g1', 'v' || n FROM generate_series(1, 2000) n`,
  );
  const second = await connect();
  await second.query("SET lock_timeout = '1s'");
  await second.query(
    `INSERT INTO im_admin.group_members (group_id, user_id) SELECT 'g1', 'w' || n FROM generate_series(1, 2000) n`,
  );
  await second.query("UPDATE im_admin.group_members SET join_time = 1 WHERE user_id LIKE 'w1%'");
  await second.query("DELETE FROM im_admin.group_members WHERE user_id LIKE 'w2%'");
  await first.query("COMMIT");
  const store = createPostgresStore({ pool: server.pool });
  expect((await store.listGroupMembers({ groupID: "g1", keyword: "", ...page }))?.total).toBe(3888);
});

it.each(["READ COMMITTED", "REPEATABLE READ"])(
  "counts what was written before a list was announced, %s",
  async (level) => {
    const early = await connect();
    await early.query(`BEGIN ISOLATION LEVEL ${level}`);
    await early.query(member("u1"));
    await server.pool.query(
      "INSERT INTO im_admin.group_members (group_id, user_id) SELECT 'g1', 'v' || n FROM generate_series(1, 500) n",
    );
    for (let step = 0; step < 5; step += 1) await server.pool.query("SELECT im_admin.list_settle()");
    const isCounted = async () => {
      const { rows } = await server.pool.query("SELECT is_counted FROM im_admin.lists WHERE list = 1 AND owner = 'g1'");
      return rows[0]?.is_counted;
    };
    expect(await isCounted()).toBe(false);
    await early.query(member("u2"));
    await early.query("COMMIT");
    await server.pool.query("SELECT im_admin.list_settle()");
    expect(await isCounted()).toBe(true);
    await early.query("DELETE FROM im_admin.group_members WHERE user_id = 'u1'");
    const store = createPostgresStore({ pool: server.pool });
    expect((await store.listGroupMembers({ groupID: "g1", keyword: "", ...page }))?.total).toBe(501);
  },
);

it("has lists counted by those who write them, but for those that would take a while", async () => {
  const fill = (groupID: string, count: number) =>
    server.pool.query(
      "INSERT INTO im_admin.group_members (group_id, user_id) SELECT $1, 'v' || n FROM generate_series(1, $2::integer) n",
      [groupID, count],
    );
  const counted = async () => {
    const { rows } = await server.pool.query(
      "SELECT owner FROM im_admin.lists WHERE list = 1 AND is_counted ORDER BY owner",
    );
    return rows.map(({ owner }) => owner);
  };
  const isMarked = async () => {
    const { rows } = await server.pool.query("SELECT FROM im_admin.lists WHERE owner = 'g2' AND is_marked");
    return rows.length === 1;
  };
  await fill("g1", 1000);
  await fill("g2", 11_000);
  const store = createPostgresStore({ pool: server.pool });
  for (let index = 0; (await counted()).length === 0 || !(await isMarked()); index += 1) {
    await store.put({ groupMembers: ["g1", "g2"].map((groupID) => ({ groupID, userID: `w${index}` })) });
    const { rows } = await server.pool.query(
      "SELECT count(*)::integer AS total FROM im_admin.group_members WHERE group_id = 'g2'",
    );
    expect((await store.listGroupMembers({ groupID: "g2", keyword: "", ...page }))?.total).toBe(rows[0].total);
  }
  expect(await counted()).toEqual(["g1"]);
  await migratePostgres(server.pool);
  expect(await counted()).toEqual(["g1", "g2"]);
});

it("has a transaction see what it has written itself, folded or not, while one that began before it is open", async () => {
  const fill = (name: string, count: number) =>
    `INSERT INTO im_admin.group_members (group_id, user_id) SELECT 'g1', '${name}' || n FROM generate_series(1, ${count}) n`;
  await server.pool.query(fill("v", 500));
  await settle();
  const early = await connect();
  await early.query("BEGIN");
  await early.query(member("early"));
  const folding = await connect();
  const last = async () => {
    const { rows } = await folding.query("SELECT * FROM im_admin.group_members_page('g1', 2499, 3, NULL)");
    return rows.map(({ total, items }) => [total, JSON.parse(items)[0]?.userID]);
  };
  await folding.query("BEGIN");
  await folding.query(fill("w", 2000));
  expect(await last()).toEqual([["2500", "w999"]]);
  await folding.query("SET CONSTRAINTS ALL IMMEDIATE");
  const { rows } = await folding.query("SELECT total FROM im_admin.list_totals WHERE list = 1 AND owner = 'g1'");
  expect(rows).toEqual([{ total: "2500" }]);
  expect(await last()).toEqual([["2500", "w999"]]);
});

it("divides a list in as many ranges as it has use for, when it has grown and when most of it is gone", async () => {
  const ranges = async () => {
    await settle();
    const { rows } = await server.pool.query(
      "SELECT sum(cardinality(totals))::integer AS ranges FROM im_admin.list_nodes WHERE list = 1 AND level = 1",
    );
    return rows[0].ranges;
  };
  await server.pool.query(
    "INSERT INTO im_admin.group_members (group_id, user_id) SELECT 'g1', 'v' || n FROM generate_series(1, 20000) n",
  );
  expect(await ranges()).toBeGreaterThan(200);
  await server.pool.query("DELETE FROM im_admin.group_members WHERE user_id NOT LIKE 'v11%'");
  expect(await ranges()).toBeLessThan(30);
  const store = createPostgresStore({ pool: server.pool });
  const last = await store.listGroupMembers({ groupID: "g1", keyword: "", offset: 1110, limit: 3 });
  expect([last?.total, last?.items.map(({ userID }) => userID)]).toEqual([1111, ["v11999"]]);
});

it("has no deadlock where writers of the same lists write rows of their own", async () => {
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    const connection = await connect();
    for (let index = 0; index < 40; index += 1) {
      await connection.query(`BEGIN ISOLATION LEVEL ${index % 2 ? "READ COMMITTED" : "REPEATABLE READ"}`);
      for (const groupID of index % 3 ? ["g1", "g2"] : ["g2", "g1"]) {
        await connection.query(member(`w${writer}-${index}`, 20, groupID));
        await connection.query(
          `UPDATE im_admin.group_members SET join_time = ${index} WHERE user_id = 'w${writer}-${index}'`,
        );
      }
      await connection.query("COMMIT");
    }
  });
  await Promise.all(writers);
  const store = createPostgresStore({ pool: server.pool });
  expect((await store.listGroupMembers({ groupID: "g2", keyword: "", ...page }))?.total).toBe(320);
});

it("has a list counted where a host has constraints checked at once for a while", async () => {
  const connection = await connect();
  const insert = (prefix: string) =>
    connection.query(
      `INSERT INTO im_admin.group_members (group_id, user_id) SELECT 'g1', '${prefix}' || n FROM generate_series(1, 2000) n`,
    );
  await connection.query("BEGIN; SET CONSTRAINTS ALL IMMEDIATE");
  await insert("v");
  await connection.query("SET CONSTRAINTS ALL DEFERRED");
  await insert("w");
  await connection.query("COMMIT");
  const { rows } = await server.pool.query("SELECT owner FROM im_admin.lists WHERE list = 1");
  expect(rows).toEqual([{ owner: "g1" }]);
});

it("writes all that it keeps where a host publishes every table", async () => {
  await server.pool.query("CREATE PUBLICATION everything FOR ALL TABLES");
  onTestFinished(async () => void (await server.pool.query("DROP PUBLICATION everything")));
  const store = createPostgresStore({ pool: server.pool });
  await server.pool.query(
    `INSERT INTO im_admin.group_members (group_id, user_id) SELECT 'g1', 'v' || n FROM generate_series(1, 3000) n`,
  );
  await server.pool.query(`${request("u2")}; ${member("u1", 100)}`);
  await settle();
  await server.pool.query("UPDATE im_admin.users SET nickname = 'Ann' WHERE user_id = 'u1'");
  await server.pool.query("UPDATE im_admin.group_members SET join_time = 7 WHERE user_id = 'v7'");
  await server.pool.query("DELETE FROM im_admin.group_members WHERE user_id LIKE 'v1%'");
  await settle();
  expect(await store.listGroupMembers({ groupID: "g1", keyword: "", ...page })).toMatchObject({ total: 1890 });
  expect(await store.listGroupMembers({ groupID: "g1", keyword: "ann", ...page })).toMatchObject({ total: 1 });
  expect(await store.listReceivedGroupRequests({ userID: "u1", ...page })).toMatchObject({ total: 1 });
  expect(await checkLists(server.pool, quoted("im_admin"))).toEqual([]);
});

it("forgets what it counts when a table is truncated, and says where that would go wrong", async () => {
  await server.pool.query(
    `INSERT INTO im_admin.group_members (group_id, user_id) SELECT 'g1', 'v' || n FROM generate_series(1, 500) n`,
  );
  const connection = await connect();
  await connection.query("BEGIN ISOLATION LEVEL REPEATABLE READ");
  await expect(connection.query("TRUNCATE im_admin.group_members")).rejects.toThrow(
    "im-admin counts the rows of group_members: truncate it in a READ COMMITTED transaction",
  );
  await connection.query("ROLLBACK");
  await connection.query("TRUNCATE im_admin.group_members");
  await connection.query(member("u1"));
  const store = createPostgresStore({ pool: server.pool });
  expect(await store.listGroupMembers({ groupID: "g1", keyword: "", ...page })).toMatchObject({
    total: 1,
    items: [{ userID: "u1" }],
  });
});

it("leaves what is to be settled for later where a host truncates one table after the other", async () => {
  const host = await connect();
  await host.query("BEGIN; TRUNCATE im_admin.users");
  const { rows } = await server.pool.query("SELECT im_admin.list_settle()::integer AS left");
  expect(rows).toEqual([{ left: 1 }]);
  await host.query("TRUNCATE im_admin.group_members; COMMIT");
  await settle();
});

it("counts what a role writes that may write the records alone, and cannot be led astray by names of its own", async () => {
  await server.pool.query(`
    CREATE ROLE host LOGIN;
    GRANT USAGE ON SCHEMA im_admin TO host;
    GRANT SELECT, INSERT, UPDATE, DELETE ON im_admin.group_members TO host`);
  onTestFinished(async () => {
    await server.pool.query("DROP OWNED BY host; DROP ROLE host");
  });
  const connection = await connect();
  await connection.query("SET ROLE host");
  await connection.query(`
    CREATE TEMPORARY TABLE list_changes (list integer, owner text, key text, change integer);
    CREATE TEMPORARY TABLE lists (list integer, owner text)`);
  await connection.query(
    `INSERT INTO im_admin.group_members (group_id, user_id) SELECT 'g1', 'v' || n FROM generate_series(1, 500) n`,
  );
  await connection.query("UPDATE im_admin.group_members SET role_level = 60 WHERE user_id = 'v7'");
  await connection.query("DELETE FROM im_admin.group_members WHERE user_id LIKE 'v1%'");
  await expect(connection.query("DELETE FROM im_admin.list_changes")).rejects.toThrow("permission denied");
  const store = createPostgresStore({ pool: server.pool });
  expect(await store.listGroupMembers({ groupID: "g1", keyword: "", ...page })).toMatchObject({
    total: 389,
    items: [{ userID: "v7" }, { userID: "v2" }, { userID: "v20" }],
  });
});

it("leaves alone what it has made, and says where a newer im-admin was there", async () => {
  await Promise.all([migratePostgres(server.pool), migratePostgres(server.pool), migratePostgres(server.pool)]);
  const schema = 'odd "name"';
  await Promise.all([migratePostgres(server.pool, { schema }), migratePostgres(server.pool, { schema })]);
  const store = createPostgresStore({ pool: server.pool, schema });
  await store.put({ users: [{ userID: "u1", appMangerLevel: 3 }] });
  expect((await store.listNotificationAccounts({ keyword: "", ...page })).total).toBe(1);
  await server.pool.query(`UPDATE "odd ""name""".schema_version SET version = 9`);
  await expect(migratePostgres(server.pool, { schema })).rejects.toThrow(
    'the schema "odd ""name""" has version 9, and this im-admin knows version 1: install a newer im-admin',
  );
});
