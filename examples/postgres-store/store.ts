import type {
  Black,
  ConversationChange,
  ConversationChangeResult,
  ConversationFields,
  Group,
  GroupMember,
  GroupRequest,
  NotificationAccount,
  Page,
  PageRange,
  Store,
} from "im-admin";
import type { Pool, PoolClient } from "pg";

/** A store for im-admin over a chat server's tables in PostgreSQL (see schema.sql). */
export function postgresStore(pool: Pool): Store {
  return {
    listGroupMembers({ groupID, keyword, roleLevels, ...range }) {
      const list = {
        parent: "SELECT FROM groups WHERE group_id = $1",
        columns: "m, u",
        item: memberJson,
        rows: `group_members m JOIN users u USING (user_id)
          WHERE m.group_id = $1 AND ($3::int[] IS NULL OR m.role_level = ANY ($3))
            AND (${contains("u.user_id", "$2")} OR ${contains(memberNickname, "$2")})`,
        order: `m.role_level DESC, m.join_time, m.user_id COLLATE "C"`,
      };
      return readPage<GroupMember>(pool, list, [groupID, keyword, roleLevels], range);
    },

    listBlacks({ ownerUserID, ...range }) {
      const list = {
        parent: "SELECT FROM users WHERE user_id = $1",
        columns: "b, u",
        item: blackJson,
        rows: "blacks b JOIN users u ON u.user_id = b.black_user_id WHERE b.owner_user_id = $1",
        order: `b.create_time DESC, b.black_user_id COLLATE "C"`,
      };
      return readPage<Black>(pool, list, [ownerUserID], range);
    },

    listJoinedGroups({ userID, ...range }) {
      const list = {
        parent: "SELECT FROM users WHERE user_id = $1",
        columns: "g",
        item: groupJson,
        rows: "group_members m JOIN groups g USING (group_id) WHERE m.user_id = $1",
        order: `m.join_time DESC, m.group_id COLLATE "C"`,
      };
      return readPage<Group>(pool, list, [userID], range);
    },

    listReceivedGroupRequests({ userID, groupIDs, handleResults, ...range }) {
      const list = {
        parent: "SELECT FROM users WHERE user_id = $1",
        columns: "r, g, u",
        item: requestJson,
        rows: `group_requests r JOIN groups g USING (group_id) JOIN users u USING (user_id)
          WHERE EXISTS (SELECT FROM group_members m
              WHERE m.group_id = r.group_id AND m.user_id = $1 AND m.role_level IN (60, 100))
            AND ($2::text[] IS NULL OR r.group_id = ANY ($2))
            AND ($3::int[] IS NULL OR r.handle_result = ANY ($3))`,
        order: `r.req_time DESC, r.group_id COLLATE "C", r.user_id COLLATE "C"`,
      };
      return readPage<GroupRequest>(pool, list, [userID, groupIDs, handleResults], range);
    },

    async listNotificationAccounts({ keyword, appMangerLevel, ...range }) {
      const list = {
        parent: "SELECT",
        columns: "u",
        item: accountJson,
        rows: `users u
          WHERE u.app_level >= 3 AND ($2::int IS NULL OR u.app_level = $2)
            AND (${contains("u.user_id", "$1")} OR ${contains("u.nickname", "$1")})`,
        order: `u.user_id COLLATE "C"`,
      };
      const page = await readPage<NotificationAccount>(pool, list, [keyword, appMangerLevel], range);
      return page ?? { total: 0, items: [] };
    },

    setConversations(change) {
      return inTransaction(pool, async (client) => {
        const obstacle = (await groupObstacle(client, change)) ?? (await userObstacle(client, change));
        return obstacle ?? { outcome: "done", changedUserIDs: await writeConversations(client, change) };
      });
    },
  };
}

/** A list in SQL. Its values are $1, $2 and so on; the limit and the offset come after them. */
interface List {
  /** Returns a row if the group or user of the list exists. */
  parent: string;
  /** The whole rows that make an item. */
  columns: string;
  /** An item as JSON. It has times as numbers, which `pg` would return as strings. */
  item: string;
  /** FROM and WHERE. */
  rows: string;
  order: string;
}

