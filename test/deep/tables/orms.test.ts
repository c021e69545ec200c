/** Object-relational mappers run their own migrations over mapped tables. After each, the lists are compared with the rows. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import type { Store } from "../../../src/index.js";
import { openSqliteStore } from "../../../src/stores/drivers/sqlite.js";
import { createPostgresStore, migratePostgres } from "../../../src/stores/postgres/index.js";
import { quoted } from "../../../src/stores/postgres/sql.js";
import { installMap as installInPostgres } from "../../../src/stores/postgres/upkeep/installMap.js";
import { installMap } from "../../../src/stores/sqlite/upkeep/installMap.js";
import type { TableMap } from "../../../src/stores/tablesSql.js";
import { imAdmin } from "../../helpers/cliProcess.js";
import { startPostgres } from "../../helpers/postgres/server.js";
import { problemsOf, settle } from "../../helpers/postgres/sessions.js";
import { openSqliteDatabase, temporaryFolder } from "../../helpers/stores.js";
import { drizzle } from "../helpers/orms/drizzle.js";
import type { Orm, Target } from "../helpers/orms/host.js";
import { knex } from "../helpers/orms/knex.js";
import { prisma } from "../helpers/orms/prisma.js";
import { sequelize } from "../helpers/orms/sequelize.js";
import { typeorm } from "../helpers/orms/typeorm.js";

const orms: Readonly<Record<string, (target: Target) => Orm>> = {
  Sequelize: sequelize,
  Knex: knex,
  Drizzle: drizzle,
  Prisma: prisma,
  TypeORM: typeorm,
};

function mapOf(schema: string): TableMap {
  return {
    users: { from: `${schema}person`, key: { userID: "id" }, fields: { nickname: "name", appMangerLevel: "level" } },
    groups: { from: `${schema}room`, key: { groupID: "id" } },
    groupMembers: {
      from: `${schema}membership`,
      key: { groupID: "room_id", userID: "person_id" },
      fields: { roleLevel: "CASE role WHEN 'owner' THEN 100 ELSE 20 END", joinTime: "joined_at" },
    },
  };
}

/** A database of a host: how it is queried, how a map is installed and checked, and a store over it. */
interface Host {
  target: Target;
  query(sql: string): Promise<Record<string, unknown>[]>;
  install(): Promise<unknown>;
  store: Store;
  problems(): Promise<unknown>;
}

async function openHost(engine: Target["engine"]): Promise<Host> {
  const folder = join(temporaryFolder(), "orm");
  mkdirSync(folder);
  if (engine === "sqlite") {
    const place = join(folder, "host.db");
    const host = new BetterSqlite3(place);
    const database = openSqliteDatabase({ path: place, adopt: true });
    const store = openSqliteStore({ path: place });
    onTestFinished(async () => {
      host.close();
      await store.close();
      await database.close();
    });
    return {
      target: { engine, place, folder },
      query: async (sql) => {
        if (!/^SELECT/.test(sql)) return host.exec(sql) && [];
        return host.prepare(sql).all() as Record<string, unknown>[];
      },
      install: () => installMap(database, mapOf("")),
      store,
      problems: async () => (await imAdmin(["check", "--db", place])).status,
    };
  }
  const server = await startPostgres({ search_path: "chat" });
  onTestFinished(() => server.stop());
  await server.pool.query("CREATE SCHEMA chat");
  await migratePostgres(server.pool);
  return {
    target: { engine, place: server.url, folder },
    query: async (sql) => (await server.pool.query(sql)).rows,
    install: () => installInPostgres(server.pool, quoted("im_admin"), mapOf("chat.")),
    store: createPostgresStore({ pool: server.pool, settle: false }),
    problems: async () => {
      await settle(server.pool);
      return (await problemsOf(server.pool)).length;
    },
  };
}

const fill = `
  INSERT INTO room (id) VALUES ('a'), ('b');
  INSERT INTO person (id, name, level) VALUES (1, 'Ann', 1), (2, 'Bob', 3), (3, 'Cid', 3), (10, 'Dan', 1);
  INSERT INTO membership (room_id, person_id, role, joined_at)
    VALUES ('a', 1, 'owner', 5), ('a', 2, NULL, 1), ('a', 3, NULL, 1), ('b', 10, 'owner', 2)`;

/** What the host writes after a migration. */
const writes = (number: number) => `
  INSERT INTO person (id, name, level) VALUES (${number}, 'Ann ${number}', ${number % 5});
  INSERT INTO membership (room_id, person_id, role, joined_at) VALUES ('a', ${number}, NULL, ${number % 7}), ('b', ${number}, 'owner', 1);
  UPDATE membership SET role = 'owner' WHERE room_id = 'a' AND person_id % 4 = ${number % 4};
  UPDATE person SET name = 'Name ${number}' WHERE id = 2;
  DELETE FROM membership WHERE room_id = 'b' AND person_id = ${number - 1}`;

const page = { offset: 0, limit: 1000 };

async function answers(store: Store) {
  const members = async (groupID: string, keyword: string) =>
    (await store.listGroupMembers({ groupID, keyword, ...page }))?.items.map(
      ({ userID, nickname }) => `${userID} ${nickname}`,
    );
  const accounts = await store.listNotificationAccounts({ keyword: "", ...page });
  const joined = await store.listJoinedGroups({ userID: "2", ...page });
  return [
    await members("a", ""),
    await members("b", ""),
    await members("a", "ann"),
    accounts.items.map(({ userID }) => userID),
    joined?.items.map(({ groupID, memberCount }) => `${groupID} ${memberCount}`),
  ];
}

async function rows(query: Host["query"], engine: Target["engine"]) {
  const text = `CAST(person.id AS TEXT)${engine === "sqlite" ? "" : ' COLLATE "C"'}`;
  const members = async (room: string, condition = "true") => {
    const found = await query(`SELECT person_id, name FROM membership JOIN person ON person.id = person_id
      WHERE room_id = '${room}' AND ${condition} ORDER BY coalesce(role, '') <> 'owner', joined_at, ${text}`);
    return found.map(({ person_id, name }) => `${person_id} ${name}`);
  };
  const accounts = await query(`SELECT ${text} AS id FROM person WHERE level >= 3 ORDER BY 1`);
  const [{ count } = {}] = await query("SELECT count(*) AS count FROM membership WHERE room_id = 'a'");
  return [
    await members("a"),
    await members("b"),
    await members("a", "lower(name) LIKE '%ann%'"),
    accounts.map(({ id }) => id),
    [`a ${count}`],
  ];
}

it.each(
  Object.keys(orms).flatMap((name) => (["sqlite", "postgres"] as const).map((engine) => [name, engine] as const)),
)("%s migrates mapped tables in %s, and the lists follow", async (name, engine) => {
  const { target, query, install, store, problems } = await openHost(engine);
  const orm = orms[name]?.(target);
  if (orm === undefined) throw new Error(`there is no ${name}`);
  try {
    await orm.create();
    await query(fill);
    await install();
    let number = 100;
    for (const [what, migrate] of orm.migrations) {
      await migrate();
      expect([what, await answers(store)]).toEqual([what, await rows(query, engine)]);
      number += 1;
      await query(writes(number));
      expect([what, await answers(store)]).toEqual([what, await rows(query, engine)]);
    }
  } finally {
    await orm.close();
  }
  expect(await problems()).toBe(0);
});
