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
  StoreCall,
} from "im-admin";
import type { Pool, PoolConnection, RowDataPacket } from "mysql2/promise";

/** A store for im-admin over a chat server's tables in MariaDB or MySQL (see schema.sql). */
export function mysqlStore(pool: Pool): Store {
  return {
    listGroupMembers({ groupID, keyword, roleLevels, ...range }, call) {
      const level = oneOf("m.role_level", "roleLevel", roleLevels);
      const list = {
        parent: "SELECT 1 FROM chat_groups WHERE group_id = :groupID",
        keys: "m.group_id, m.user_id",
        // Only a search looks at the users; without one, the index has all that is needed.
        rows: `group_members m ${keyword === "" ? "" : "LEFT JOIN users u ON u.user_id = m.user_id"}
          WHERE m.group_id = :groupID AND ${level.condition} AND ${contains(keyword, "m.user_id", memberNickname)}`,
        order: "m.role_level DESC, m.join_time, m.user_id",
        whole: `group_members m ON m.group_id = page.group_id AND m.user_id = page.user_id
          LEFT JOIN users u ON u.user_id = page.user_id`,
        item: memberJson,
      };
      const values = { groupID, keyword: patternOf(keyword), ...level.values };
      return readPage<GroupMember>(pool, list, values, range, call);
    },

    listBlacks({ ownerUserID, ...range }, call) {
      const list = {
        parent: "SELECT 1 FROM users WHERE user_id = :ownerUserID",
        keys: "b.owner_user_id, b.black_user_id",
        rows: "blacks b WHERE b.owner_user_id = :ownerUserID",
        order: "b.create_time DESC, b.black_user_id",
        whole: `blacks b ON b.owner_user_id = page.owner_user_id AND b.black_user_id = page.black_user_id
          LEFT JOIN users u ON u.user_id = page.black_user_id`,
        item: blackJson,
      };
      return readPage<Black>(pool, list, { ownerUserID }, range, call);
    },

    listJoinedGroups({ userID, ...range }, call) {
      const list = {
        parent: "SELECT 1 FROM users WHERE user_id = :userID",
        keys: "m.group_id, m.user_id",
        rows: "group_members m WHERE m.user_id = :userID",
        order: "m.join_time DESC, m.group_id",
        whole: `group_members m ON m.group_id = page.group_id AND m.user_id = page.user_id
          LEFT JOIN chat_groups g ON g.group_id = page.group_id`,
        item: groupJson("m.group_id"),
      };
      return readPage<Group>(pool, list, { userID }, range, call);
    },

    listReceivedGroupRequests({ userID, groupIDs, handleResults, ...range }, call) {
      const result = oneOf("r.handle_result", "handleResult", handleResults);
      const list = {
        parent: "SELECT 1 FROM users WHERE user_id = :userID",
        keys: "r.group_id, r.user_id",
        rows: `group_requests r
          WHERE r.group_id IN (SELECT o.group_id FROM group_members o
              WHERE o.user_id = :userID AND o.role_level IN (60, 100))
            AND ${groupIDs === undefined ? "TRUE" : `r.group_id IN (SELECT wanted.id FROM ${idsOf(":groupIDs")} wanted)`}
            AND ${result.condition}`,
        order: "r.req_time DESC, r.group_id, r.user_id",
        whole: `group_requests r ON r.group_id = page.group_id AND r.user_id = page.user_id
          LEFT JOIN chat_groups g ON g.group_id = page.group_id
          LEFT JOIN users u ON u.user_id = page.user_id`,
        item: requestJson,
      };
      const values = { userID, groupIDs: JSON.stringify(groupIDs ?? []), ...result.values };
      return readPage<GroupRequest>(pool, list, values, range, call);
    },

    async listNotificationAccounts({ keyword, appMangerLevel, ...range }, call) {
      const list = {
        parent: "SELECT 1",
        keys: "u.user_id",
        rows: `users u WHERE u.app_level >= 3 AND ${appMangerLevel === undefined ? "TRUE" : "u.app_level = :appMangerLevel"}
            AND ${contains(keyword, "u.user_id", "u.nickname")}`,
        order: "u.user_id",
        whole: "users u ON u.user_id = page.user_id",
        item: accountJson,
      };
      const values = { keyword: patternOf(keyword), appMangerLevel: appMangerLevel ?? 0 };
      const page = await readPage<NotificationAccount>(pool, list, values, range, call);
      return page ?? { total: 0, items: [] };
    },

    async setConversations(change, call) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await inTransaction(pool, call, (connection) => changeConversations(connection, change));
        } catch (error) {
          // InnoDB ended the transaction, since another one, perhaps the chat server's, waited for it in turn.
          const isDeadlock = error instanceof Error && "code" in error && error.code === "ER_LOCK_DEADLOCK";
          if (!isDeadlock || attempt === 5) throw error;
        }
      }
    },
  };
}