/** Reads parent, total and page in one statement, and so from one snapshot. It makes only the items of the page. */
async function readPage<Item>(
  pool: Pool,
  { parent, columns, item, rows, order }: List,
  values: readonly unknown[],
  { limit, offset }: PageRange,
): Promise<Page<Item> | undefined> {
  const next = values.length + 1;
  const result = await pool.query<Page<Item> & { exists: boolean }>(
    `SELECT EXISTS (${parent}) AS exists,
       (SELECT count(*)::int FROM ${rows}) AS total,
       ARRAY (
         SELECT ${item} FROM (SELECT ${columns} FROM ${rows} ORDER BY ${order} LIMIT $${next} OFFSET $${next + 1}) page
       ) AS items`,
    [...values, limit, offset],
  );
  const [{ exists, total, items } = { exists: false, total: 0, items: [] }] = result.rows;
  return exists ? { total, items } : undefined;
}

/** Whether a text contains a keyword. With the collation "C", `lower` changes only ASCII letters. */
function contains(text: string, keyword: string): string {
  return `strpos(lower(${text} COLLATE "C"), lower(${keyword} COLLATE "C")) > 0`;
}

const memberNickname = "coalesce(nullif((m).nickname, ''), (u).nickname)";

const memberJson = `json_build_object(
  'groupID', (m).group_id,
  'userID', (m).user_id,
  'roleLevel', (m).role_level,
  'joinTime', (m).join_time,
  'nickname', ${memberNickname},
  'faceURL', coalesce(nullif((m).face_url, ''), (u).face_url),
  'appMangerLevel', (u).app_level,
  'joinSource', (m).join_source,
  'operatorUserID', (m).operator_user_id,
  'ex', (m).ex,
  'muteEndTime', (m).mute_end_time,
  'inviterUserID', (m).inviter_user_id)`;

const userJson = `json_build_object(
  'userID', (u).user_id,
  'nickname', (u).nickname,
  'faceURL', (u).face_url,
  'ex', (u).ex)`;

const accountJson = "json_build_object('userID', (u).user_id, 'faceURL', (u).face_url, 'nickName', (u).nickname)";

const blackJson = `json_build_object(
  'ownerUserID', (b).owner_user_id,
  'createTime', (b).create_time,
  'blackUserInfo', ${userJson},
  'addSource', (b).add_source,
  'operatorUserID', (b).operator_user_id,
  'ex', (b).ex)`;

const groupJson = `json_build_object(
  'groupID', (g).group_id,
  'groupName', (g).group_name,
  'notification', (g).notification,
  'introduction', (g).introduction,
  'faceURL', (g).face_url,
  'ownerUserID', coalesce(
    (SELECT o.user_id FROM group_members o WHERE o.group_id = (g).group_id AND o.role_level = 100
      ORDER BY o.join_time, o.user_id COLLATE "C" LIMIT 1), ''),
  'createTime', (g).create_time,
  'memberCount', (SELECT count(*) FROM group_members c WHERE c.group_id = (g).group_id),
  'ex', (g).ex,
  'status', (g).status,
  'creatorUserID', (g).creator_user_id,
  'groupType', (g).group_type,
  'needVerification', (g).need_verification,
  'lookMemberInfo', (g).look_member_info,
  'applyMemberFriend', (g).apply_member_friend,
  'notificationUpdateTime', (g).notification_update_time,
  'notificationUserID', (g).notification_user_id)`;

const requestJson = `json_build_object(
  'userInfo', ${userJson},
  'groupInfo', ${groupJson},
  'handleResult', (r).handle_result,
  'reqMsg', (r).req_msg,
  'handleMsg', (r).handle_msg,
  'reqTime', (r).req_time,
  'handleUserID', (r).handle_user_id,
  'handleTime', (r).handle_time,
  'ex', (r).ex,
  'joinSource', (r).join_source,
  'inviterUserID', (r).inviter_user_id)`;

