import { settableFields } from "../../../records.js";
import { remembered } from "../../../remembered.js";
import type { ConversationChange, ConversationChangeResult, StoreCall } from "../../../store.js";
import { type Row, rowsOf, type SqlDatabase, type Statement, type Value } from "../database.js";
import { join, literal, name, names, raw, type Sql, sql } from "../sql.js";

/** The fields that can be set. */
const fields = settableFields.map(([field]) => field);

/** Which conversation they are set of, as a request and a row have it. */
const conversation = ["conversationID", "conversationType", "userID", "groupID"] as const;

/** The columns of a request. */
const asked = [...conversation, ...fields];

/**
 * How many characters of identifiers are bound as one value, with one for what stands between two of them. Each takes at
 * most three bytes, and engines take no value of more than 2,000,000.
 */
const mostCharacters = 400_000;

/** The request, its values bound once and named; and the users, their identifiers as arrays in JSON. */
const request = (arrays: number) => sql`
  request (${names(asked)})
    AS (VALUES (${raw(asked.map(() => "?").join())})),
  arrays (user_ids) AS (VALUES ${raw(Array(arrays).fill("(?)").join(", "))}),
  users (user_id) AS (SELECT value FROM arrays, json_each(user_ids))`;

/**
 * A row for each group or user that stands in the way, with a number for the outcome; the lowest is reported. The CROSS
 * JOIN has SQLite look up the users' rows and not index all conversations first.
 */
const obstacles = sql`
  obstacles (outcome, id) AS (
    SELECT stored.group_id IS NOT NULL, request.group_id
      FROM request LEFT JOIN im_admin_groups stored ON stored.group_id = request.group_id
      WHERE request.conversation_type = 3 AND coalesce(stored.status, 2) = 2
    UNION ALL
    SELECT 2, user_id FROM (SELECT user_id FROM users UNION SELECT user_id FROM request WHERE conversation_type = 1) concerned
      WHERE NOT EXISTS (SELECT 1 FROM im_admin_users stored WHERE stored.user_id = concerned.user_id)
    UNION ALL
    SELECT 3, users.user_id FROM request CROSS JOIN users CROSS JOIN im_admin_conversations stored
      WHERE stored.owner_user_id = users.user_id AND stored.conversation_id = request.conversation_id
        AND (stored.conversation_type <> request.conversation_type OR stored.user_id <> request.user_id
          OR stored.group_id <> request.group_id)
  )`;

/** The statements for identifiers in a number of arrays. */
const statementsFor = remembered((arrays: number) => {
  const definitions = request(arrays);
  const checked = join([definitions, obstacles], ",\n");
  return {
    readObstacles: sql`
      WITH ${checked}
      SELECT outcome, id FROM obstacles WHERE outcome = (SELECT min(outcome) FROM obstacles)`.text,
    writes: writes(definitions, sql`true`),
    writesUnlessObstacles: writes(checked, sql`NOT EXISTS (SELECT 1 FROM obstacles)`),
  };
});

/**
 * Updates the conversations that are there, and inserts the others; a field that was not supplied is NULL in the request.
 * There may be a view of a host's table in the place of ours, which takes no upsert.
 */
function writes(definitions: Sql, condition: Sql): string[] {
  return [
    sql`
      WITH ${definitions}
      UPDATE im_admin_conversations SET ${join(
        fields.map((field) => sql`${name(field)} = coalesce((SELECT ${name(field)} FROM request), ${name(field)})`),
        ",\n",
      )}
        WHERE conversation_id = (SELECT conversation_id FROM request)
          AND owner_user_id IN (SELECT user_id FROM users)
          AND (${join(
            fields.map((field) => sql`${name(field)} <> (SELECT ${name(field)} FROM request)`),
            " OR ",
          )}) AND ${condition}
      RETURNING owner_user_id`.text,
    sql`
      WITH ${definitions}
      INSERT INTO im_admin_conversations (owner_user_id, ${names(asked)})
        SELECT users.user_id, conversation_id, conversation_type, request.user_id, group_id, ${join(
          settableFields.map(
            ([field, { otherwise }]) => sql`coalesce(${name(field)}, ${literal(otherwise === "" ? "" : 0)})`,
          ),
        )}
        FROM request CROSS JOIN users
        WHERE ${condition} AND NOT EXISTS (
          SELECT 1 FROM im_admin_conversations stored
            WHERE stored.owner_user_id = users.user_id AND stored.conversation_id = request.conversation_id)
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
  const [obstacle] = obstacles;
  if (obstacle !== undefined) {
    if (obstacle["outcome"] === 0) return { outcome: "groupNotFound" };
    if (obstacle["outcome"] === 1) return { outcome: "groupDismissed" };
    const outcome = obstacle["outcome"] === 2 ? "usersNotFound" : "contradicted";
    return { outcome, userIDs: inOrder(change, obstacles, "id") };
  }
  const changed = hasFields(change) ? [...rowsOf(results, 1), ...rowsOf(results, 2)] : [];
  return { outcome: "done", changedUserIDs: inOrder(change, changed, "owner_user_id") };
}

/** The users of some rows, in the order of the request; its peer is the last. */
function inOrder({ userIDs, userID }: ConversationChange, rows: readonly Row[], column: string): string[] {
  const found = new Set(rows.map((row) => row[column]));
  return [...new Set([...userIDs, userID])].filter((id) => found.has(id));
}

function hasFields(change: ConversationChange): boolean {
  return Object.keys(change.fields).length > 0;
}

function* statements(change: ConversationChange): Generator<Statement, void, Row[] | undefined> {
  const arrays = arraysOf(change);
  const values = [...requestValues(change), ...arrays];
  const { readObstacles, writes, writesUnlessObstacles } = statementsFor(arrays.length);
  const obstacles = yield { text: readObstacles, values };
  if (!hasFields(change)) return;
  // An engine that takes a batch of statements has found no obstacles yet: there the others look for them again.
  const texts = obstacles === undefined ? writesUnlessObstacles : obstacles.length === 0 ? writes : [];
  for (const text of texts) yield { text, values };
}

/** The users as arrays in JSON. */
function arraysOf({ userIDs }: ConversationChange): string[] {
  const arrays: string[] = [];
  let first = 0;
  let length = 0;
  for (const [index, id] of userIDs.entries()) {
    if (length + id.length + 1 > mostCharacters) {
      arrays.push(JSON.stringify(userIDs.slice(first, index)));
      first = index;
      length = 0;
    }
    length += id.length + 1;
  }
  return [...arrays, JSON.stringify(userIDs.slice(first))];
}

function requestValues(change: ConversationChange): Value[] {
  return [
    ...conversation.map((field) => change[field]),
    ...fields.map((field) => {
      const value = change.fields[field] ?? null;
      return typeof value === "boolean" ? Number(value) : value;
    }),
  ];
}