/** A list in SQL. Its values have names, such as `:userID`. */
interface List {
  /** Returns a row if the group or user of the list exists. */
  parent: string;
  /** The columns that identify a row. */
  keys: string;
  /** FROM and WHERE. */
  rows: string;
  order: string;
  /** The tables that make an item of the keys in `page`. */
  whole: string;
  /** An item as JSON, which has times as numbers, whatever the pool makes of BIGINT. */
  item: string;
}

/**
 * Reads parent, total and page in one statement, and so from one snapshot. OFFSET passes over keys, which an index has;
 * only the rows of the page are read whole.
 */
async function readPage<Item>(
  pool: Pool,
  { parent, keys, rows, order, whole, item }: List,
  values: Record<string, string | number>,
  { limit, offset }: PageRange,
  call: StoreCall | undefined,
): Promise<Page<Item> | undefined> {
  const sql = `SELECT list.found, list.total, IF(page.listed, CAST(${item} AS CHAR), NULL) AS item
    FROM (SELECT EXISTS (${parent}) AS found, (SELECT COUNT(*) FROM ${rows}) AS total) list
    LEFT JOIN (
      SELECT TRUE AS listed, ${keys} FROM ${rows} ORDER BY ${order} LIMIT :limit OFFSET :offset
    ) page ON TRUE
    LEFT JOIN ${whole}
    ORDER BY ${order}`;
  // MySQL takes no floating point number for LIMIT, and mysql2 would send one.
  const bound = { ...values, limit: String(limit), offset: String(offset) };
  const answered = await onConnection(pool, call, (connection) => select(connection, sql, bound));
  if (!answered[0]?.["found"]) return undefined;
  return {
    total: Number(answered[0]["total"]),
    items: answered.filter((row) => row["item"] !== null).map((row) => JSON.parse(row["item"])),
  };
}

/** Runs a prepared statement with these values. Its rows are the same whatever the options of the pool are. */
async function select(connection: PoolConnection, sql: string, values: Record<string, string | number | boolean>) {
  const options = { sql, namedPlaceholders: true, rowsAsArray: false, nestTables: false, typeCast: true };
  const [rows] = await connection.execute<RowDataPacket[]>(options, values);
  return rows;
}

/** Some IDs as a table, of a JSON array. It is one parameter, and so one statement, however many they are. */
function idsOf(parameter: string): string {
  return `JSON_TABLE(${parameter}, '$[*]' COLUMNS (id varchar(64) CHARACTER SET utf8mb4 PATH '$'))`;
}

/** Whether a column has one of a few numbers, each a parameter of its own; true if there is no such filter. */
function oneOf(column: string, name: string, numbers: readonly number[] | undefined) {
  if (numbers === undefined) return { condition: "TRUE", values: {} };
  const values = Object.fromEntries(numbers.map((number, index) => [`${name}${index}`, number]));
  return { condition: `${column} IN (${["NULL", ...Object.keys(values).map((key) => `:${key}`)]})`, values };
}

/** Whether one of the texts contains the keyword. */
function contains(keyword: string, ...texts: string[]): string {
  return keyword === "" ? "TRUE" : `(${texts.map((text) => `${text} REGEXP :keyword`).join(" OR ")})`;
}

/**
 * A pattern that finds the keyword itself, with ASCII letters in any case. LOWER would also change letters such as É, and
 * LIKE has wildcards.
 */