async function groupObstacle(
  client: PoolClient,
  { conversationType, groupID }: ConversationChange,
): Promise<ConversationChangeResult | undefined> {
  if (conversationType !== 3) return undefined;
  // The lock keeps others from dismissing the group before the commit.
  const { rows } = await client.query("SELECT status FROM groups WHERE group_id = $1 FOR SHARE", [groupID]);
  if (rows.length === 0) return { outcome: "groupNotFound" };
  return rows[0].status === 2 ? { outcome: "groupDismissed" } : undefined;
}

async function userObstacle(
  client: PoolClient,
  { userIDs, conversationID, conversationType, userID, groupID }: ConversationChange,
): Promise<ConversationChangeResult | undefined> {
  // Calls for the same users wait for each other. They lock users in one order, so that they cannot deadlock.
  const { rows: users } = await client.query(
    "SELECT user_id FROM users WHERE user_id = ANY ($1) ORDER BY user_id FOR NO KEY UPDATE",
    [userIDs],
  );
  const known = new Set(users.map(({ user_id }) => user_id));
  const missing = userIDs.filter((candidate) => !known.has(candidate));
  if (conversationType === 1 && !userIDs.includes(userID)) {
    const { rows: peers } = await client.query("SELECT FROM users WHERE user_id = $1 FOR KEY SHARE", [userID]);
    if (peers.length === 0) missing.push(userID);
  }
  if (missing.length > 0) return { outcome: "usersNotFound", userIDs: missing };

  const { rows: others } = await client.query(
    `SELECT owner_user_id FROM conversations WHERE conversation_id = $1 AND owner_user_id = ANY ($2)
       AND (conversation_type, coalesce(peer_user_id, ''), coalesce(group_id, '')) <> ($3, $4, $5)`,
    [conversationID, userIDs, conversationType, userID, groupID],
  );
  if (others.length === 0) return undefined;
  const contradicted = new Set(others.map(({ owner_user_id }) => owner_user_id));
  return { outcome: "contradicted", userIDs: userIDs.filter((candidate) => contradicted.has(candidate)) };
}

/** The fields that can be set, with their columns. The table has the defaults of a new conversation. */
const settings = {
  recvMsgOpt: "recv_msg_opt",
  attachedInfo: "attached_info",
  isPinned: "is_pinned",
  isPrivateChat: "is_private_chat",
  ex: "ex",
  burnDuration: "burn_duration",
  minSeq: "min_seq",
  maxSeq: "max_seq",
  groupAtType: "group_at_type",
  msgDestructTime: "msg_destruct_time",
  isMsgDestruct: "is_msg_destruct",
} as const satisfies Record<keyof ConversationFields, string>;

/** Creates or changes the rows of all users, and returns the users whose row was created or really changed. */
async function writeConversations(client: PoolClient, change: ConversationChange): Promise<string[]> {
  const { userIDs, conversationID, conversationType, userID, groupID, fields } = change;
  const supplied = Object.entries(fields);
  if (supplied.length === 0) return [];
  const columns = supplied.map(([field]) => settings[field as keyof ConversationFields]);
  const list = (make: (column: string, index: number) => string) => columns.map(make).join(", ");
  const { rows } = await client.query(
    `INSERT INTO conversations AS stored
         (owner_user_id, conversation_id, conversation_type, peer_user_id, group_id, ${list((column) => column)})
       SELECT owner, $2, $3, nullif($4, ''), nullif($5, ''), ${list((_, index) => `$${index + 6}`)}
         FROM unnest($1::text[]) AS owner
       ON CONFLICT (owner_user_id, conversation_id) DO UPDATE
         SET ${list((column) => `${column} = excluded.${column}`)}
         WHERE ROW (${list((column) => `stored.${column}`)})
           IS DISTINCT FROM ROW (${list((column) => `excluded.${column}`)})
       RETURNING owner_user_id`,
    [userIDs, conversationID, conversationType, userID, groupID, ...supplied.map(([, value]) => value)],
  );
  return rows.map(({ owner_user_id }) => owner_user_id);
}

async function inTransaction<Result>(pool: Pool, run: (client: PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    const result = await run(client);
    await client.query("COMMIT");
    client.release();
    return result;
  } catch (error) {
    // If even ROLLBACK fails, do not use the connection again.
    await client.query("ROLLBACK").then(
      () => client.release(),
      () => client.release(true),
    );
    throw error;
  }
}
