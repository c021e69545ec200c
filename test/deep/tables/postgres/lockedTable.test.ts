import { expect, it } from "vitest";
import { createPostgresStore, migratePostgres } from "../../../../src/stores/postgres/index.js";
import { quoted } from "../../../../src/stores/postgres/sql.js";
import { installMap } from "../../../../src/stores/postgres/upkeep/installMap.js";
import { postgresForFile } from "../../../helpers/postgres/server.js";
import { connect, settle } from "../../../helpers/postgres/sessions.js";

const server = postgresForFile();

it("answers lists of other tables while a host's migration has locked one, and gives up those of that one", async () => {
  await server.pool.query(`
    CREATE SCHEMA chat;
    CREATE TABLE chat.person (id text PRIMARY KEY, name text, level integer NOT NULL DEFAULT 0);
    CREATE TABLE chat.block (owner text, other text, PRIMARY KEY (owner, other));
    CREATE TABLE chat.seat (room text, person text, PRIMARY KEY (room, person));
    CREATE INDEX ON chat.seat (person);
    INSERT INTO chat.person VALUES ('u1', 'Ann', 3), ('u2', 'Bob', 0);
    INSERT INTO chat.block VALUES ('u1', 'u2');
    INSERT INTO chat.seat VALUES ('r1', 'u1')`);
  await migratePostgres(server.pool);
  const key = { groupID: "room", userID: "person" };
  await installMap(server.pool, quoted("im_admin"), {
    users: { from: "chat.person", key: { userID: "id" }, fields: { nickname: "name", appMangerLevel: "level" } },
    blacks: { from: "chat.block", key: { ownerUserID: "owner", blackUserID: "other" } },
    groups: { from: "(SELECT DISTINCT room FROM chat.seat) AS room", key: { groupID: "room" } },
    groupMembers: { from: "chat.seat", key },
  });
  await settle(server.pool);
  const store = createPostgresStore({ pool: server.pool });
  const range = { offset: 0, limit: 9 };
  const migration = await connect(server.pool);
  // Their connections are there, and have read what they need of the server's catalogue.
  await Promise.all([
    store.listGroupMembers({ groupID: "r1", keyword: "", ...range }),
    store.listJoinedGroups({ userID: "u1", ...range }),
    store.listBlacks({ ownerUserID: "u1", ...range }),
    ...["", "anna"].map((keyword) => store.listNotificationAccounts({ keyword, ...range })),
  ]);
  await migration.query("BEGIN; LOCK TABLE chat.seat IN ACCESS EXCLUSIVE MODE");
  const ended: string[] = [];
  const failures = Promise.allSettled([
    store.listGroupMembers({ groupID: "r1", keyword: "", ...range }),
    store.listJoinedGroups({ userID: "u1", ...range }),
  ]).finally(() => ended.push("members"));
  // A changed user is looked up in his rows.
  await server.pool.query(
    "UPDATE chat.person SET name = 'Anna' WHERE id = 'u1'; INSERT INTO chat.block VALUES ('u1', 'u3')",
  );
  const others = await Promise.all([
    store.listBlacks({ ownerUserID: "u1", ...range }),
    ...["", "anna"].map((keyword) => store.listNotificationAccounts({ keyword, ...range })),
  ]);
  ended.push("others");
  expect(others.map((page) => page?.total)).toEqual([2, 1, 1]);
  expect((await failures).map((outcome) => outcome.status === "rejected" && outcome.reason.code)).toEqual([
    "55P03",
    "55P03",
  ]);
  expect(ended).toEqual(["others", "members"]);
  await migration.query("ROLLBACK");
  expect((await store.listGroupMembers({ groupID: "r1", keyword: "", ...range }))?.total).toBe(1);
});