function patternOf(keyword: string): string {
  return keyword.replaceAll(/[\0-\x7f]/g, (character) => {
    if (/[a-z]/i.test(character)) return `[${character.toLowerCase()}${character.toUpperCase()}]`;
    return /\d/.test(character) ? character : `\\${character}`;
  });
}

function json(fields: Record<string, string>): string {
  return `JSON_OBJECT(${Object.entries(fields).map(([name, value]) => `'${name}', ${value}`)})`;
}

/** What a row has that is perhaps gone, such as a user whom a blacklist still names. */
const text = (column: string) => `COALESCE(${column}, '')`;
const number = (column: string) => `COALESCE(${column}, 0)`;

const memberNickname = text("NULLIF(m.nickname, ''), u.nickname");

const memberJson = json({
  groupID: "m.group_id",
  userID: "m.user_id",
  roleLevel: "m.role_level",
  joinTime: "m.join_time",
  nickname: memberNickname,
  faceURL: text("NULLIF(m.face_url, ''), u.face_url"),
  appMangerLevel: number("u.app_level"),
  joinSource: "m.join_source",
  operatorUserID: "m.operator_user_id",
  ex: "m.ex",
  muteEndTime: "m.mute_end_time",
  inviterUserID: "m.inviter_user_id",
});

const userJson = (userID: string) =>
  json({ userID, nickname: text("u.nickname"), faceURL: text("u.face_url"), ex: text("u.ex") });

const accountJson = json({ userID: "u.user_id", faceURL: "u.face_url", nickName: "u.nickname" });

const blackJson = json({
  ownerUserID: "b.owner_user_id",
  createTime: "b.create_time",
  blackUserInfo: userJson("b.black_user_id"),
  addSource: "b.add_source",
  operatorUserID: "b.operator_user_id",
  ex: "b.ex",
});

const groupJson = (groupID: string) =>
  json({
    groupID,
    groupName: text("g.group_name"),
    notification: text("g.notification"),
    introduction: text("g.introduction"),
    faceURL: text("g.face_url"),
    ownerUserID: text(`(SELECT o.user_id FROM group_members o WHERE o.group_id = ${groupID} AND o.role_level = 100
      ORDER BY o.join_time, o.user_id LIMIT 1)`),
    createTime: number("g.create_time"),
    memberCount: `(SELECT COUNT(*) FROM group_members c WHERE c.group_id = ${groupID})`,
    ex: text("g.ex"),
    status: number("g.status"),
    creatorUserID: text("g.creator_user_id"),
    groupType: number("g.group_type"),
    needVerification: number("g.need_verification"),
    lookMemberInfo: number("g.look_member_info"),
    applyMemberFriend: number("g.apply_member_friend"),
    notificationUpdateTime: number("g.notification_update_time"),
    notificationUserID: text("g.notification_user_id"),
  });

const requestJson = json({
  userInfo: userJson("r.user_id"),
  groupInfo: groupJson("r.group_id"),
  handleResult: "r.handle_result",
  reqMsg: "r.req_msg",
  handleMsg: "r.handle_msg",
  reqTime: "r.req_time",
  handleUserID: "r.handle_user_id",
  handleTime: "r.handle_time",
  ex: "r.ex",
  joinSource: "r.join_source",
  inviterUserID: "r.inviter_user_id",
});

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

