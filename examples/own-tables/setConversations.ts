import type { ConversationChange, ConversationChangeResult } from "im-admin";
import type { PostgresPool } from "im-admin/postgres";

const unset = {
  ...{ isPinned: false, recvMsgOpt: 0, isPrivateChat: false, burnDuration: 0, ex: "", attachedInfo: "" },
  ...{ minSeq: 0, maxSeq: 0, groupAtType: 0, msgDestructTime: 0, isMsgDestruct: false },
};

/** Sets a conversation in this server's JSON, for all users or for none. */
export async function setConversations(
  pool: PostgresPool,
  tenant: string,
  { userIDs, conversationID, conversationType: type, userID: peer, groupID, fields }: ConversationChange,
): Promise<ConversationChangeResult> {
  const connection = await pool.connect();
  async function column<Value = string>(text: string, values: unknown[]): Promise<Value[]> {
    const { rows } = await connection.query(text, [tenant, ...values]);
    return rows.map((row) => (row as { value: Value }).value);
  }
  async function write(): Promise<ConversationChangeResult> {
    if (type === 3) {
      const rooms = "SELECT archived AS value FROM chat.room WHERE tenant_id = $1 AND id::text = $2";
      const [isArchived] = await column<boolean>(rooms, [groupID]);
      if (isArchived !== false) return { outcome: isArchived ? "groupDismissed" : "groupNotFound" };
    }

    // An ID that is no uuid belongs to nobody. The lock keeps others from deleting the users before the commit.
    const concerned = type === 1 && !userIDs.includes(peer) ? [...userIDs, peer] : userIDs;
    const uuids = concerned.filter((id) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id));
    const people = `SELECT id AS value FROM chat.person WHERE tenant_id = $1 AND id = ANY ($2::uuid[]) AND deleted_at IS NULL
      ORDER BY id FOR KEY SHARE`;
    const known = new Set(await column(people, [uuids]));
    const unknown = concerned.filter((id) => !known.has(id));
    if (unknown.length > 0) return { outcome: "usersNotFound", userIDs: unknown };

    const inbox = [[...userIDs].sort(), conversationID, type, peer, groupID];
    const changed = await column(
      `INSERT INTO chat.inbox AS stored (tenant_id, person_id, conversation, type, peer, room, settings)
        SELECT $1, person, $3, $4::int, $5, $6, $8::jsonb || $7::jsonb FROM unnest($2::uuid[]) person WHERE $7::jsonb <> '{}'
        ON CONFLICT (tenant_id, person_id, conversation) DO UPDATE SET settings = stored.settings || $7::jsonb
          WHERE (stored.type, stored.peer, stored.room) = ($4::int, $5, $6) AND NOT stored.settings @> $7::jsonb
        RETURNING person_id AS value`,
      [...inbox, JSON.stringify(fields), JSON.stringify(unset)],
    );
    // The upsert has locked these rows, too.
    const contradicted = await column(
      `SELECT person_id AS value FROM chat.inbox WHERE tenant_id = $1 AND person_id = ANY ($2::uuid[]) AND conversation = $3
        AND (type, peer, room) <> ($4::int, $5, $6)`,
      inbox,
    );
    if (contradicted.length === 0) return { outcome: "done", changedUserIDs: changed };
    return { outcome: "contradicted", userIDs: userIDs.filter((id) => contradicted.includes(id)) };
  }
  try {
    await connection.query("BEGIN");
    const result = await write();
    await connection.query(result.outcome === "done" ? "COMMIT" : "ROLLBACK");
    return result;
  } catch (error) {
    await connection.query("ROLLBACK").catch(() => {});
    throw error;
  } finally {
    connection.release();
  }
}
