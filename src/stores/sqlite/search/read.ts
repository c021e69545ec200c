/**
 * The search for a keyword. All ways find the same; they differ in what they cost, and none costs much more than a look
 * at all documents of a large group, or at all rows of a small one.
 */
import type { GroupMember, NotificationAccount } from "../../../model.js";
import type { Page } from "../../../pagination.js";
import type { GroupMembersQuery, NotificationAccountsQuery } from "../../../store.js";
import { groupMembers } from "../../lists/groupMembers.js";
import { notificationAccounts } from "../../lists/notificationAccounts.js";
import type { SqlDatabase } from "../database.js";
import { keyOf, rangesText } from "../nodes/keys.js";
import { filteredRows, isWanted, ownedRows, type Selection } from "../nodes/read.js";
import { pageStatement, readPage } from "../pages/readPage.js";
import { join, name, type Sql, sql } from "../sql.js";
import { conditionOf, type Words } from "./keyword.js";
import { chooseWay, type Way } from "./plan.js";
import { isDocumentOf, memberKey, memberNickname, memberOf } from "./tables.js";

/** The condition that one of some texts contains the keyword: of `request.pattern`, and of `request.literal`. */
function contains(texts: readonly Sql[]): Sql {
  const literal = sql`(SELECT literal FROM request)`;
  const conditions = texts.map(
    (text) => sql`
      ${text} LIKE (SELECT pattern FROM request) ESCAPE '\\'
        AND (${literal} IS NULL OR instr(lower(${text}), ${literal}) > 0)`,
  );
  return sql`(${join(conditions, "\nOR ")})`;
}

const isMatchingMember = sql`
  ${isWanted(groupMembers, memberKey)}
    AND ${contains([sql`member.userID`, memberNickname])}`;

/** Looks at the rows of a group. */
const rows = filteredRows(sql`
  SELECT member.id, ${memberKey} AS key
    FROM groupMembers member INDEXED BY groupMembersInOrder
      LEFT JOIN users profile ON profile.userID = member.userID
    WHERE member.groupID = (SELECT owner FROM request)
      AND ${isMatchingMember}`);

/** The ids that an index finds in the group's documents. */
const found = (index: Words["index"]) => sql`
  ${name(index)} hit
    WHERE ${name(index)} MATCH (SELECT match FROM request)
      AND ${isDocumentOf(sql`hit.rowid`, sql`(SELECT list FROM request)`)}`;

/** What the indexes are yet to be told of the group's documents. */
const changes = sql`
  documentChanges changed
    WHERE ${isDocumentOf(sql`changed.document`, sql`(SELECT list FROM request)`)}
      AND ${contains([sql`changed.userID`, sql`changed.nickname`])}`;

/** Verifies what an index finds, and what it is yet to be told. */
const candidates = (index: Words["index"]) =>
  filteredRows(sql`
    SELECT member.id, ${memberKey} AS key FROM (
        SELECT ${memberOf(sql`hit.rowid`)} AS id FROM ${found(index)}
        UNION
        SELECT ${memberOf(sql`changed.document`)} FROM ${changes}
      ) hit
        CROSS JOIN groupMembers member ON member.id = hit.id
        LEFT JOIN users profile ON profile.userID = member.userID
      WHERE member.groupID = (SELECT owner FROM request)
        AND ${isMatchingMember}`);

/** The documents with the keyword. To look for a filter costs as much as a tenth of a look at the texts. */
const matchingDocuments = (isFiltered: boolean) => sql`
  documents document
    WHERE document.list = (SELECT list FROM request)
      AND ${contains([sql`document.userID`, sql`document.nickname`])}
      AND ${isFiltered ? isWanted(groupMembers, sql`document.key`) : sql`true`}`;

/**
 * Goes through the documents in the order of the list, up to the page from whichever end is nearer to it, after all of
 * them have been counted: once by going through them, or by the index where that is exact.
 */
