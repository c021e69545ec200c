import { type AddressInfo, createServer } from "node:net";
import pg from "pg";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { getGroupMemberList, setConversations } from "../../../../src/index.js";
import { createPostgresStore, type PostgresPool } from "../../../../src/stores/postgres/index.js";
import { rounds } from "../../../helpers/chance.js";
import { openMigrated } from "../../../helpers/postgres/migrated.js";
import { postgresForFile } from "../../../helpers/postgres/server.js";
import { connect, lockWaits, poolWith } from "../../../helpers/postgres/sessions.js";

const server = postgresForFile();
const userIDs = Array.from({ length: 200 }, (_, index) => `u${index}`);
beforeEach(async () => {
  await openMigrated(server.pool, { users: userIDs.map((userID) => ({ userID })), groups: [{ groupID: "g1" }] });
});

const conversation = { conversationID: "c1", conversationType: 1, userID: "u5" } as const;

it.each(["read committed", "serializable"])(
  "lets calls wait for each other that list the same users in opposite orders, %s",
  async (level) => {
    // With so many connections, most calls of the stricter level fail several times, unless they learn to wait.
    const pool = poolWith(server.pool, {
      max: 80,
      options: `-c default_transaction_isolation=${level.replace(" ", "\\ ")}`,
    });
    const store = createPostgresStore({ pool });
    const orders = [userIDs, userIDs.toReversed()];
    const count = 20 + rounds(180);
    const calls = Array.from({ length: count }, (_, burnDuration) =>
      setConversations(store, {
        userIDs: orders[burnDuration % 2] ?? [],
        conversation: { ...conversation, burnDuration },
      }),
    );
    expect((await Promise.all(calls)).map(({ errCode }) => errCode)).toEqual(Array(count).fill(0));
    const set = await Promise.all(userIDs.map((userID) => store.conversations(userID)));
    expect(new Set(set.map(([stored]) => stored?.burnDuration)).size).toBe(1);
  },
);

it("lets puts of the same records wait for each other, in any order of the records", async () => {
  const store = createPostgresStore({ pool: server.pool });
  const members = userIDs.map((userID) => ({ groupID: "g1", userID }));
  const puts = Array.from({ length: rounds(200) }, (_, index) =>
    store.put({
      groupMembers: (index % 2 ? members : members.toReversed()).map((member) => ({ ...member, joinTime: index })),
    }),
  );
  await Promise.all(puts);
  expect((await store.listGroupMembers({ groupID: "g1", keyword: "", offset: 0, limit: 1 }))?.total).toBe(200);
});

it.each([
  { given: "arrays", of: (users: { userID: string }[]) => users, outcome: "written" },
  { given: "generators", of: (users: { userID: string }[]) => users.values(), outcome: "40P01" },
])("writes $given once more after a deadlock, as far as they can be read again", async ({ of, outcome }) => {
  // As when another session has been in the way of the first attempt.
  await server.pool.query(`
    CREATE SEQUENCE im_admin.attempts;
    CREATE FUNCTION im_admin.lose_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('im_admin.attempts') = 1 THEN RAISE 'a deadlock' USING ERRCODE = 'deadlock_detected'; END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER lose_once AFTER INSERT ON im_admin.users EXECUTE FUNCTION im_admin.lose_once()`);
  onTestFinished(async () => {
    await server.pool.query("DROP FUNCTION im_admin.lose_once CASCADE; DROP SEQUENCE im_admin.attempts");
  });
  const users = of([{ userID: "new1" }, { userID: "new2" }]);
  const put = createPostgresStore({ pool: server.pool }).put({ users });
  expect(
    await put.then(
      () => "written",
      ({ code }) => code,
    ),
  ).toBe(outcome);
  const { rows } = await server.pool.query("SELECT user_id FROM im_admin.users WHERE user_id LIKE 'new%'");
  expect(rows).toHaveLength(outcome === "written" ? 2 : 0);
});

