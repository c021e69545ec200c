import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { recordFields, recordKeys } from "../../../src/records.js";
import { openSqliteStore } from "../../../src/stores/drivers/sqlite.js";
import { temporaryFolder } from "../../helpers/stores.js";

describe("the tables, to whoever writes them with SQL of their own", () => {
  let server: BetterSqlite3.Database;
  beforeEach(async () => {
    const path = join(temporaryFolder(), "im.db");
    await openSqliteStore({ path }).close();
    server = new BetterSqlite3(path);
    onTestFinished(() => void server.close());
    server.exec("INSERT INTO groupMembers (groupID, userID) VALUES ('g1', 'u1')");
  });

  it.each(Object.keys(recordKeys) as (keyof typeof recordKeys)[])(
    "%s has the fields of its records, and their key",
    (table) => {
      const columns = server.prepare(`SELECT name FROM pragma_table_info('${table}') WHERE name <> 'id'`);
      const key = server.prepare(`SELECT key.name FROM pragma_index_list('${table}') AS list
        JOIN pragma_index_info(list.name) AS key WHERE list."unique" ORDER BY key.seqno`);
      expect(columns.pluck().all()).toStrictEqual(recordFields[table].map(([field]) => field));
      expect(key.pluck().all()).toStrictEqual(recordKeys[table]);
    },
  );

  it.each([
    ["users", "userID", "''"],
    ["users", "userID", "NULL"],
    ["users", "userID", "x'00'"],
    ["users", "appMangerLevel", "'three'"],
    ["users", "nickname", "NULL"],
    ["groups", "groupID", "''"],
    ["groups", "createTime", "-1"],
    ["groupMembers", "id", "0"],
    ["groupMembers", "id", "4294967296"],
    ["groupMembers", "id", "'one'"],
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
    const row = Object.fromEntries(recordKeys[table].map((key) => [key, "'x'"]));
    const columns = { ...row, [column]: value };
    const insert = `INSERT INTO ${table} (${Object.keys(columns)}) VALUES (${Object.values(columns)})`;
    expect(() => server.exec(insert)).toThrow(/constraint failed|cannot store|datatype mismatch/);
  });

  it.each(
    Object.entries(recordFields).flatMap(([table, fields]) =>
      fields
        .filter(([, kind]) => typeof kind.otherwise !== "number" && typeof kind.otherwise !== "boolean")
        .map(([field]) => [table, field] as const),
    ),
  )("%s refuses U+0000 in %s, at whichever end", (table, field) => {
    const row = Object.fromEntries(recordKeys[table as keyof typeof recordKeys].map((key) => [key, "'x'"]));
    for (const value of ["char(0)", "'a' || char(0)", "char(0) || 'a'", "'a' || char(0) || 'b'"]) {
      const columns = { ...row, [field]: value };
      const insert = `INSERT INTO ${table} (${Object.keys(columns)}) VALUES (${Object.values(columns)})`;
      expect(() => server.exec(insert)).toThrow("CHECK constraint failed");
    }
  });

  it("refuse an update as they refuse an insert", () => {
    expect(() => server.exec("UPDATE groupMembers SET roleLevel = 1000")).toThrow("CHECK constraint failed");
    expect(() => server.exec("UPDATE groupMembers SET userID = ''")).toThrow("CHECK constraint failed");
  });
});
