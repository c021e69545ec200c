/** Times in seconds would be read as days of January 1970. */
import { expect, it } from "vitest";
import { migratePostgres } from "../../src/stores/postgres/index.js";
import { quoted } from "../../src/stores/postgres/sql.js";
import * as postgres from "../../src/stores/postgres/upkeep/installMap.js";
import * as sqlite from "../../src/stores/sqlite/upkeep/installMap.js";
import type { TableMap } from "../../src/stores/tablesSql.js";
import { openHostFile } from "../helpers/mappedFile.js";
import { postgresForFile } from "../helpers/postgres/server.js";

const tables = (schema: string) => `
  CREATE TABLE ${schema}member (room text, person text, joined bigint, PRIMARY KEY (room, person));
  INSERT INTO ${schema}member VALUES ('r', 'ann', 1790000000), ('r', 'bob', 1790000001), ('r', 'eve', 0)`;

const map = (from: string, joinTime: string): TableMap => ({
  groupMembers: { from, key: { groupID: "room", userID: "person" }, fields: { joinTime } },
});

const told = {
  kind: "note",
  problem: "groupMembers.joinTime: all times of member lie before 1980. Are they in milliseconds?",
  count: 2,
  examples: ["1790000001"],
};

const server = postgresForFile(async (pool) => {
  await migratePostgres(pool);
  await pool.query(`CREATE SCHEMA chat; ${tables("chat.")}; CREATE INDEX ON chat.member (person)`);
});

it.each(["member", "(SELECT * FROM member) AS member"])("SQLite says so of %s", async (from) => {
  const { database, install } = openHostFile(tables(""));
  const also = { also: [{ table: "member", key: { groupID: "room", userID: "person" } }] };
  const given = (joinTime: string): TableMap => ({
    groupMembers: { ...(map(from, joinTime).groupMembers as object), ...(from === "member" ? {} : also) } as never,
  });
  await install(given("joined"));
  expect(await sqlite.checkMap(database)).toEqual([told]);
  await install(given("joined * 1000"));
  expect(await sqlite.checkMap(database)).toEqual([]);
});

it("PostgreSQL says so", async () => {
  const schema = quoted("im_admin");
  await postgres.installMap(server.pool, schema, map("chat.member", "joined"));
  const problem = told.problem.replace("member lie", "chat.member lie");
  expect(await postgres.checkMap(server.pool, schema)).toEqual([{ ...told, problem }]);
  await postgres.installMap(server.pool, schema, map("chat.member", "joined * 1000"));
  expect(await postgres.checkMap(server.pool, schema)).toEqual([]);
});
