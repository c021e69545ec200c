import { PGlite } from "@electric-sql/pglite";
import type { StoredConversation } from "../../src/index.js";
import type { OpenStore, StoreUnderTest } from "../../src/testing/index.js";
import { columnOf, relationalStore } from "./relationalStore.js";
import { relationalTables } from "./relationalTables.js";

/** Starts PostgreSQL in this process, whose tables hold the records of one case after the other. */
export async function startPostgres(): Promise<{ open: OpenStore; stop(): Promise<void> }> {
  const database = await PGlite.create();
  await database.exec(relationalTables);
  const store = { ...relationalStore(database), ...sideDoor(database, await columnsOfTables(database)) };
  return {
    async open(records) {
      await database.exec("TRUNCATE users, groups, group_members, blacks, group_requests, conversations");
      await store.put(records);
      return store;
    },
    stop: () => database.close(),
  };
}

async function columnsOfTables(database: PGlite): Promise<Map<string, string[]>> {
  const { rows } = await database.query<{ table_name: string; columns: string[] }>(
    "SELECT table_name, array_agg(column_name::text) AS columns FROM information_schema.columns GROUP BY table_name",
  );
  return new Map(rows.map((row) => [row.table_name, row.columns]));
}

const keys: Record<string, readonly string[]> = {
  users: ["user_id"],
  groups: ["group_id"],
  group_members: ["group_id", "user_id"],
  blacks: ["owner_user_id", "black_user_id"],
  group_requests: ["group_id", "user_id"],
  conversations: ["owner_user_id", "conversation_id"],
};

/** What the store cases need beside a store. */
function sideDoor(
  database: PGlite,
  columnsOf: ReadonlyMap<string, string[]>,
): Pick<StoreUnderTest, "put" | "remove" | "conversations"> {
  return {
    async put(records) {
      for (const [kind, ofKind] of Object.entries(records)) {
        const table = columnOf(kind);
        // What a record leaves out is replaced by the default, which `excluded` has like any inserted row.
        const replaced = columnsOf.get(table)?.map((column) => `${column} = excluded.${column}`);
        for (const record of ofKind) {
          const columns = Object.keys(record).map(columnOf);
          const values = Object.values(record).map((value, index) =>
            value === "" && isReference(columns[index] ?? "") ? null : value,
          );
          await database.query(
            `INSERT INTO ${table} (${columns}) VALUES (${columns.map((_, index) => `$${index + 1}`)})
              ON CONFLICT (${keys[table]}) DO UPDATE SET ${replaced}`,
            values,
          );
        }
      }
    },

    async remove(recordKeys) {
      for (const [kind, ofKind] of Object.entries(recordKeys)) {
        const table = columnOf(kind);
        for (const key of ofKind) {
          const conditions = Object.keys(key).map((field, index) => `${columnOf(field)} = $${index + 1}`);
          await database.query(`DELETE FROM ${table} WHERE ${conditions.join(" AND ")}`, Object.values(key));
        }
      }
    },

    async conversations(ownerUserID) {
      const { rows } = await database.query<{ conversation: StoredConversation }>(
        `SELECT json_build_object(
            'ownerUserID', owner_user_id, 'conversationID', conversation_id, 'conversationType', conversation_type,
            'userID', coalesce(user_id, ''), 'groupID', coalesce(group_id, ''), 'recvMsgOpt', recv_msg_opt,
            'attachedInfo', attached_info, 'isPinned', is_pinned, 'isPrivateChat', is_private_chat, 'ex', ex,
            'burnDuration', burn_duration) AS conversation
          FROM conversations WHERE owner_user_id = $1 ORDER BY conversation_id`,
        [ownerUserID],
      );
      return rows.map(({ conversation }) => conversation);
    },
  };
}

/** Whether a column refers to a user or a group; it is NULL where it refers to none. */
function isReference(column: string): boolean {
  return /(user|group)_id$/.test(column);
}
