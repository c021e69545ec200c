import type { ConversationChange, ConversationChangeResult, StoreCall } from "../../../store.js";
import { type Row, rowsOf, type SqlDatabase, type Statement, type Value } from "../database.js";
import { join, name, names, raw, type Sql, sql } from "../sql.js";

/** The fields that can be set. */
const fields = ["recvMsgOpt", "attachedInfo", "isPinned", "isPrivateChat", "ex", "burnDuration"] as const;

/**
 * How many characters of identifiers are bound as one value, with one for what stands between two of them. Each takes at
 * most three bytes, and engines take no value of more than 2,000,000.
 */
const mostCharacters = 400_000;

/**
 * The request, its values bound once and named; and the users concerned: `count` whose conversation is set, and the
 * peer after them. Their identifiers are arrays in JSON, each with the position of its first.
 */
const request = (arrays: number) => sql`
  request (count, conversation_id, conversation_type, user_id, group_id, ${names(fields)})
    AS (VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)),
  arrays (first, user_ids) AS (VALUES ${raw(Array(arrays).fill("(?, ?)").join(", "))}),
  concerned (position, user_id) AS (SELECT first + key, value FROM arrays, json_each(arrays.user_ids))`;

/**
 * Whatever stands in the way of the request, the gravest first: a row for each group or user concerned, in the
 * request's order. The CROSS JOIN has SQLite look up the listed users' rows and not index all conversations first.
 */
const obstacles = sql`
  obstacles (gravity, outcome, id, position) AS (
    SELECT 1, CASE WHEN stored.group_id IS NULL THEN 'groupNotFound' ELSE 'groupDismissed' END, request.group_id, 0
      FROM request LEFT JOIN im_admin_groups stored ON stored.group_id = request.group_id
      WHERE request.conversation_type = 3 AND (stored.group_id IS NULL OR stored.status = 2)
    UNION ALL
    SELECT 2, 'usersNotFound', user_id, position FROM concerned
      WHERE NOT EXISTS (SELECT 1 FROM im_admin_users WHERE im_admin_users.user_id = concerned.user_id)
    UNION ALL
    SELECT 3, 'contradicted', concerned.user_id, position FROM request CROSS JOIN concerned
      CROSS JOIN im_admin_conversations stored
      WHERE position < request.count
        AND stored.owner_user_id = concerned.user_id AND stored.conversation_id = request.conversation_id
        AND (stored.conversation_type <> request.conversation_type OR stored.user_id <> request.user_id
          OR stored.group_id <> request.group_id)
  )`;

/** The statements for identifiers in a number of arrays. */
const statementsFor = remembered((arrays) => {
  const definitions = request(arrays);
  const checked = join([definitions, obstacles], ",\n");
  return {
    readObstacles: sql`
      WITH ${checked}
      SELECT outcome, id FROM obstacles WHERE gravity = (SELECT min(gravity) FROM obstacles) ORDER BY position`.text,
    writes: writes(definitions, sql`true`),
    writesUnlessObstacles: writes(checked, sql`NOT EXISTS (SELECT 1 FROM obstacles)`),
  };
});

function remembered<Result>(make: (count: number) => Result): (count: number) => Result {
  const made = new Map<number, Result>();
  return (count) => {
    const result = made.get(count) ?? make(count);
    made.set(count, result);
    return result;
  };
}

/**
 * Updates the conversations that are there, and inserts the others; a field that was not supplied is NULL in the request.
 * There may be a view of a host's table in the place of ours, which takes no upsert.
 */
