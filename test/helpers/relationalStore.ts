import type { PGlite } from "@electric-sql/pglite";
import type { ConversationChange, ConversationChangeResult, Page, PageRange, Store } from "../../src/index.js";

/** The store of an application on PostgreSQL whose tables are {@link relationalTables}. */
export function relationalStore(database: PGlite): Store {
  /**
   * Answers a page of a list, whose rows are items and their places. It is one statement, which sees one state of the
   * data, and gives JSON, in which all numbers are numbers: as columns, bigint and count(*) may come as text.
   */
  async function page<Item>(list: string, values: unknown[], { offset, limit }: PageRange): Promise<Page<Item>> {
    const [from, to] = [`$${values.length + 1}`, `$${values.length + 2}`];
    const answer = await database.query<{ page: Page<Item> }>(
      `SELECT json_build_object('total', count(*), 'items', coalesce(
          json_agg(item ORDER BY place) FILTER (WHERE place > ${from} AND place <= ${to}), '[]')) AS page
        FROM (${list}) list`,
      [...values, offset, offset + limit],
    );
    return answer.rows[0]?.page ?? { total: 0, items: [] };
  }

  /** A page, unless what it belongs to does not exist. */
  async function pageOf<Item>(parent: "user" | "group", list: string, values: unknown[], range: PageRange) {
    const isThere = `SELECT 1 FROM ${parent}s WHERE ${parent}_id = $1`;
    const { rows } = await database.query(isThere, values.slice(0, 1));
    return rows.length === 0 ? undefined : page<Item>(list, values, range);
  }

  return {
    listGroupMembers: ({ groupID, keyword, roleLevels, ...range }) =>
      pageOf(
        "group",
        `SELECT
            json_build_object(
              'groupID', member.group_id, 'userID', member.user_id, 'roleLevel', role_level, 'joinTime', join_time,
              'nickname', answered.nickname, 'faceURL', coalesce(nullif(member.face_url, ''), users.face_url),
              'appMangerLevel', app_manger_level, 'joinSource', join_source,
              'operatorUserID', coalesce(operator_user_id, ''), 'ex', member.ex, 'muteEndTime', mute_end_time,
              'inviterUserID', coalesce(inviter_user_id, '')) AS item,
            row_number() OVER (ORDER BY role_level DESC, join_time, member.user_id) AS place
          FROM group_members member JOIN users USING (user_id),
            LATERAL (SELECT coalesce(nullif(member.nickname, ''), users.nickname) AS nickname) answered
          WHERE group_id = $1
            AND (${contains("member.user_id", "$2")} OR ${contains("answered.nickname", "$2")})
            AND ($3::int[] IS NULL OR role_level = ANY ($3))`,
        [groupID, keyword, roleLevels ?? null],
        range,
      ),

    listBlacks: ({ ownerUserID, ...range }) =>
      pageOf(
        "user",
        `SELECT
            json_build_object(
              'ownerUserID', owner_user_id, 'createTime', create_time, 'blackUserInfo', info, 'addSource', add_source,
              'operatorUserID', coalesce(operator_user_id, ''), 'ex', ex) AS item,
            row_number() OVER (ORDER BY create_time DESC, black_user_id) AS place
          FROM blacks JOIN user_infos ON user_id = black_user_id WHERE owner_user_id = $1`,
        [ownerUserID],
        range,
      ),

    listJoinedGroups: ({ userID, ...range }) =>
      pageOf(
        "user",
        `SELECT info AS item, row_number() OVER (ORDER BY join_time DESC, group_id) AS place
          FROM group_members JOIN group_infos USING (group_id) WHERE user_id = $1`,
        [userID],
        range,
      ),

    listReceivedGroupRequests: ({ userID, groupIDs, handleResults, ...range }) =>
      pageOf(
        "user",
        `SELECT
            json_build_object(
              'userInfo', user_infos.info, 'groupInfo', group_infos.info, 'handleResult', handle_result,
              'reqMsg', req_msg, 'handleMsg', handle_msg, 'reqTime', req_time,
              'handleUserID', coalesce(handle_user_id, ''), 'handleTime', handle_time, 'ex', request.ex,
              'joinSource', request.join_source, 'inviterUserID', coalesce(request.inviter_user_id, '')) AS item,
            row_number() OVER (ORDER BY req_time DESC, group_id, request.user_id) AS place
          FROM group_requests request JOIN group_members manager USING (group_id) JOIN group_infos USING (group_id)
            JOIN user_infos ON user_infos.user_id = request.user_id
          WHERE manager.user_id = $1 AND role_level IN (60, 100)
            AND ($2::text[] IS NULL OR group_id = ANY ($2))
            AND ($3::int[] IS NULL OR handle_result = ANY ($3))`,
        [userID, groupIDs ?? null, handleResults ?? null],
        range,
      ),

    listNotificationAccounts: ({ keyword, appMangerLevel, ...range }) =>
      page(
        `SELECT
            json_build_object('userID', user_id, 'faceURL', face_url, 'nickName', nickname) AS item,
            row_number() OVER (ORDER BY user_id) AS place
          FROM users
          WHERE (${contains("user_id", "$1")} OR ${contains("nickname", "$1")})
            AND CASE WHEN $2::int IS NULL THEN app_manger_level >= 3 ELSE app_manger_level = $2 END`,
        [keyword, appMangerLevel ?? null],
        range,
      ),

    setConversations: (change) => setConversations(database, change),
  };
}