const walk = (isFiltered: boolean): Selection => ({
  definitions: [
    sql`
      counted AS MATERIALIZED (
        SELECT CASE WHEN (SELECT match FROM request) IS NULL
          THEN (SELECT count(*) FROM ${matchingDocuments(isFiltered)})
          ELSE (SELECT count(*) FROM ${found("documentGrams")})
            + (SELECT coalesce(sum(changed.change), 0) FROM ${changes}) END AS total
      )`,
    sql`
      direction AS MATERIALIZED (
        SELECT skip <= total / 2 AS isForward, total - skip - size AS after,
            CASE WHEN skip < total THEN min(size, total - skip) ELSE 0 END AS size
          FROM request CROSS JOIN counted
      )`,
  ],
  total: sql`(SELECT total FROM counted)`,
  page: sql`
      SELECT * FROM (
        SELECT document.member AS id, document.key FROM ${matchingDocuments(isFiltered)}
          ORDER BY document.key
          LIMIT (SELECT size * isForward FROM direction) OFFSET (SELECT skip FROM request)
      ) UNION ALL SELECT * FROM (
        SELECT document.member, document.key FROM ${matchingDocuments(isFiltered)}
          ORDER BY document.key DESC
          LIMIT (SELECT size * NOT isForward FROM direction) OFFSET (SELECT max(after, 0) FROM direction)
      )`,
});

const keywordColumns = ["owner", "skip", "size", "ranges", "pattern", "literal"] as const;
const documentColumns = [...keywordColumns, "list", "match"] as const;

const ofRows = pageStatement(groupMembers, rows, keywordColumns);
const ofDocuments = {
  walk: pageStatement(groupMembers, walk(false), documentColumns, stillHasDocuments()),
  filteredWalk: pageStatement(groupMembers, walk(true), documentColumns, stillHasDocuments()),
  documentTrigrams: pageStatement(groupMembers, candidates("documentTrigrams"), documentColumns, stillHasDocuments()),
  documentGrams: pageStatement(groupMembers, candidates("documentGrams"), documentColumns, stillHasDocuments()),
};

/** Between the choice of a way and the search, the group may have lost its documents. */
function stillHasDocuments(): Sql {
  return sql`
    EXISTS (SELECT 1 FROM lists
      WHERE id = request.list AND name = 'groupMembers' AND owner = request.owner AND hasDocuments)`;
}

export async function searchGroupMembers(
  database: SqlDatabase,
  query: GroupMembersQuery,
): Promise<Page<GroupMember> | undefined> {
  const { groupID: owner, keyword, roleLevels, offset: skip, limit: size } = query;
  const ranges = roleLevels === undefined ? null : rangesText(groupMembers, roleLevels);
  const request = { owner, skip, size, ranges, ...conditionOf(keyword) };
  const way = await chooseWay(database, query);
  if (way.kind !== "rows") {
    const page = await searchDocuments(way);
    if (page !== undefined) return page;
  }
  return readPage(database, ofRows, request);

  function searchDocuments(way: Exclude<Way, { kind: "rows" }>): Promise<Page<GroupMember> | undefined> {
    const { list, match } = way;
    if (way.kind === "candidates") return readPage(database, ofDocuments[way.index], { ...request, list, match });
    if (ranges === null) return readPage(database, ofDocuments.walk, { ...request, list, match });
    // An index knows nothing of a filter.
    return readPage(database, ofDocuments.filteredWalk, { ...request, list, match: null });
  }
}

/** Looks at the rows of all accounts, which an index has. */
const accounts: Selection = {
  definitions: [],
  total: sql`(SELECT count(*) FROM ${matchingAccounts()})`,
  page: sql`
    SELECT userID, ${keyOf(notificationAccounts)} AS key FROM ${matchingAccounts()}
      ORDER BY ${keyOf(notificationAccounts)} LIMIT (SELECT size FROM request) OFFSET (SELECT skip FROM request)`,
};

function matchingAccounts(): Sql {
  const level = sql`(SELECT level FROM request)`;
  return sql`
    ${ownedRows(notificationAccounts)} AND (${level} IS NULL OR appMangerLevel = ${level})
      AND ${contains([sql`userID`, sql`nickname`])}`;
}

const ofAccounts = pageStatement(notificationAccounts, accounts, [
  "skip",
  "size",
  "level",
  "pattern",
  "literal",
] as const);

export function searchNotificationAccounts(
  database: SqlDatabase,
  query: NotificationAccountsQuery,
): Promise<Page<NotificationAccount> | undefined> {
  const { keyword, appMangerLevel: level = null, offset: skip, limit: size } = query;
  return readPage(database, ofAccounts, { skip, size, level, ...conditionOf(keyword) });
}
