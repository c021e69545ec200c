import { join } from "node:path";
import type BetterSqlite3 from "better-sqlite3";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { rounds } from "../../helpers/chance.js";
import { openWorld } from "../../helpers/countedWorld.js";
import { statements, triggers, userIDs } from "../../helpers/foreignStatements.js";
import { temporaryFolder } from "../../helpers/stores.js";

/** Runs a statement that may violate a constraint, or find the wrong state of a transaction. */
function attempt(server: BetterSqlite3.Database, sql: string): void {
  try {
    server.exec(sql);
  } catch (error) {
    if (
      !/constraint failed|too many levels of trigger recursion|triggers nested too deep|cannot store|datatype mismatch|transaction|savepoint/.test(
        String(error),
      )
    )
      throw error;
  }
}

it("answers the rows that any SQL has left, with recursive_triggers on and off", { timeout: 240_000 }, async () => {
  const folder = temporaryFolder();
  let files = 0;
  const recursives = fc.constantFrom("on", "off");
  const property = fc.asyncProperty(statements, triggers, recursives, async (statements, triggers, recursive) => {
    const world = await openWorld(join(folder, `${files++}.db`), triggers);
    try {
      world.server.pragma(`recursive_triggers = ${recursive}`);
      // With OR FAIL, a trigger of the host that fails keeps rows for which the others have not run.
      const failing = triggers.length > 0 ? / OR FAIL / : /$^/;
      for (const sql of statements) attempt(world.server, sql.replace(failing, " OR ABORT "));
      expect(await world.problems()).toStrictEqual({});
    } finally {
      await world.close();
    }
  });
  await fc.assert(property, { numRuns: rounds(500) });
});

const somebody = fc.oneof(
  fc.constantFrom(...userIDs),
  fc.nat(14).map((index) => `v${index}`),
);
const time = fc.nat(3);
/** Records of all kinds, with few keys, so that one put has several of the same. */
const puts = fc.array(
  fc.record({
    users: fc.array(fc.record({ userID: somebody, appMangerLevel: fc.constantFrom(1, 2, 3, 4) }), { maxLength: 24 }),
    groupMembers: fc.array(
      fc.record({ groupID: fc.constant("g1"), userID: somebody, joinTime: time, roleLevel: fc.constantFrom(20, 60) }),
      { maxLength: 24 },
    ),
    blacks: fc.array(fc.record({ ownerUserID: fc.constant("u1"), blackUserID: somebody, createTime: time }), {
      maxLength: 24,
    }),
    groupRequests: fc.array(
      fc.record({
        groupID: fc.constant("g1"),
        userID: somebody,
        reqTime: time,
        handleResult: fc.constantFrom(-1, 0, 1),
      }),
      { maxLength: 24 },
    ),
  }),
  { minLength: 1, maxLength: 6 },
);

it("answers the records of put, the last of several with the same key", { timeout: 240_000 }, async () => {
  const folder = temporaryFolder();
  let files = 0;
  const property = fc.asyncProperty(puts, async (puts) => {
    const world = await openWorld(join(folder, `put${files++}.db`));
    try {
      for (const records of puts) {
        await world.store.put(records);
        expect(await world.problems()).toStrictEqual({});
      }
    } finally {
      await world.close();
    }
  });
  await fc.assert(property, { numRuns: rounds(100) });
});

it("keeps the total of accounts where the only one gets another level", async () => {
  const world = await openWorld(join(temporaryFolder(), "im.db"));
  await world.store.put({ users: [{ userID: "u1", appMangerLevel: 4 }] });
  const level = (appMangerLevel: number) => ({ userID: "u1", appMangerLevel });
  for (const users of [[level(3)], [level(4), level(3), level(2)], [level(4), level(3), level(4)]]) {
    await world.store.put({ users });
    expect(await world.problems()).toStrictEqual({});
  }
  await world.close();
});

const some = (count: number, from = 0) =>
  `json_each('${JSON.stringify(Array.from({ length: count }, (_, index) => `v${index + from}`))}')`;
const join36 = `INSERT INTO im_admin_group_members (group_id, user_id) SELECT 'g3', value FROM ${some(36)}`;

it.each<[string, statements: string[], trigger?: string]>([
  [
    "splits no leaf while a row that was replaced has its old values again",
    [
      join36,
      `INSERT OR REPLACE INTO im_admin_group_members (group_id, user_id) SELECT 'g3', value FROM ${some(18, 3)}`,
    ],
    `CREATE TRIGGER host AFTER INSERT ON im_admin_group_members
      BEGIN UPDATE im_admin_group_members SET join_time = 4 WHERE group_id = NEW.group_id AND user_id = NEW.user_id; END`,
  ],
  [
    "counts a long list that came to be by a REPLACE with triggers of its own",
    [
      "PRAGMA recursive_triggers = ON",
      `INSERT INTO im_admin_group_members (group_id, user_id) SELECT joined.value, member.value
        FROM ${some(36)} member CROSS JOIN json_each('["g1", "g3"]') joined`,
      "UPDATE OR REPLACE im_admin_group_members SET group_id = 'g2'",
    ],
  ],
  [
    "counts a long list whose rows take the keys that an upsert would have inserted",
    [
      "INSERT INTO im_admin_group_members (group_id, user_id) VALUES ('g1', 'u1'), ('g2', 'u2')",
      join36,
      `INSERT OR REPLACE INTO im_admin_group_members (group_id, user_id) SELECT group_id, user_id
        FROM im_admin_group_members WHERE true ON CONFLICT DO UPDATE SET group_id = 'g1'`,
    ],
  ],
  [
    "counts a row that leaves the start of a leaf out of that leaf",
    [
      join36,
      "DELETE FROM im_admin_group_members WHERE group_id = 'g3' AND CAST(substr(user_id, 2) AS INTEGER) % 3 = 0",
    ],
  ],
  [
    "counts a moved, handled or renewed request for each manager",
    [
      "INSERT INTO im_admin_group_members (group_id, user_id, role_level) VALUES ('g1', 'u1', 100), ('g1', 'u2', 60)",
      `INSERT INTO im_admin_group_requests (group_id, user_id, req_time) SELECT 'g1', value, 5 FROM ${some(12)}`,
      "UPDATE im_admin_group_requests SET user_id = 'u3' WHERE user_id = 'v1'",
      "UPDATE im_admin_group_requests SET handle_result = 1 WHERE user_id = 'v2'",
      "UPDATE im_admin_group_requests SET req_time = 9 WHERE user_id = 'v3'",
    ],
  ],
])("%s", async (_, statements, trigger) => {
  const triggers = trigger === undefined ? [] : [{ sql: trigger, isFirst: false }];
  const world = await openWorld(join(temporaryFolder(), "im.db"), triggers);
  onTestFinished(() => world.close());
  for (const sql of statements) world.server.exec(sql);
  expect(await world.problems()).toStrictEqual({});
});
