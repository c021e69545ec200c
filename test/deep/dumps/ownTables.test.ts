/** The dumps of docs/own-tables.md, by the programs that come with PostgreSQL. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { createPostgresStore, migratePostgres } from "../../../src/stores/postgres/index.js";
import { quoted } from "../../../src/stores/postgres/sql.js";
import { installMap } from "../../../src/stores/postgres/upkeep/installMap.js";
import { runCommands } from "../../helpers/docs/commands.js";
import { blockIn } from "../../helpers/docs/pages.js";
import { type PostgresServer, startPostgres } from "../../helpers/postgres/server.js";
import { problemsOf, settle } from "../../helpers/postgres/sessions.js";

const map = {
  users: { from: "chat.person", key: { userID: "id" }, fields: { nickname: "name" } },
  groups: { from: "chat.room", key: { groupID: "id" } },
  groupMembers: { from: "chat.membership", key: { groupID: "room", userID: "person" } },
};

let server: PostgresServer;
let copy: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
  await migratePostgres(server.pool);
  await server.pool.query(`
    CREATE SCHEMA chat;
    CREATE TABLE chat.person (id text PRIMARY KEY, name text);
    CREATE TABLE chat.room (id text PRIMARY KEY);
    INSERT INTO chat.room VALUES ('r');
    CREATE TABLE chat.membership (room text REFERENCES chat.room, person text REFERENCES chat.person, PRIMARY KEY (room, person));
    CREATE INDEX ON chat.membership (person);
    INSERT INTO chat.person SELECT 'u' || n, 'Name ' || n FROM generate_series(1, 500) n;
    INSERT INTO chat.membership SELECT 'r', id FROM chat.person`);
  await installMap(server.pool, quoted("im_admin"), map);
  await settle(server.pool);
  await server.pool.query("DELETE FROM chat.membership WHERE person = 'u7'");
});
afterAll(() => server.stop());

/** Runs a block of the page with the two databases. */
function run(block: string) {
  const files = { "tables.mjs": `export default ${JSON.stringify(map)};` };
  return runCommands(block, { DATABASE_URL: server.url, COPY_URL: copy.url }, files);
}

it.each([
  ["the whole database", "all.dump"],
  ["the host's schema alone", "--use-list"],
])("restores a dump of %s, whose lists are right and follow writes", async (_, part) => {
  copy = await startPostgres();
  try {
    expect(run(blockIn("docs/own-tables.md", part))).toMatchObject({ status: 0 });
    const store = createPostgresStore({ pool: copy.pool, settle: false });
    const total = async (keyword: string) =>
      (await store.listGroupMembers({ groupID: "r", keyword, offset: 0, limit: 1 }))?.total;
    expect([await total(""), await total("name 49")]).toEqual([499, 11]);
    await copy.pool.query("DELETE FROM chat.membership WHERE person = 'u490'");
    expect([await total(""), await total("name 49")]).toEqual([498, 10]);
    await settle(copy.pool);
    expect([await total(""), await total("name 49"), await problemsOf(copy.pool)]).toEqual([498, 10, []]);
  } finally {
    await copy.stop();
  }
});

it("says the sentence of the page where the triggers are not left out", async () => {
  copy = await startPostgres();
  try {
    const { stderr } = run(blockIn("docs/own-tables.md", "--use-list").replace("--use-list=chat.list ", ""));
    expect(stderr).toContain('schema "im_admin" does not exist');
  } finally {
    await copy.stop();
  }
});
