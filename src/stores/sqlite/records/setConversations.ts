import type { ConversationFields } from "../../../model.js";
import { settableFields } from "../../../records.js";
import { remembered } from "../../../remembered.js";
import type { ConversationChange, ConversationChangeResult, StoreCall } from "../../../store.js";
import { snakeCase } from "../../snakeCase.js";
import { mayCreate, mostTold, toldTooMuch, valuesBefore } from "../../valuesBefore.js";
import {
  type HostID,
  type HostTable,
  type Row,
  rowsOf,
  type SqlDatabase,
  type Statement,
  type Value,
} from "../database.js";
import { failing, hasFailed } from "../failing.js";
import { isOutdated } from "../map/mapped.js";
import { hasKey } from "../schema/keys.js";
import { all, join, literal, name, names, raw, type Sql, sql } from "../sql.js";
import { stored } from "./read.js";

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
  im_admin_request (${names(asked)})
    AS (VALUES (${raw(asked.map(() => "?").join())})),
  im_admin_arrays (user_ids) AS (VALUES ${raw(Array(arrays).fill("(?)").join(", "))}),
  im_admin_targets (user_id) AS (SELECT value FROM im_admin_arrays, json_each(user_ids))`;

/** The condition that a conversation is that of a user and of the request. */
const isAsked = all([
  hasKey("conversations", "stored", "ownerUserID", raw("users.user_id")),
  hasKey("conversations", "stored", "conversationID", raw("request.conversation_id")),
]);

/**
 * A row for each group or user that stands in the way, with a number for the outcome; the lowest is reported. The CROSS
 * JOIN has SQLite look up the users' rows and not index all conversations first.
 */
const obstacles = sql`
  im_admin_obstacles (outcome, id) AS (
    SELECT status IS NOT NULL, group_id FROM (
        SELECT request.group_id, (
            SELECT status FROM im_admin_groups stored WHERE ${hasKey("groups", "stored", "groupID", raw("request.group_id"))}
          ) AS status
          FROM im_admin_request request WHERE request.conversation_type = 3
      ) WHERE coalesce(status, 2) = 2
    UNION ALL
    SELECT 2, user_id FROM (SELECT user_id FROM im_admin_targets UNION SELECT user_id FROM im_admin_request WHERE conversation_type = 1) concerned
      WHERE NOT EXISTS (
        SELECT 1 FROM im_admin_users stored WHERE ${hasKey("users", "stored", "userID", raw("concerned.user_id"))})
    UNION ALL
    SELECT 3, users.user_id FROM im_admin_request request CROSS JOIN im_admin_targets users CROSS JOIN im_admin_conversations stored
      WHERE ${isAsked}
        AND (stored.conversation_type <> request.conversation_type OR stored.user_id <> request.user_id
          OR stored.group_id <> request.group_id)
  )`;

/** The values that a conversation must have now to be changed, NULL for any. They are bound behind those of the request. */
const expectation = sql`
  im_admin_expected (${names(fields)}) AS (VALUES (${raw(fields.map(() => "?").join())}))`;

/** im-admin's own table. */
const ownTable: HostTable = {
  table: "im_admin_conversations",
  ownerUserID: { text: "owner_user_id", columns: [["owner_user_id", ":key"]] },
  conversationID: { text: "conversation_id", columns: [["conversation_id", ":key"]] },
  columns: Object.fromEntries(fields.map((field) => [field, snakeCase(field)])),
  ends: ["conversationType", "userID", "groupID"].map((field) => [
    snakeCase(field),
    `im_admin_request.${snakeCase(field)}`,
  ]),
};

/** The statements for a table, and identifiers in a number of arrays. */
const statementsFor = remembered((table: HostTable) =>
  remembered((arrays: number) => {
    const definitions = request(arrays);
    const checked = join([definitions, obstacles], ",\n");
    return {
      definitions,
      readObstacles: sql`
        WITH ${checked}
        SELECT outcome, id FROM im_admin_obstacles WHERE outcome = (SELECT min(outcome) FROM im_admin_obstacles)`.text,
      writes: writes(table, definitions, sql`true`),
      writesUnlessObstacles: writes(table, checked, noObstacles),
    };
  }),
);

const noObstacles = sql`NOT EXISTS (SELECT 1 FROM im_admin_obstacles)`;

/** The told fields of the conversations that are there. */
function readBefore(definitions: Sql, tell: readonly string[]): string {
  return sql`
    WITH ${definitions}
    SELECT ${join([sql`users.user_id`, ...tell.map((field) => sql`stored.${name(snakeCase(field))}`)])}
      FROM im_admin_request request CROSS JOIN im_admin_targets users CROSS JOIN im_admin_conversations stored
      WHERE ${isAsked}`.text;
}

/**
 * Updates the conversations that are there, and inserts the others; a field that was not supplied is NULL in the request.
 * A host's table may have no unique key, so this is no upsert.
 */
function writes(table: HostTable, definitions: Sql, condition: Sql): Writes {
  const settable = settableFields.flatMap(([field, { otherwise }]) => {
    const column = table.columns[field];
    return column === undefined ? [] : [{ field: name(field), column: raw(column), otherwise }];
  });
  const { ownerUserID: owner, conversationID: id } = table;
  const isStored = all([
    ...sameID(owner, (value) => sql`= ${value("im_admin_targets.user_id")}`),
    ...sameID(id, (value) => sql`= ${value("im_admin_request.conversation_id")}`),
  ]);
  const update = (given: Sql, condition: Sql) => sql`
    WITH ${given}
    UPDATE ${raw(table.table)} SET ${join(
      settable.map(
        ({ field, column }) => sql`${column} = coalesce((SELECT ${field} FROM im_admin_request), ${column})`,
      ),
      ",\n",
    )}
      WHERE ${all([
        ...sameID(id, (value) => sql`= (SELECT ${value("conversation_id")} FROM im_admin_request)`),
        ...sameID(owner, (value) => sql`IN (SELECT ${value("user_id")} FROM im_admin_targets)`),
      ])}
        AND (${join(
          settable.map(
            ({ field, column }) => sql`${column} IS NOT coalesce((SELECT ${field} FROM im_admin_request), ${column})`,
          ),
          " OR ",
        )}) AND ${condition}
    RETURNING ${raw(owner.text)} AS owner_user_id`;
  const identity = [
    ...columnValues(owner, "im_admin_targets.user_id"),
    ...columnValues(id, "im_admin_request.conversation_id"),
    ...table.ends,
  ];
  const insert = sql`
    WITH ${definitions}
    INSERT INTO ${raw(table.table)} (${join([
      ...identity.map(([column]) => raw(column)),
      ...settable.map(({ column }) => column),
    ])})
      SELECT ${join([
        ...identity.map(([, value]) => raw(value)),
        ...settable.map(({ field, otherwise }) => sql`coalesce(${field}, ${literal(otherwise === "" ? "" : 0)})`),
      ])}
      FROM im_admin_request CROSS JOIN im_admin_targets
      WHERE ${condition} AND NOT EXISTS (SELECT 1 FROM ${raw(table.table)} WHERE ${isStored})
    RETURNING ${raw(owner.text)} AS owner_user_id`;
  const isExpected = settable.map(({ field, column, otherwise }) => {
    const expected = sql`(SELECT ${field} FROM im_admin_expected)`;
    const isDefault = sql`${column} IS NULL AND ${expected} = ${literal(otherwise === "" ? "" : 0)}`;
    return sql`(${expected} IS NULL OR ${column} IS ${expected} OR ${isDefault})`;
  });
  const nothing = sql`SELECT 1 WHERE false`;
  const updateWhere = (given: Sql, condition: Sql) => (settable.length === 0 ? nothing : update(given, condition)).text;
  // It fails where a row cannot be found by its ID, which undoes the write.
  const verify = sql`
    WITH ${definitions}
    SELECT ${failing(lostRow)} FROM im_admin_request CROSS JOIN im_admin_targets
      WHERE ${condition} AND NOT EXISTS (SELECT 1 FROM ${raw(table.table)} WHERE ${isStored})`;
  return {
    update: updateWhere(definitions, condition),
    updateExpected: updateWhere(join([definitions, expectation], ",\n"), join([condition, ...isExpected], " AND ")),
    insert: [insert, ...(table === ownTable ? [] : [verify])].map(({ text }) => text),
  };
}

/** A row that was written and is not found by its ID. */
const lostRow = "im_admin_lost_row";

/** The conditions that a row has an ID. The columns find it by an index, and the text says whether it is the same. */
function sameID({ text, columns }: HostID, compared: (value: (id: string) => Sql) => Sql): Sql[] {
  return [[text, ":key"] as const, ...columns].map(
    ([column, value]) => sql`${raw(column)} ${compared((id) => raw(value.replaceAll(":key", id)))}`,
  );
}

/** The columns of an ID in a new row, with their values. */
function columnValues({ columns }: HostID, id: string): [column: string, value: string][] {
  return columns.map(([column, value]) => [column, value.replaceAll(":key", id)]);
}

/** The statements that write. */
interface Writes {
  update: string;
  /** The same for conversations with the expected values. */
  updateExpected: string;
  insert: string[];
}

/**
 * Finds the obstacles and, where there are none, writes, in one transaction. It begins anew if another map was installed
 * meanwhile, which may name another table.
 */
export async function setConversations(
  database: SqlDatabase,
  change: ConversationChange,
  call?: StoreCall,
): Promise<ConversationChangeResult> {
  const set = () => setIn(database, change, call);
  return set()
    .catch((error: unknown) => {
      if (isOutdated(error)) return set();
      throw error;
    })
    .catch((error: unknown) => {
      if (!hasFailed(lostRow, error)) throw error;
      throw new Error("conversations: the row of an ID cannot be found by it, since its columns have other types", {
        cause: error,
      });
    });
}

async function setIn(
  database: SqlDatabase,
  change: ConversationChange,
  call?: StoreCall,
): Promise<ConversationChangeResult> {
  // Without a pause where that can be, so that writes begin in the order of the calls.
  const looked = database.lookAtSchema?.();
  if (looked instanceof Promise) await looked;
  const found = database.conversationTable?.();
  const table = (found instanceof Promise ? await found : found) ?? ownTable;
  const { isEmpty = false } = table;
  if (!isEmpty) requireSettable(table, change);
  const { tell } = change;
  const results = await database.write(statements(table, change), call);
  const obstacles = rowsOf(results.splice(0, 1), 0);
  const [obstacle] = obstacles;
  if (obstacle !== undefined) {
    if (obstacle["outcome"] === 0) return { outcome: "groupNotFound" };
    if (obstacle["outcome"] === 1) return { outcome: "groupDismissed" };
    const outcome = obstacle["outcome"] === 2 ? "usersNotFound" : "contradicted";
    return { outcome, userIDs: inOrder(change, obstacles, "id") };
  }
  if (isEmpty && (hasFields(change) || tell !== undefined)) return { outcome: "notKept" };
  const told = tell && rowsOf(results.splice(0, 1), 0);
  const updated = hasFields(change) ? rowsOf(results, 0) : [];
  const created = hasFields(change) && mayCreate(change) ? rowsOf(results, 1) : [];
  const changedUserIDs = inOrder(change, [...updated, ...created], "owner_user_id");
  if (tell === undefined || told === undefined) return { outcome: "done", changedUserIDs };
  const known = new Map(told.map((row) => [row["user_id"], row]));
  const before = valuesBefore(tell, hasFields(change) ? changedUserIDs : change.userIDs, (userID, field, kind) => {
    const row = known.get(userID);
    return row && stored(kind, row[snakeCase(field)]);
  });
  return { outcome: "done", changedUserIDs, before };
}

/** The users of some rows, in the order of the request; its peer is the last. */
function inOrder({ userIDs, userID }: ConversationChange, rows: readonly Row[], column: string): string[] {
  const found = new Set(rows.map((row) => row[column]));
  return [...new Set([...userIDs, userID])].filter((id) => found.has(id));
}

function hasFields(change: ConversationChange): boolean {
  return Object.keys(change.fields).length > 0;
}

/** @throws Error if the host's table has no place for a value */
function requireSettable({ refusal, columns }: HostTable, change: ConversationChange): void {
  if (refusal !== undefined) throw new Error(refusal);
  for (const [field, { otherwise }] of settableFields) {
    const values = [change.fields[field] ?? otherwise, change.onlyIf?.[field] ?? otherwise];
    if (columns[field] === undefined && values.some((value) => value !== otherwise)) {
      throw new Error(`conversations are mapped without ${field}`);
    }
  }
}

function* statements(table: HostTable, change: ConversationChange): Generator<Statement, void, Row[] | undefined> {
  const { tell, onlyIf } = change;
  const arrays = arraysOf(change);
  const values = [...conversation.map((field) => change[field]), ...valuesOf(change.fields), ...arrays];
  const { definitions, readObstacles, writes, writesUnlessObstacles } = statementsFor(table)(arrays.length);
  const obstacles = yield { text: readObstacles, values };
  if (tell !== undefined) {
    const told = yield { text: readBefore(definitions, tell), values };
    if (charactersOf(told ?? []) > mostTold) throw new Error(toldTooMuch);
  }
  if (!hasFields(change) || table.isEmpty || (obstacles !== undefined && obstacles.length > 0)) return;
  // An engine that takes a batch of statements has found no obstacles yet: there the others look for them again.
  const { update, updateExpected, insert } = obstacles === undefined ? writesUnlessObstacles : writes;
  if (onlyIf === undefined) yield { text: update, values };
  else yield { text: updateExpected, values: [...values, ...valuesOf(onlyIf)] };
  if (!mayCreate(change)) return;
  for (const text of insert) yield { text, values };
}

function charactersOf(rows: readonly Row[]): number {
  let characters = 0;
  for (const row of rows) {
    for (const value of Object.values(row)) characters += String(value).length;
  }
  return characters;
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

/** The values of the fields that can be set; NULL for those that are not given. */
function valuesOf(given: Partial<ConversationFields>): Value[] {
  return fields.map((field) => {
    const value = given[field] ?? null;
    return typeof value === "boolean" ? Number(value) : value;
  });
}
