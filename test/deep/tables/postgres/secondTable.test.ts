/** Two transactions write a user and the user's name in a second table, and do not see each other. */
import { expect, it } from "vitest";
import { createPostgresStore } from "../../../../src/stores/postgres/index.js";
import { quoted } from "../../../../src/stores/postgres/sql.js";
import { installMap } from "../../../../src/stores/postgres/upkeep/installMap.js";
import { chatMap, makeChatHost } from "../../../helpers/postgres/chatHost.js";
import { postgresForFile } from "../../../helpers/postgres/server.js";
import { connect, migrateSmall, problemsOf, settle } from "../../../helpers/postgres/sessions.js";

const server = postgresForFile(async (pool) => {
  await migrateSmall(pool);
  await makeChatHost(pool);
  await pool.query(`
    INSERT INTO chat.groups VALUES ('g1');
    INSERT INTO chat.group_members (group_id, user_id) SELECT 'g1', 'u' || n FROM generate_series(0, 29) n;
    INSERT INTO chat.users (user_id) VALUES ('u8')`);
});

const user = "INSERT INTO chat.users (user_id) VALUES ('u9')";
const name = "INSERT INTO chat.names VALUES ('u9', 'Ann')";
const gone = "DELETE FROM chat.users WHERE user_id = 'u8'";
const lateName = "INSERT INTO chat.names VALUES ('u8', 'Ann')";

it.each<[string, first: string, second: string, found: number]>([
  ["the user comes first", user, name, 1],
  ["the name comes first", name, user, 1],
  ["a user without a name goes after the name has come", lateName, gone, 0],
  ["a user without a name goes before the name comes", gone, lateName, 0],
])("finds members by the name that they have in the end: %s", async (_, first, second, found) => {
  await server.pool.query("DELETE FROM chat.names; DELETE FROM chat.users WHERE user_id = 'u9'");
  await server.pool.query("INSERT INTO chat.users (user_id) VALUES ('u8') ON CONFLICT DO NOTHING");
  await settle(server.pool);
  const [one, two] = [await connect(server.pool), await connect(server.pool)];
  await one.query(`BEGIN; ${first}`);
  await two.query(`BEGIN; ${second}`);
  await one.query("COMMIT");
  await settle(server.pool);
  await two.query("COMMIT");
  await settle(server.pool);
  const store = createPostgresStore({ pool: server.pool });
  const page = await store.listGroupMembers({ groupID: "g1", keyword: "ann", offset: 0, limit: 9 });
  expect([page?.total, await problemsOf(server.pool)]).toEqual([found, []]);
});

it("installs a map with a second table on which no list depends", async () => {
  await server.pool.query("CREATE TABLE chat.reasons (owner text, reason text)");
  const also = [{ table: "chat.reasons", key: { ownerUserID: "owner" } }];
  await installMap(server.pool, quoted("im_admin"), { ...chatMap, blacks: { ...chatMap.blacks, also } });
  await server.pool.query("INSERT INTO chat.reasons VALUES ('u1', 'spam')");
  expect(await problemsOf(server.pool)).toEqual([]);
});
