import type { ConversationChange, ConversationChangeResult } from "../../../store.js";
import type { Row, SqlDatabase, Statement, Value } from "../database.js";
import { join, name, names, type Sql, sql } from "../sql.js";

/** The fields that can be set. */
const fields = ["recvMsgOpt", "attachedInfo", "isPinned", "isPrivateChat", "ex", "burnDuration"] as const;

/** The request, its values bound once and named: `concerned` are the `count` users whose conversation is set, and the peer. */
const request = sql`
  request (concerned, count, conversationID, conversationType, userID, groupID, ${names(fields)})
    AS (VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?))`;

/**
 * Whatever stands in the way of the request, the gravest first: a row for each group or user concerned, in the
 * request's order. The CROSS JOIN has SQLite look up the listed users' rows and not index all conversations first.
 */
const obstacles = sql`
  obstacles (gravity, outcome, id, position) AS (
    SELECT 1, CASE WHEN stored.groupID IS NULL THEN 'groupNotFound' ELSE 'groupDismissed' END, request.groupID, 0
      FROM request LEFT JOIN groups stored ON stored.groupID = request.groupID
      WHERE request.conversationType = 3 AND (stored.groupID IS NULL OR stored.status = 2)
    UNION ALL
    SELECT 2, 'usersNotFound', listed.value, listed.key FROM request, json_each(request.concerned) AS listed
      WHERE NOT EXISTS (SELECT 1 FROM users WHERE users.userID = listed.value)
    UNION ALL
    SELECT 3, 'contradicted', listed.value, listed.key FROM request, json_each(request.concerned) AS listed
      CROSS JOIN conversations stored
      WHERE listed.key < request.count
        AND stored.ownerUserID = listed.value AND stored.conversationID = request.conversationID
        AND (stored.conversationType <> request.conversationType OR stored.userID <> request.userID
          OR stored.groupID <> request.groupID)
  )`;

const readObstacles = sql`
  WITH ${request},
  ${obstacles}
  SELECT outcome, id FROM obstacles WHERE gravity = (SELECT min(gravity) FROM obstacles) ORDER BY position`;

/** Writes; a field that was not supplied is NULL in the request. */
const write = (definitions: Sql, condition: Sql) => sql`
  WITH ${definitions}
  INSERT INTO conversations (ownerUserID, conversationID, conversationType, userID, groupID, ${names(fields)})
    SELECT listed.value, conversationID, conversationType, userID, groupID, coalesce(recvMsgOpt, 0),
      coalesce(attachedInfo, ''), coalesce(isPinned, 0), coalesce(isPrivateChat, 0), coalesce(ex, ''),
      coalesce(burnDuration, 0)
    FROM request, json_each(request.concerned) AS listed
    WHERE listed.key < request.count AND ${condition}
    ON CONFLICT (ownerUserID, conversationID) DO UPDATE SET
      ${join(
        fields.map((field) => sql`${name(field)} = coalesce((SELECT ${name(field)} FROM request), ${name(field)})`),
        ",\n",
      )}
    WHERE ${join(
      fields.map((field) => sql`${name(field)} <> (SELECT ${name(field)} FROM request)`),
      " OR ",
    )}
  RETURNING ownerUserID`;

const writeAll = write(request, sql`true`);
const writeUnlessObstacles = write(join([request, obstacles], ",\n"), sql`NOT EXISTS (SELECT 1 FROM obstacles)`);

/** Finds the obstacles and, where there are none, writes, in one transaction. */
export async function setConversations(
  database: SqlDatabase,
  change: ConversationChange,
): Promise<ConversationChangeResult> {
  const [obstacles = [], changed = []] = await database.write(statements(change));
  return obstacles.length > 0
    ? obstacleResult(obstacles)
    : { outcome: "done", changedUserIDs: changed.map((row) => String(row["ownerUserID"])) };
}

function* statements(change: ConversationChange): Generator<Statement, void, Row[] | undefined> {
  const values = requestValues(change);
  const obstacles = yield { text: readObstacles.text, values };
  if (Object.keys(change.fields).length === 0) return;
  // An engine that takes a batch of statements has found no obstacles yet: there the second one looks for them again.
  if (obstacles === undefined) yield { text: writeUnlessObstacles.text, values };
  else if (obstacles.length === 0) yield { text: writeAll.text, values };
}

function requestValues({ fields: supplied, ...change }: ConversationChange): Value[] {
  const { userIDs, conversationID, conversationType, userID, groupID } = change;
  const hasPeer = conversationType === 1 && !userIDs.includes(userID);
  return [
    JSON.stringify(hasPeer ? [...userIDs, userID] : userIDs),
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
