/** The database that people make who keep nothing for their lists but indexes. */
import BetterSqlite3 from "better-sqlite3";
import { checkedRecords } from "../src/checkedRecords.js";
import { type RecordName, type RecordSet, recordFields } from "../src/records.js";
import { recordTables } from "../src/stores/sqlite/records/tables.js";

/** An index for each list: in its order, and with all columns that skipping and counting rows need. */
export const plainIndexes: Readonly<Partial<Record<RecordName, readonly string[]>>> = {
  users: ["CREATE INDEX usersNotifying ON users (userID, appMangerLevel) WHERE appMangerLevel >= 3"],
  groupMembers: [
    "CREATE INDEX groupMembersByRole ON groupMembers (groupID, roleLevel DESC, joinTime, userID)",
    "CREATE INDEX groupMembersByUser ON groupMembers (userID, joinTime DESC, groupID)",
    "CREATE INDEX groupMembersOfManagers ON groupMembers (userID, groupID) WHERE roleLevel IN (60, 100)",
  ],
  blacks: ["CREATE INDEX blacksByTime ON blacks (ownerUserID, createTime DESC, blackUserID)"],
  groupRequests: [
    "CREATE INDEX groupRequestsByTime ON groupRequests (groupID, reqTime DESC, userID)",
    "CREATE INDEX groupRequestsByResult ON groupRequests (groupID, handleResult, reqTime DESC, userID)",
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
  return `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`;
}
