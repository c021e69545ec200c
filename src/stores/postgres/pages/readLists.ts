/** Reads the pages of all lists: calls the function of the schema for each query. */
import type { JsonPage } from "../../../jsonLists.js";
import { defaultLimits } from "../../../limits.js";
import type { PageRange, Unreadable } from "../../../pagination.js";
import { type RecordName, recordFields, recordNames } from "../../../records.js";
import type {
  BlacksQuery,
  GroupMembersQuery,
  JoinedGroupsQuery,
  NotificationAccountsQuery,
  ReceivedGroupRequestsQuery,
} from "../../../store.js";
import { rangesOf } from "../../lists/digits.js";
import { groupMembers } from "../../lists/groupMembers.js";
import type { ListDefinition } from "../../lists/list.js";
import { notificationAccountsByLevel } from "../../lists/notificationAccounts.js";
import { snakeCase } from "../../snakeCase.js";
import { isForOthers, isOfRow, type PostgresPool, retried, run } from "../database.js";
import { turnsOf } from "../heavyTurns.js";
import { runForCall } from "../runForCall.js";
import { join, name, type Sql, sql, type Value } from "../sql.js";

/**
 * The pools that a list is read from, the signal of the call, and a callback that learns how many changes were pending.
 */
export interface Source {
  readPool: PostgresPool;
  /** The pool for reads when the other one fails. */
  pool: PostgresPool;
  schema: Sql;
  signal: AbortSignal | undefined;
  /** Whose heavy calls take turns with those of others. */
  caller: string;
  onPending: (pending: number) => void;
}

/** The longest page that is read at once, in items and in bytes. Longer pages, and searches, wait for their turn. */
const mostLightItems = 100;
const mostLightBytes = 1_048_576;

/** Reads a page with a function of the schema; undefined if the parent does not exist. */
async function read(
  { readPool, pool, schema, signal, caller, onPending }: Source,
  routine: keyof typeof kindsIn,
  asked: readonly Value[],
  range: PageRange,
  looksAtAll = false,
): Promise<JsonPage | undefined> {
  const { offset, limit, mostBytes = defaultLimits.pageBytes } = range;
  const values = asked.map((value) => sql`${value}`);
  // A read may conflict too: in serializable transactions, and on a replica.
  const runIn = (from: PostgresPool, text: Sql) => retried(() => runForCall(from, text, { signal }));
  const readBy = async (from: PostgresPool, bytes: number) => {
    const called = (skip: Sql) =>
      sql`${schema}.${name(routine)}(${join([...values, skip, sql`${limit}`, sql`${bytes}`])})`;
    const statement = sql`SELECT total::text, items, fitting::text, pending::text FROM ${called(sql`${offset}`)}`;
    try {
      return await runIn(from, statement);
    } catch (error) {
      if (signal?.aborted || !isOfRow(error)) throw error;
    }
    // The page is read after the setting, on which its first argument depends.
    const isCareful = sql`CASE mode.careful WHEN 'on' THEN ${offset}::bigint END`;
    const careful = sql`
      SELECT page.total::text, page.items, page.fitting::text, page.pending::text, current_setting('imadmin.unreadable', true) AS unreadable
        FROM (SELECT set_config('imadmin.is_careful', 'on', true) AS careful OFFSET 0) mode
          CROSS JOIN LATERAL ${called(isCareful)} page`;
    return runIn(from, careful).catch(async (error) => {
      throw isOfRow(error) ? await namedFailure(from, schema, kindsIn[routine], asked, error) : error;
    });
  };
  const answered = (bytes: number) =>
    readBy(readPool, bytes).catch((error) => {
      if (readPool === pool || signal?.aborted || !isForOthers(error)) throw error;
      return readBy(pool, bytes);
    });
  const inTurn = () => turnsOf(readPool).reads(caller, signal, () => answered(mostBytes));
  const isHeavy = looksAtAll || limit > mostLightItems;
  let [row] = await (isHeavy ? inTurn() : answered(Math.min(mostBytes, mostLightBytes)));
  if (row?.["fitting"] && !isHeavy && mostBytes > mostLightBytes) [row] = await inTurn();
  if (row === undefined) throw new Error("the database has not answered");
  onPending(Number(row["pending"]));
  if (row["total"] === null) return undefined;
  const { unreadable } = row;
  const told = unreadable ? { unreadable: (JSON.parse(String(unreadable)) as Unreadable[]).map(withNames) } : {};
  const total = Number(row["total"]);
  if (row["fitting"]) return { total, items: "[]", fitting: Number(row["fitting"]), ...told };
  return { total, items: String(row["items"]), ...told };
}