/** A literal part, whatever the case of ASCII letters. */
function contains(column: string, keyword: string): string {
  return `strpos(lower(${column}), lower(${keyword} COLLATE "C")) > 0`;
}

function setConversations(database: PGlite, change: ConversationChange): Promise<ConversationChangeResult> {
  const { userIDs, conversationID, conversationType, userID, groupID, fields } = change;
  return database.transaction(async (transaction): Promise<ConversationChangeResult> => {
    if (conversationType === 3) {
      const group = "SELECT status FROM groups WHERE group_id = $1 FOR SHARE";
      const { rows } = await transaction.query<{ status: number }>(group, [groupID]);
      if (rows[0] === undefined) return { outcome: "groupNotFound" };
      if (rows[0].status === 2) return { outcome: "groupDismissed" };
    }

    // The locks, taken in one order, let one call at a time set conversations of a user.
    const named = conversationType === 1 ? [...new Set([...userIDs, userID])] : userIDs;
    const users = await transaction.query<{ user_id: string }>(
      "SELECT user_id FROM users WHERE user_id = ANY ($1) ORDER BY user_id FOR NO KEY UPDATE",
      [named],
    );
    const known = new Set(users.rows.map((row) => row.user_id));
    const unknown = named.filter((id) => !known.has(id));
    if (unknown.length > 0) return { outcome: "usersNotFound", userIDs: unknown };

    const key = [userIDs, conversationID, conversationType, userID || null, groupID || null];
    const contradicted = await transaction.query<Owner>(
      `SELECT owner_user_id FROM conversations
        WHERE owner_user_id = ANY ($1) AND conversation_id = $2
          AND (conversation_type, user_id, group_id) IS DISTINCT FROM ($3::int, $4::text, $5::text)`,
      key,
    );
    if (contradicted.rows.length > 0) return { outcome: "contradicted", userIDs: owners(contradicted.rows) };

    const columns = Object.keys(fields).map(columnOf);
    if (columns.length === 0) return { outcome: "done", changedUserIDs: [] };
    const written = await transaction.query<Owner>(
      `INSERT INTO conversations AS stored
          (owner_user_id, conversation_id, conversation_type, user_id, group_id, ${columns})
        SELECT owner, $2, $3, $4, $5, ${columns.map((_, index) => `$${index + 6}`)} FROM unnest($1::text[]) owner
        ON CONFLICT (owner_user_id, conversation_id)
          DO UPDATE SET ${columns.map((column) => `${column} = excluded.${column}`)}
          WHERE (${columns.map((column) => `stored.${column}`)}) IS DISTINCT FROM
            (${columns.map((column) => `excluded.${column}`)})
        RETURNING owner_user_id`,
      [...key, ...Object.values(fields)],
    );
    return { outcome: "done", changedUserIDs: owners(written.rows) };
  });
}

interface Owner {
  owner_user_id: string;
}

function owners(rows: Owner[]): string[] {
  return rows.map((row) => row.owner_user_id);
}

/** The column of a field: "burn_duration" of "burnDuration". */
export function columnOf(field: string): string {
  return field.replace(/[A-Z]+/g, (capitals) => `_${capitals.toLowerCase()}`);
}
