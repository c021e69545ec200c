import type { ConversationChange, ConversationChangeResult } from "../../../store.js";
import type { Row, SqlDatabase, Statement, Value } from "../database.js";
import { join, name, names, sql } from "../sql.js";

/** The fields that can be set. */
const fields = ["recvMsgOpt", "attachedInfo", "isPinned", "isPrivateChat", "ex", "burnDuration"] as const;

/** The request, its values bound once and named. */
const request = sql`
  request (userIDs, conversationID, conversationType, userID, groupID, ${names(fields)})
    AS (VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?))`;

/**
 * Whatever stands in the way of the request, the gravest first: a row for each group or user concerned, in the
 * request's order. The CROSS JOIN has SQLite look up the listed users' rows and not index all conversations first.
 */
const obstacles = sql`
  obstacles (gravity, outcome, id, position) AS (
    SELECT 1, 'groupNotFound', groupID, 0 FROM request
      WHERE conversationType = 3 AND NOT EXISTS (SELECT 1 FROM groups WHERE groups.groupID = request.groupID)
    UNION ALL
    SELECT 2, 'groupDismissed', groups.groupID, 0 FROM request CROSS JOIN groups ON groups.groupID = request.groupID
      WHERE request.conversationType = 3 AND groups.status = 2
    UNION ALL
    SELECT 3, 'usersNotFound', listed.value, listed.key FROM request, json_each(request.userIDs) AS listed
      WHERE NOT EXISTS (SELECT 1 FROM users WHERE users.userID = listed.value)
    UNION ALL
    SELECT 3, 'usersNotFound', userID, json_array_length(userIDs) FROM request
      WHERE conversationType = 1 AND NOT EXISTS (SELECT 1 FROM users WHERE users.userID = request.userID)
        AND NOT EXISTS (SELECT 1 FROM json_each(request.userIDs) WHERE value = request.userID)
    UNION ALL
    SELECT 4, 'contradicted', listed.value, listed.key FROM request, json_each(request.userIDs) AS listed
      CROSS JOIN conversations stored
      WHERE stored.ownerUserID = listed.value AND stored.conversationID = request.conversationID
        AND (stored.conversationType <> request.conversationType OR stored.userID <> request.userID
          OR stored.groupID <> request.groupID)
  )`;

const readObstacles = sql`
  WITH ${request},
  ${obstacles}
  SELECT outcome, id FROM obstacles WHERE gravity = (SELECT min(gravity) FROM obstacles) ORDER BY position`;

/** Writes unless there is an obstacle; a field that was not supplied is NULL in the request. */
const write = sql`
  WITH ${request},
  ${obstacles}
  INSERT INTO conversations (ownerUserID, conversationID, conversationType, userID, groupID, ${names(fields)})
    SELECT listed.value, conversationID, conversationType, userID, groupID, coalesce(recvMsgOpt, 0),
      coalesce(attachedInfo, ''), coalesce(isPinned, 0), coalesce(isPrivateChat, 0), coalesce(ex, ''),
      coalesce(burnDuration, 0)
    FROM request, json_each(request.userIDs) AS listed
    WHERE NOT EXISTS (SELECT 1 FROM obstacles)
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

/** Finds the obstacles and, where there are none, writes, in one transaction. */
export async function setConversations(
  database: SqlDatabase,
  change: ConversationChange,
): Promise<ConversationChangeResult> {
  const values = requestValues(change);
  const statements: Statement[] = [{ text: readObstacles.text, values }];
  if (Object.keys(change.fields).length > 0) statements.push({ text: write.text, values });
  const [obstacles = [], changed = []] = await database.write(statements);
  return obstacles.length > 0
    ? obstacleResult(obstacles)
    : { outcome: "done", changedUserIDs: changed.map((row) => String(row["ownerUserID"])) };
}

function requestValues({ fields: supplied, ...change }: ConversationChange): Value[] {
  const { conversationID, conversationType, userID, groupID } = change;
  return [
    JSON.stringify(change.userIDs),
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