it("names missing users in the order of the call", async () => {
  const answer = await setConversations(createPostgresStore({ pool: server.pool }), {
    userIDs: ["u1", "zoe", "u2", "ann"],
    conversation: { ...conversation, isPinned: true },
  });
  expect(answer.errDlt).toMatch(/^users zoe, ann: /);
});

it("undoes its writes if another call makes a contradicting conversation meanwhile", async () => {
  const store = createPostgresStore({ pool: server.pool });
  const other = await connect(server.pool);
  await other.query(
    "BEGIN; INSERT INTO im_admin.conversations (owner_user_id, conversation_id, conversation_type, group_id) VALUES ('u2', 'c1', 3, 'g1')",
  );
  const call = setConversations(store, {
    userIDs: ["u1", "u2", "u3"],
    conversation: { ...conversation, isPinned: true },
  });
  await expect.poll(() => lockWaits(server.pool)).toBe(1);
  await other.query("COMMIT");
  expect((await call).errDlt).toBe(
    "1001 ArgsError: conversation.conversationType, userID and groupID must be those of the conversation that is stored for user u2",
  );
  expect(await store.conversations("u1")).toEqual([]);
});

/** The answer to a call, and the cause that the observer gets. */
async function observed(
  call: (options: { observer: { onError(failure: { error: unknown }): void } }) => Promise<{ errCode: number }>,
) {
  const causes: unknown[] = [];
  const { errCode } = await call({ observer: { onError: ({ error }) => causes.push((error as Error).message) } });
  return [errCode, ...causes];
}

it("outlives a server that goes away in the same packet as it is ready", async () => {
  const messages = [
    Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]), // The password is right.
    Buffer.from([0x5a, 0, 0, 0, 5, 0x49]), // The server is ready.
    Buffer.concat([Buffer.from([0x45, 0, 0, 0, 25]), Buffer.from("SFATAL\0C57P01\0Mgone\0\0")]),
  ];
  const dying = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end(Buffer.concat(messages)));
  });
  await new Promise<void>((resolve) => dying.listen(0, "127.0.0.1", resolve));
  const pool = new pg.Pool({ host: "127.0.0.1", port: (dying.address() as AddressInfo).port, user: "x", ssl: false });
  pool.on("error", () => {});
  await expect(createPostgresStore({ pool }).put({ users: [{ userID: "u1" }] })).rejects.toThrow();
  await pool.end();
  dying.close();
});

