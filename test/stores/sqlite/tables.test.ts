import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { beforeAll, describe, expect, it } from "vitest";
import { type RecordName, recordFields, recordKeys, recordNames } from "../../../src/records.js";
import { openSqliteStore } from "../../../src/stores/drivers/sqlite.js";
import { snakeCase } from "../../../src/stores/snakeCase.js";
import { ourName } from "../../../src/stores/sqlite/sql.js";

describe("the tables, for a host that writes them with SQL of its own", () => {
  let server: BetterSqlite3.Database;
  beforeAll(async () => {
    const path = join(mkdtempSync(join(tmpdir(), "im-admin-")), "im.db");
    await openSqliteStore({ path }).close();
    server = new BetterSqlite3(path);
    server.exec("INSERT INTO im_admin_group_members (group_id, user_id) VALUES ('g1', 'u1')");
    return () => {
      server.close();
      rmSync(dirname(path), { recursive: true });
    };
  });

  /** Inserts a row whose keys are 'x', but for one column. */
  function insert(table: RecordName, column: string, value: string): void {
    const columns = { ...Object.fromEntries(recordKeys[table].map((key) => [key, "'x'"])), [column]: value };
    server.exec(
      `INSERT INTO ${ourName(table)} (${Object.keys(columns).map(snakeCase)}) VALUES (${Object.values(columns)})`,
    );
  }

  it.each(recordNames)("%s has the fields of its records, and their key", (table) => {
    const columns = server.prepare(`SELECT name FROM pragma_table_info('${ourName(table)}') WHERE name <> 'id'`);
    const key = server.prepare(`SELECT key.name FROM pragma_index_list('${ourName(table)}') AS list
        JOIN pragma_index_info(list.name) AS key WHERE list."unique" ORDER BY key.seqno`);
    expect(columns.pluck().all()).toStrictEqual(recordFields[table].map(([field]) => snakeCase(field)));
    expect(key.pluck().all()).toStrictEqual(recordKeys[table].map(snakeCase));
  });

  it.each([
    ["users", "userID", "''"],
    ["users", "userID", "NULL"],
    ["users", "userID", "x'00'"],
    ["users", "appMangerLevel", "'three'"],
    ["users", "nickname", "NULL"],
    ["groups", "groupID", "''"],
    ["groups", "createTime", "-1"],
    ["groupRequests", "handleResult", "2147483648"],
    ["users", "appMangerLevel", "-2147483649"],
    ["groupMembers", "roleLevel", "1000"],
    ["groupMembers", "roleLevel", "-1"],
    ["groupMembers", "joinTime", "10000000000000000"],
    ["blacks", "createTime", "1.5"],
    ["groupRequests", "reqTime", "'2024-01-01'"],
    ["conversations", "isPinned", "2"],
    ["conversations", "isPrivateChat", "'true'"],
  ] as const)("%s refuses %s = %s", (table, column, value) => {
    expect(() => insert(table, column, value)).toThrow(/constraint failed|cannot store|datatype mismatch/);
  });

  it.each(
    Object.entries(recordFields).flatMap(([table, fields]) =>
      fields
        .filter(([, kind]) => typeof kind.otherwise !== "number" && typeof kind.otherwise !== "boolean")
        .map(([field]) => [table, field] as const),
    ),
  )("%s refuses U+0000 in %s, at whichever end", (table, field) => {
    for (const value of ["char(0)", "'a' || char(0)", "char(0) || 'a'", "'a' || char(0) || 'b'"]) {
      expect(() => insert(table as RecordName, field, value)).toThrow("CHECK constraint failed");
    }
  });

  it("refuse an update as they refuse an insert", () => {
    expect(() => server.exec("UPDATE im_admin_group_members SET role_level = 1000")).toThrow("CHECK constraint failed");
    expect(() => server.exec("UPDATE im_admin_group_members SET user_id = ''")).toThrow("CHECK constraint failed");
  });
});
