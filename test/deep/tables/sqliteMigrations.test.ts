/** A host changes its mapped tables as its migrations do, while im-admin reads. */
import { expect, it, onTestFinished, vi } from "vitest";
import { openSqliteStore } from "../../../src/stores/drivers/sqlite.js";
import { defaultSizes } from "../../../src/stores/sqlite/schema/sizes.js";
import { checkLists } from "../../../src/stores/sqlite/upkeep/checkAll.js";
import { randomOf, rounds, seed } from "../../helpers/chance.js";
import { openMappedFile } from "../../helpers/mappedFile.js";
import { openSqliteDatabase } from "../../helpers/stores.js";

const map = {
  users: { from: "people", key: { userID: "id" }, fields: { nickname: "name", appMangerLevel: "level" } },
  groups: { from: "rooms", key: { groupID: "id" } },
  groupMembers: {
    from: "members",
    key: { groupID: "room", userID: "person" },
    where: "left_at IS NULL",
    fields: { roleLevel: "role", joinTime: "joined" },
  },
} as const;

const definitions = {
  people: "(id TEXT PRIMARY KEY, name TEXT, level INTEGER)",
  members: "(room TEXT, person TEXT, role INTEGER, joined INTEGER, left_at TEXT, PRIMARY KEY (room, person))",
};

type Table = keyof typeof definitions;

/** The ways in which a migration makes a table again. `columns` are those that are there. */
const rebuilds: ((table: Table, columns: string) => string)[] = [
  (table, columns) => `
    CREATE TABLE new_${table} ${definitions[table]};
    INSERT INTO new_${table} (${columns}) SELECT ${columns} FROM ${table};
    DROP TABLE ${table};
    ALTER TABLE new_${table} RENAME TO ${table}`,
  (table, columns) => `
    ALTER TABLE ${table} RENAME TO old_${table};
    CREATE TABLE ${table} ${definitions[table]};
    INSERT INTO ${table} (${columns}) SELECT ${columns} FROM old_${table};
    DROP TABLE old_${table}`,
  (table, columns) => `
    CREATE TEMP TABLE kept AS SELECT ${columns} FROM ${table};
    DROP TABLE ${table};
    CREATE TABLE ${table} ${definitions[table]};
    INSERT INTO ${table} (${columns}) SELECT ${columns} FROM kept;
    DROP TABLE kept`,
];

it("is right at each call through a thousand migrations", { timeout: 600_000 }, async () => {
  const random = randomOf(seed);
  const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
  onTestFinished(() => warned.mockRestore());
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)] as Value;
  const { path, host } = await openMappedFile(
    `CREATE TABLE people ${definitions.people};
      CREATE TABLE rooms (id TEXT PRIMARY KEY);
      CREATE TABLE members ${definitions.members};
      CREATE TABLE other (id INTEGER PRIMARY KEY);
      INSERT INTO rooms VALUES ('g'), ('h')`,
    map,
  );
  const store = openSqliteStore({ path });
  onTestFinished(() => store.close());
  let added = 0;

  const write = () => {
    const id = Math.floor(random() * 90);
    host.exec(
      pick([
        `INSERT OR REPLACE INTO people (id, name, level) VALUES ('u${id}', 'Name ${id}', ${id % 5})`,
        `INSERT OR REPLACE INTO members (room, person, role, joined) SELECT 'g', id, ${id}, ${id} FROM people`,
        `UPDATE members SET left_at = CASE WHEN left_at IS NULL THEN 'now' END WHERE person LIKE '%${id % 10}'`,
        `DELETE FROM people WHERE id LIKE 'u${id}%'`,
        `INSERT OR IGNORE INTO members (room, person) VALUES ('h', 'u${id}')`,
      ]),
    );
  };

  const migrate = () => {
    const table = pick(["people", "members"] as const);
    const columns = table === "people" ? "id, name, level" : "room, person, role, joined, left_at";
    host.pragma(`legacy_alter_table = ${pick(["ON", "OFF"])}`);
    const change = pick([
      () => `BEGIN; ${pick(rebuilds)(table, columns)}; COMMIT`,
      () => pick(rebuilds)(table, columns),
      () => `ALTER TABLE ${table} ADD COLUMN added_${added++} TEXT`,
      () => `CREATE INDEX index_${added++} ON ${table} (${columns})`,
      () => "ALTER TABLE other RENAME TO another; ALTER TABLE another RENAME TO other",
      () => `CREATE TRIGGER host_${added++} AFTER INSERT ON other BEGIN SELECT 1; END`,
      () => "VACUUM",
      () => {
        const names = host.prepare(`SELECT name FROM pragma_table_info('${table}') WHERE name LIKE 'added%'`).pluck();
        const name = names.get();
        return name === undefined ? "SELECT 1" : `ALTER TABLE ${table} DROP COLUMN ${name}`;
      },
    ]);
    host.exec(change());
  };

  const differences = async () => {
    const range = { offset: 0, limit: 1000 };
    const wrong: unknown[] = [];
    for (const room of ["g", "h"]) {
      const right = host
        .prepare(
          `SELECT person FROM members WHERE room = ? AND left_at IS NULL
            ORDER BY coalesce(role, 0) DESC, coalesce(joined, 0), person`,
        )
        .pluck()
        .all(room);
      const found = await store.listGroupMembers({ ...range, groupID: room, keyword: "" });
      const answered = found?.items.map(({ userID }) => userID);
      if (JSON.stringify(answered) !== JSON.stringify(right)) wrong.push([room, answered, right]);
    }
    const accounts = host.prepare("SELECT id FROM people WHERE level >= 3 ORDER BY id").pluck().all();
    const found = await store.listNotificationAccounts({ ...range, keyword: "" });
    const answered = found.items.map(({ userID }) => userID);
    if (JSON.stringify(answered) !== JSON.stringify(accounts)) wrong.push([answered, accounts]);
    return wrong;
  };

  for (let step = 0; step < rounds(1000); step += 1) {
    migrate();
    for (let writes = Math.floor(random() * 3); writes >= 0; writes -= 1) write();
    expect([step, await differences()]).toEqual([step, []]);
  }
  expect(warned).toHaveBeenCalled();
  const checked = openSqliteDatabase({ path });
  const findings = await checkLists(checked, defaultSizes);
  await checked.close();
  expect(findings.filter(({ kind }) => kind !== "note")).toEqual([]);
});