it("answers 500 where a connection is cut, and the next call works", async () => {
  const store = createPostgresStore({ pool: poolWith(server.pool, { max: 1 }) });
  const holder = await connect(server.pool);
  await holder.query("BEGIN; LOCK TABLE im_admin.conversations, im_admin.users");
  const cut = () =>
    server.pool.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`);
  const set = { userIDs: ["u1"], conversation: { ...conversation, isPinned: true } };
  for (const [call, next] of [
    [
      () => observed((options) => setConversations(store, set, options)),
      [500, "terminating connection due to administrator command"],
    ],
    [
      () => store.put({ users: [{ userID: "u1" }] }).catch((error: Error) => [error.message]),
      ["terminating connection due to administrator command"],
    ],
  ] as const) {
    const result = call();
    await expect.poll(async () => (await cut()).rows.length).toBe(1);
    expect(await result).toEqual(next);
  }
  await holder.query("ROLLBACK");
  expect(await observed((options) => setConversations(store, set, options))).toEqual([0]);
  await store.put({ users: [{ userID: "u1" }] });
});

it("answers 500 where no connection is free or a statement takes too long, and the next call works", async () => {
  const pool = poolWith(server.pool, { max: 1 });
  const store = createPostgresStore({ pool });
  const list = () =>
    observed((options) =>
      getGroupMemberList(store, { groupID: "g1", pagination: { pageNumber: 1, showNumber: 1 } }, options),
    );
  const held = await pool.connect();
  // For this call alone: a busy machine may take longer to make a connection.
  pool.options.connectionTimeoutMillis = 50;
  expect(await list()).toEqual([500, "timeout exceeded when trying to connect"]);
  pool.options.connectionTimeoutMillis = 0;
  held.release();
  expect(await list()).toEqual([0]);
  const holder = await connect(server.pool);
  await holder.query("BEGIN; LOCK TABLE im_admin.groups");
  await pool.query("SET statement_timeout = 50");
  expect(await list()).toEqual([500, "canceling statement due to statement timeout"]);
  await holder.query("ROLLBACK");
  await pool.query("RESET statement_timeout");
  expect(await list()).toEqual([0]);
});

it("reads lists by the read pool alone, in transactions that may write nothing", async () => {
  const store = createPostgresStore({ pool: server.pool });
  await store.put({ groupMembers: userIDs.map((userID) => ({ groupID: "g1", userID, roleLevel: 60 })) });
  const ended = poolWith(server.pool, {});
  await ended.end();
  const readPool = poolWith(server.pool, { options: "-c default_transaction_read_only=on" });
  const reader = createPostgresStore({ pool: ended, readPool });
  const page = { offset: 190, limit: 5 };
  const totals = [
    (await reader.listGroupMembers({ groupID: "g1", keyword: "", ...page }))?.total,
    (await reader.listGroupMembers({ groupID: "g1", keyword: "u1", roleLevels: [60], ...page }))?.total,
    (await reader.listGroupMembers({ groupID: "g1", keyword: "", roleLevels: [60], ...page }))?.total,
    (await reader.listJoinedGroups({ userID: "u1", ...page }))?.total,
    (await reader.listBlacks({ ownerUserID: "u1", ...page }))?.total,
    (await reader.listReceivedGroupRequests({ userID: "u1", ...page }))?.total,
    (await reader.listNotificationAccounts({ keyword: "", ...page })).total,
  ];
  expect(totals).toEqual([200, 111, 200, 1, 0, 0, 0]);
  await expect(reader.put({})).rejects.toThrow("Cannot use a pool after calling end on the pool");
});

it("reads lists by the pool where the server of the read pool is away, and only there", async () => {
  const store = createPostgresStore({ pool: server.pool });
  await store.put({ groupMembers: [{ groupID: "g1", userID: "u1" }] });
  const failing = (error: Error) => ({ query: () => Promise.reject(error), connect: () => Promise.reject(error) });
  const totalBy = async (readPool: PostgresPool, signal?: AbortSignal) => {
    const reader = createPostgresStore({ pool: server.pool, readPool });
    const query = { groupID: "g1", keyword: "", offset: 0, limit: 1 };
    return (await reader.listGroupMembers(query, signal && { signal }))?.total;
  };
  const nowhere = poolWith(server.pool, { host: "/nowhere" });
  expect(await totalBy(nowhere)).toBe(1);
  expect(await totalBy(nowhere, new AbortController().signal)).toBe(1);
  await expect(totalBy(nowhere, AbortSignal.abort("given up"))).rejects.toBe("given up");
  for (const code of ["EPIPE", "ECONNRESET", "57P03", "53300", "40001"]) {
    expect(await totalBy(failing(Object.assign(new Error("away"), { code })))).toBe(1);
  }
  for (const code of ["57014", "42501"]) {
    const error = Object.assign(new Error("refused"), { code });
    await expect(totalBy(failing(error))).rejects.toBe(error);
  }
});

it("refuses anything but a pool, and unknown options", () => {
  expect(() => createPostgresStore(server.pool as never)).toThrow(
    "createPostgresStore must be given an object of pool, readPool, schema, settle",
  );
  expect(() => createPostgresStore({ pool: {} as pg.Pool })).toThrow(
    "pool must be a pool of connections to PostgreSQL, such as a Pool of pg",
  );
  expect(() => createPostgresStore({ pool: server.pool, readpool: server.pool } as never)).toThrow(
    'createPostgresStore does not know "readpool"; it takes pool, readPool, schema',
  );
  expect(() => createPostgresStore({ pool: server.pool, schema: "" })).toThrow(
    "schema must be the name of a schema, such as im_admin",
  );
});
