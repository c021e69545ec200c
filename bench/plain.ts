/** A database that has only indexes for its lists. */
import BetterSqlite3 from "better-sqlite3";
import { checkedRecords } from "../src/checkedRecords.js";
import { type RecordName, type RecordSet, recordFields } from "../src/records.js";
import { snakeCase } from "../src/stores/snakeCase.js";
import { recordTables } from "../src/stores/sqlite/schema/recordTables.js";
import { ourName } from "../src/stores/sqlite/sql.js";

/** An index for each list: in its order, and with all columns that skipping and counting rows need. */
export const plainIndexes: Readonly<Partial<Record<RecordName, readonly string[]>>> = {
  users: ["CREATE INDEX users_notifying ON im_admin_users (user_id, app_manger_level) WHERE app_manger_level >= 3"],
  groupMembers: [
    "CREATE INDEX group_members_by_role ON im_admin_group_members (group_id, role_level DESC, join_time, user_id)",
    "CREATE INDEX group_members_by_user ON im_admin_group_members (user_id, join_time DESC, group_id)",
    "CREATE INDEX group_members_of_managers ON im_admin_group_members (user_id, group_id) WHERE role_level IN (60, 100)",
  ],
  blacks: ["CREATE INDEX blacks_by_time ON im_admin_blacks (owner_user_id, create_time DESC, black_user_id)"],
  groupRequests: [
    "CREATE INDEX group_requests_by_time ON im_admin_group_requests (group_id, req_time DESC, user_id)",
    "CREATE INDEX group_requests_by_result ON im_admin_group_requests (group_id, handle_result, req_time DESC, user_id)",
  ],
};

/** Opens a file with the same settings as im-admin does. */
export function openConnection(path: string): BetterSqlite3.Database {
  const connection = new BetterSqlite3(path);
  connection.pragma("journal_mode = WAL");
  connection.pragma("synchronous = FULL");
  connection.pragma("temp_store = MEMORY");
  connection.pragma("cache_size = -65536");
  return connection;
}

/** Makes a database of records, in the same tables as im-admin's; indexes come last, which is faster. */
export function buildPlain(path: string, records: RecordSet): void {
  const connection = openConnection(path);
  connection.transaction(() => {
    for (const table of Object.values(recordTables)) connection.exec(table.sql.text);
    const inserts = new Map<RecordName, BetterSqlite3.Statement>();
    for (const [name, values] of checkedRecords(records)) {
      const columns = recordFields[name].map(([field]) => field);
      const insert = inserts.get(name) ?? connection.prepare(insertText(name, columns));
      inserts.set(name, insert);
      insert.run(values);
    }
    for (const statement of Object.values(plainIndexes).flat()) connection.exec(statement);
  })();
  connection.close();
}

export function insertText(table: RecordName, columns: readonly string[]): string {
  return `INSERT INTO ${ourName(table)} (${columns.map(snakeCase).join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`;
}
