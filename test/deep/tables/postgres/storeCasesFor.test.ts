/** The store cases over tables of a host's own, whose users have uuids and whose groups have numbers. */
import { describe, expect, it } from "vitest";
import { keyFields, type RecordName, recordFields, recordNames } from "../../../../src/records.js";
import { createPostgresStore, migratePostgres } from "../../../../src/stores/postgres/index.js";
import { columnTypes } from "../../../../src/stores/postgres/schema/recordTables.js";
import { quoted } from "../../../../src/stores/postgres/sql.js";
import { installMap } from "../../../../src/stores/postgres/upkeep/installMap.js";
import { snakeCase } from "../../../../src/stores/snakeCase.js";
import { defineTables, type TableMap } from "../../../../src/stores/tablesSql.js";
import { type OpenStore, storeCasesFor } from "../../../../src/testing/index.js";
import { number, uuid } from "../../../helpers/hostIDs.js";
import { postgresForFile } from "../../../helpers/postgres/server.js";

/** The type of a host's column. */
function typeOf(table: RecordName, field: string, kind: keyof typeof columnTypes): string {
  const isNamed = keyFields[table].some(([key]) => key === field) || table === "conversations";
  if (isNamed && /userID$/i.test(field)) return "uuid";
  if (isNamed && field === "groupID") return "bigint";
  return columnTypes[kind];
}

const server = postgresForFile(async (pool) => {
  await migratePostgres(pool);
  await pool.query("CREATE SCHEMA chat");
  for (const table of recordNames) {
    const columns = recordFields[table].map(([field, { name }]) => `${snakeCase(field)} ${typeOf(table, field, name)}`);
    const key = keyFields[table].map(([field]) => snakeCase(field)).join(", ");
    await pool.query(`CREATE TABLE chat.${snakeCase(table)} (${columns.join(", ")}, PRIMARY KEY (${key}))`);
  }
  await pool.query("CREATE INDEX ON chat.group_members (user_id)");
  const mapped = recordNames.map((table) => {
    const own = (fields: typeof recordFields.users) => fields.map(([field]) => [field, snakeCase(field)] as const);
    const keys = keyFields[table];
    const fields = Object.fromEntries(own(recordFields[table].slice(keys.length)));
    return [table, { from: `chat.${snakeCase(table)}`, key: Object.fromEntries(own(keys)), fields }];
  });
  await installMap(pool, quoted("im_admin"), defineTables(Object.fromEntries(mapped) as TableMap));
});

/** Writes records by the host's own SQL: what a record does not tell is NULL. */
async function write(kind: string, records: readonly object[]): Promise<void> {
  const table = kind as RecordName;
  const keys = keyFields[table].map(([field]) => snakeCase(field));
  const columns = recordFields[table].map(([field]) => snakeCase(field));
  const values = recordFields[table].map(([field, { name }]) => {
    const value = `given ->> '${field}'`;
    return typeOf(table, field, name) === "text" ? value : `nullif(${value}, '')::${typeOf(table, field, name)}`;
  });
  const replaced = columns.slice(keys.length).map((column) => `${column} = excluded.${column}`);
  await server.pool.query(
    `INSERT INTO chat.${snakeCase(table)} (${columns.join(", ")})
      SELECT DISTINCT ON (${keyFields[table].map(([field]) => `given ->> '${field}'`).join(", ")}) ${values.join(", ")}
        FROM json_array_elements($1::json) WITH ORDINALITY given_records (given, place)
        ORDER BY ${keyFields[table].map(([field]) => `given ->> '${field}'`).join(", ")}, place DESC
      ON CONFLICT (${keys.join(", ")}) DO UPDATE SET ${replaced.join(", ")}`,
    [JSON.stringify(records)],
  );
}

async function erase(kind: string, records: readonly object[]): Promise<void> {
  const table = kind as RecordName;
  const isSame = keyFields[table].map(
    ([field, { name }]) => `stored.${snakeCase(field)} = (given ->> '${field}')::${typeOf(table, field, name)}`,
  );
  await server.pool.query(
    `DELETE FROM chat.${snakeCase(table)} stored USING json_array_elements($1::json) given WHERE ${isSame.join(" AND ")}`,
    [JSON.stringify(records)],
  );
}

const open: OpenStore = async (records) => {
  await server.pool.query(`TRUNCATE ${recordNames.map((table) => `chat.${snakeCase(table)}`).join(", ")}`);
  const store = {
    ...createPostgresStore({ pool: server.pool }),
    async put(given: object) {
      for (const [kind, ofKind] of Object.entries(given)) await write(kind, ofKind);
    },
    async remove(given: object) {
      for (const [kind, ofKind] of Object.entries(given)) await erase(kind, ofKind);
    },
  };
  await store.put(records);
  return store;
};

describe("over tables of a host's own", () => {
  const cases = Object.entries(storeCasesFor({ userID: uuid, groupID: number }));

  it("there are all cases", () => expect(cases.length).toBeGreaterThan(50));

  it.each(cases)("%s", (_, check) => check(open));
});