/** Checks everything and creates or changes the rows of all users. Each row that it looks at stays locked until the end. */
async function changeConversations(
  connection: PoolConnection,
  { userIDs, conversationID, conversationType, userID, groupID, fields }: ConversationChange,
): Promise<ConversationChangeResult> {
  if (conversationType === 3) {
    const groupSql = "SELECT status FROM chat_groups WHERE group_id = :groupID LOCK IN SHARE MODE";
    const [group] = await select(connection, groupSql, { groupID });
    if (group === undefined) return { outcome: "groupNotFound" };
    if (group["status"] === 2) return { outcome: "groupDismissed" };
  }

  // Calls for the same users wait for each other here. They lock users, and the peer, in one order: that of the array.
  const needed = [...new Set(conversationType === 1 ? [...userIDs, userID] : userIDs)];
  const usersSql = `SELECT u.user_id FROM ${idsOf(":needed")} listed
    STRAIGHT_JOIN users u FORCE INDEX (PRIMARY) ON u.user_id = listed.id FOR UPDATE`;
  const users = await select(connection, usersSql, { needed: JSON.stringify(needed.toSorted()) });
  const known = new Set(users.map((user) => user["user_id"]));
  const missing = needed.filter((candidate) => !known.has(candidate));
  if (missing.length > 0) return { outcome: "usersNotFound", userIDs: missing };

  const supplied = Object.keys(fields).map((field) => [field, settings[field as keyof ConversationFields]] as const);
  const list = (make: (column: string, field: string) => string) =>
    supplied.map(([field, column]) => make(column, field));
  const values = { owners: JSON.stringify(userIDs), conversationID, conversationType, userID, groupID, ...fields };

  const storedSql = `SELECT c.owner_user_id,
      c.conversation_type = :conversationType AND c.peer_user_id = :userID AND c.group_id = :groupID AS agrees,
      ${["TRUE", ...list((column, field) => `c.${column} = :${field}`)].join(" AND ")} AS same
    FROM ${idsOf(":owners")} listed STRAIGHT_JOIN conversations c FORCE INDEX (PRIMARY)
      ON c.owner_user_id = listed.id AND c.conversation_id = :conversationID FOR UPDATE`;
  const stored = await select(connection, storedSql, values);
  const contradicted = stored.filter((row) => !row["agrees"]).map((row) => row["owner_user_id"]);
  if (contradicted.length > 0) return { outcome: "contradicted", userIDs: contradicted };
  if (supplied.length === 0) return { outcome: "done", changedUserIDs: [] };

  const writeSql = `INSERT INTO conversations
      (owner_user_id, conversation_id, conversation_type, peer_user_id, group_id, ${list((column) => column)})
    SELECT listed.id, :conversationID, :conversationType, :userID, :groupID, ${list((_, field) => `:${field}`)}
      FROM ${idsOf(":owners")} listed
    ON DUPLICATE KEY UPDATE ${list((column) => `${column} = VALUES (${column})`)}`;
  await connection.execute({ sql: writeSql, namedPlaceholders: true }, values);
  const same = new Set(stored.filter((row) => row["same"]).map((row) => row["owner_user_id"]));
  return { outcome: "done", changedUserIDs: userIDs.filter((owner) => !same.has(owner)) };
}

async function inTransaction<Result>(
  pool: Pool,
  call: StoreCall | undefined,
  run: (connection: PoolConnection) => Promise<Result>,
): Promise<Result> {
  return onConnection(pool, call, async (connection, begun) => {
    // At this level, InnoDB locks rows and no gaps between them, so that calls for other users need not wait.
    await connection.query("SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
    await connection.beginTransaction();
    try {
      const result = await run(connection);
      begun();
      await connection.commit();
      return result;
    } catch (error) {
      // If even ROLLBACK fails, do not use the connection again.
      await connection.rollback().catch(() => connection.destroy());
      throw error;
    }
  });
}

/** Runs statements on a connection. If the call is given up before they have `begun` to commit, the server ends them. */
async function onConnection<Result>(
  pool: Pool,
  call: StoreCall | undefined,
  run: (connection: PoolConnection, begun: () => void) => Promise<Result>,
): Promise<Result> {
  call?.signal?.throwIfAborted();
  const connection = await pool.getConnection();
  const { threadId } = connection;
  const done = new AbortController();
  const givenUp = new Promise<never>((_, reject) => {
    const end = () => {
      // A statement runs on after its client has left. KILL needs no rights for a thread of the same account.
      connection.destroy();
      pool.query("KILL ?", [threadId]).catch(() => {});
      reject(call?.signal?.reason);
    };
    call?.signal?.addEventListener("abort", end, { signal: done.signal });
  });
  try {
    call?.signal?.throwIfAborted();
    const begun = () => {
      done.abort();
      call?.begun?.();
    };
    return await Promise.race([run(connection, begun), givenUp]);
  } finally {
    done.abort();
    connection.release();
  }
}
