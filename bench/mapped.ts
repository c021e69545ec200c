/** A host whose tables are like im-admin's, and the lists over them. */
import { copyFileSync } from "node:fs";
import { forEachKind, recordFields, recordKeys, recordNames } from "../src/records.js";
import { openSqliteStore } from "../src/stores/drivers/sqlite.js";
import { snakeCase } from "../src/stores/snakeCase.js";
import { ourName } from "../src/stores/sqlite/sql.js";
import { type TableMap, tablesSql } from "../src/stores/tablesSql.js";
import { openConnection, plainIndexes } from "./plain.js";

/** The map of tables that are called as the records, with something before it. */
export function mapOf(prefix: string): TableMap {
  return forEachKind((record) => {
    const own = (fields: readonly string[]) => Object.fromEntries(fields.map((field) => [field, snakeCase(field)]));
    const fields = recordFields[record].map(([field]) => field);
    const keys = recordKeys[record].length;
    return { from: prefix + snakeCase(record), key: own(fields.slice(0, keys)), fields: own(fields.slice(keys)) };
  }) as TableMap;
}

/** A statement with a host's names of the tables. */
export function hostText(text: string): string {
  return text.replaceAll("im_admin_", "host_");
}

/** The indexes of lists that a host needs for pages by OFFSET, and does not need with im-admin. */
const offsetIndexes = Object.values(plainIndexes).flat();

export function dropOffsetIndexes(connection: ReturnType<typeof openConnection>): void {
  for (const index of offsetIndexes) connection.exec(`DROP INDEX ${/CREATE INDEX (\w+)/.exec(index)?.[1]}`);
}

export function createOffsetIndexes(connection: ReturnType<typeof openConnection>): void {
  connection.exec(["BEGIN", ...offsetIndexes, "COMMIT"].join(";"));
}

/** Makes the file of a host out of a plain one. */
export async function buildHost(path: string, plain: string): Promise<void> {
  copyFileSync(plain, path);
  const connection = openConnection(path);
  dropOffsetIndexes(connection);
  for (const record of recordNames) {
    connection.exec(`ALTER TABLE ${ourName(record)} RENAME TO ${hostText(ourName(record))}`);
  }
  // A host asks in any case whose groups they are.
  connection.exec("CREATE INDEX host_groups_of_user ON host_group_members (user_id)");
  connection.close();
  await openSqliteStore({ path, adopt: true }).close();
}

/** Puts the lists over the tables of a host. */
export function installOverHost(path: string, map = mapOf("host_")): void {
  const connection = openConnection(path);
  const { install } = tablesSql(map, { engine: "sqlite" });
  connection.exec(["BEGIN;", ...install, "COMMIT"].join("\n"));
  connection.close();
}