/** The kinds of records that decide about a page, with the part of their keys that is the first argument, if any is. */
const kindsIn = {
  group_members_page: { groups: "first", group_members: "first" },
  blacks_page: { users: "first", blacks: "first" },
  joined_groups_page: { users: "first", group_members: "second" },
  received_group_requests_page: { users: "first", group_members: "second", group_requests: undefined },
  notification_accounts_page: { users: undefined },
} as const;

/** Names the row that keeps a page from being read. The server's own message may contain its values. */
async function namedFailure(
  pool: PostgresPool,
  schema: Sql,
  kinds: Readonly<Record<string, "first" | "second" | undefined>>,
  [owner = null]: readonly Value[],
  error: unknown,
): Promise<Error> {
  const parts = Object.entries(kinds).flatMap(([kind, part]) => {
    const of = part === undefined ? sql`true` : sql`key.${name(part)} = ${owner}::text`;
    const aside = sql`
      SELECT key.record, key.first, key.second, key.problem FROM ${schema}.touched key
        WHERE key.record = ${kind} AND key.problem IS NOT NULL AND ${of}`;
    if (part === undefined) return [aside];
    const [first, second] = part === "first" ? [owner, null] : [null, owner];
    // If there are more rows, they are named as soon as settle() has set them aside.
    const looked = sql`
      SELECT ${kind}, found.first, found.second, found.field || ' cannot be read (SQLSTATE ' || found.reason || ')'
        FROM ${schema}.unreadable(${kind}, ${first}::text, ${second}::text, 1000) found WHERE found.decides`;
    return [aside, looked];
  });
  const rows = await run(pool, sql`${join(parts, " UNION ")} LIMIT 3`).catch(() => []);
  const named = rows.map(({ record, first, second, problem }) => {
    const key = [first, second].filter((part) => part !== null).join(", ");
    return `${recordOf(record)} ${key}: ${problem}`;
  });
  const { code } = error as { code?: unknown };
  return new Error(named.length > 0 ? named.join("; ") : `a row cannot be read (SQLSTATE ${code})`);
}

/** The kind of records whose table has this name. */
function recordOf(table: unknown): RecordName | undefined {
  return recordNames.find((record) => snakeCase(record) === table);
}

/** Names record and field as the map does; the schema notes a table and a column. */
function withNames(noted: Unreadable): Unreadable {
  const record = recordOf(noted.record) ?? "users";
  const [field] = recordFields[record].find(([named]) => snakeCase(named) === noted.field) ?? [noted.field];
  return { ...noted, record, field };
}

/** A keyword in small letters, as the searches expect it. */
function small(keyword: string): string {
  return keyword.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** How the keys of rows begin that have one of these numbers. */
function beginningsOf(list: ListDefinition, numbers: readonly number[]): string[] {
  return rangesOf(list, numbers).map(([beginning]) => beginning);
}

export function readGroupMembers(source: Source, query: GroupMembersQuery): Promise<JsonPage | undefined> {
  const { groupID, keyword, roleLevels } = query;
  const beginnings = roleLevels && beginningsOf(groupMembers, roleLevels);
  return read(source, "group_members_page", [groupID, beginnings ?? null, small(keyword)], query, keyword !== "");
}

export function readBlacks(source: Source, query: BlacksQuery): Promise<JsonPage | undefined> {
  return read(source, "blacks_page", [query.ownerUserID], query);
}

export function readJoinedGroups(source: Source, query: JoinedGroupsQuery): Promise<JsonPage | undefined> {
  return read(source, "joined_groups_page", [query.userID], query);
}

export function readReceivedGroupRequests(
  source: Source,
  query: ReceivedGroupRequestsQuery,
): Promise<JsonPage | undefined> {
  const { userID, groupIDs = null, handleResults = null } = query;
  return read(source, "received_group_requests_page", [userID, groupIDs, handleResults], query, groupIDs !== null);
}

export async function readNotificationAccounts(source: Source, query: NotificationAccountsQuery): Promise<JsonPage> {
  const { keyword, appMangerLevel } = query;
  const beginnings = appMangerLevel === undefined ? null : beginningsOf(notificationAccountsByLevel, [appMangerLevel]);
  const page = await read(source, "notification_accounts_page", [beginnings, small(keyword)], query, keyword !== "");
  return page ?? { total: 0, items: "[]" };
}