function writes(definitions: Sql, condition: Sql): string[] {
  const all = ["ownerUserID", "conversationID", "conversationType", "userID", "groupID", ...fields];
  return [
    sql`
      WITH ${definitions}
      UPDATE im_admin_conversations SET ${join(
        fields.map((field) => sql`${name(field)} = coalesce((SELECT ${name(field)} FROM request), ${name(field)})`),
        ",\n",
      )}
        WHERE conversation_id = (SELECT conversation_id FROM request)
          AND owner_user_id IN (SELECT user_id FROM concerned WHERE position < (SELECT count FROM request))
          AND (${join(
            fields.map((field) => sql`${name(field)} <> (SELECT ${name(field)} FROM request)`),
            " OR ",
          )}) AND ${condition}
      RETURNING owner_user_id`.text,
    sql`
      WITH ${definitions}
      INSERT INTO im_admin_conversations (${names(all)})
        SELECT concerned.user_id, conversation_id, conversation_type, request.user_id, group_id, coalesce(recv_msg_opt, 0),
          coalesce(attached_info, ''), coalesce(is_pinned, 0), coalesce(is_private_chat, 0), coalesce(ex, ''),
          coalesce(burn_duration, 0)
        FROM request CROSS JOIN concerned
        WHERE position < count AND ${condition} AND NOT EXISTS (
          SELECT 1 FROM im_admin_conversations stored
            WHERE stored.owner_user_id = concerned.user_id AND stored.conversation_id = request.conversation_id)
      RETURNING owner_user_id`.text,
  ];
}

/** Finds the obstacles and, where there are none, writes, in one transaction. */
export async function setConversations(
  database: SqlDatabase,
  change: ConversationChange,
  call?: StoreCall,
): Promise<ConversationChangeResult> {
  const results = await database.write(statements(change), call);
  const obstacles = rowsOf(results, 0);
  if (obstacles.length > 0) return obstacleResult(obstacles);
  const rows = hasFields(change) ? [...rowsOf(results, 1), ...rowsOf(results, 2)] : [];
  const changed = new Set(rows.map((row) => row["owner_user_id"]));
  return { outcome: "done", changedUserIDs: change.userIDs.filter((userID) => changed.has(userID)) };
}

function hasFields(change: ConversationChange): boolean {
  return Object.keys(change.fields).length > 0;
}

function* statements(change: ConversationChange): Generator<Statement, void, Row[] | undefined> {
  const arrays = arraysOf(change);
  const values = [...requestValues(change), ...arrays.flat()];
  const { readObstacles, writes, writesUnlessObstacles } = statementsFor(arrays.length);
  const obstacles = yield { text: readObstacles, values };
  if (!hasFields(change)) return;
  // An engine that takes a batch of statements has found no obstacles yet: there the others look for them again.
  const texts = obstacles === undefined ? writesUnlessObstacles : obstacles.length === 0 ? writes : [];
  for (const text of texts) yield { text, values };
}

/** The users concerned, in arrays that each have the position of its first one before it. */
function arraysOf({ userIDs, conversationType, userID }: ConversationChange): [first: number, userIDs: string][] {
  const isPeer = conversationType === 1 && !userIDs.includes(userID);
  const concerned = isPeer ? [...userIDs, userID] : userIDs;
  const arrays: [number, string][] = [];
  let first = 0;
  let length = 0;
  for (const [index, id] of concerned.entries()) {
    if (length + id.length + 1 > mostCharacters) {
      arrays.push([first, JSON.stringify(concerned.slice(first, index))]);
      first = index;
      length = 0;
    }
    length += id.length + 1;
  }
  return [...arrays, [first, JSON.stringify(concerned.slice(first))]];
}

function requestValues({ fields: supplied, ...change }: ConversationChange): Value[] {
  const { userIDs, conversationID, conversationType, userID, groupID } = change;
  return [
    userIDs.length,
    conversationID,
    conversationType,
    userID,
    groupID,
    ...fields.map((field) => {
      const value = supplied[field] ?? null;
      return typeof value === "boolean" ? Number(value) : value;
    }),
  ];
}

function obstacleResult(obstacles: readonly Row[]): ConversationChangeResult {
  const userIDs = obstacles.map((row) => String(row["id"]));
  switch (obstacles[0]?.["outcome"]) {
    case "groupNotFound":
      return { outcome: "groupNotFound" };
    case "groupDismissed":
      return { outcome: "groupDismissed" };
    case "usersNotFound":
      return { outcome: "usersNotFound", userIDs };
    default:
      return { outcome: "contradicted", userIDs };
  }
}
