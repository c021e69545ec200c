/** The database that people make who keep nothing for their lists but indexes. */
import BetterSqlite3 from "better-sqlite3";
import { checkedRecords, type RecordName, type RecordSet } from "../src/records.js";
import { tables } from "../src/stores/sql/tables.js";

/** The same tables as im-admin's, with the same checks. */
export const plainTables = tables.filter((statement) => statement.startsWith("CREATE TABLE"));

/** An index for each list: in its order, and with all columns that skipping and counting rows need. */
export const plainIndexes: Readonly<Partial<Record<RecordName, readonly string[]>>> = {
  users: ["CREATE INDEX usersNotification ON users (userID, appMangerLevel) WHERE appMangerLevel >= 3"],
  groupMembers: [
    "CREATE INDEX groupMembersInOrder ON groupMembers (groupID, roleLevel DESC, joinTime, userID)",
    "CREATE INDEX groupMembersJoined ON groupMembers (userID, joinTime DESC, groupID)",
    "CREATE INDEX groupMembersManaging ON groupMembers (userID, groupID) WHERE roleLevel IN (60, 100)",
  ],
  blacks: ["CREATE INDEX blacksInOrder ON blacks (ownerUserID, createTime DESC, blackUserID)"],
  groupRequests: [
    "CREATE INDEX groupRequestsInOrder ON groupRequests (groupID, reqTime DESC, userID)",
    "CREATE INDEX groupRequestsByResult ON groupRequests (groupID, handleResult, reqTime DESC, userID)",
  ],
};

/** Opens a file with the same settings as im-admin does. */
export function openConnection(path: string): BetterSqlite3.Database {
  const connection = new BetterSqlite3(path);
  connection.pragma("journal_mode = WAL");
  connection.pragma("synchronous = FULL");
  connection.pragma("temp_store = MEMORY");
  connection.pragma(`mmap_size = ${2 ** 31 - 2 ** 16}`);
  connection.pragma("cache_size = -65536");
  return connection;
}

/** Makes a database of records; indexes come last, which is faster. */
export function buildPlain(path: string, records: RecordSet): void {
  const connection = openConnection(path);
  connection.transaction(() => {
    for (const statement of plainTables) connection.exec(statement);
    const inserts = new Map<RecordName, BetterSqlite3.Statement>();
    for (const [name, record] of checkedRecords(records)) {
      const insert = inserts.get(name) ?? connection.prepare(insertText(name, Object.keys(record)));
      inserts.set(name, insert);
      insert.run(Object.values(record));
    }
    for (const statement of Object.values(plainIndexes).flat()) connection.exec(statement);
  })();
  connection.close();
}

export function insertText(table: RecordName, columns: readonly string[]): string {
  return `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`;
}
