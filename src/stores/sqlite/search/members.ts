/**
 * The search for a keyword among members. All ways find the same members, at different costs. None costs much more than
 * reading all documents of a large group, or all rows of a small one.
 */
import type { GroupMembersQuery } from "../../../store.js";
import { groupMembers } from "../../lists/groupMembers.js";
import { type FoundPage, type PageReader, pageText, readPage } from "../pages/readPage.js";
import { filteredRows, isWanted, type Selection } from "../pages/selections.js";
import {
  isDocumentOf,
  listedMembers,
  memberKey,
  memberNickname,
  memberOf,
  recordOfMember,
} from "../schema/documents.js";
import { rangesText } from "../schema/keys.js";
import { rowsInOrder } from "../schema/listed.js";
import { our, type Sql, sql } from "../sql.js";
import { conditionOf, contains, type Words } from "./keyword.js";
import { chooseWay } from "./plan.js";

const isMatchingMember = sql`
  ${isWanted(groupMembers, memberKey)}
    AND ${contains([sql`member.user_id`, memberNickname])}`;

/** Reads all rows of a group. */
const rows = filteredRows(sql`
  SELECT member.group_id, member.user_id, ${memberKey} AS key
    FROM ${rowsInOrder(groupMembers, "member")}
      ${recordOfMember}
    WHERE member.group_id = (SELECT owner FROM request)
      AND ${isMatchingMember}`);

/** The list of the group. Engines bind a number as REAL, and an index takes only an INTEGER for the end of a range. */
const list = sql`(SELECT CAST(list AS INTEGER) FROM request)`;

/** The ids of the group's documents that an index finds. Further conditions may follow. */
const found = (index: Words["index"]) => sql`
  ${our(index)} hit
    WHERE ${our(index)} MATCH (SELECT match FROM request)
      AND ${isDocumentOf(sql`hit.rowid`, list)}`;

/** The changes of the group's documents that the indexes have not got yet. */
const changes = sql`
  im_admin_document_changes changed
    WHERE ${isDocumentOf(sql`changed.document`, list)}
      AND ${contains([sql`changed.text`])}`;

/** Verifies the documents that an index finds, and those with changes that it has not got yet. */
const candidates = (index: Words["index"]) =>
  filteredRows(sql`
    SELECT member.group_id, member.user_id, ${memberKey} AS key FROM (
        SELECT ${memberOf(sql`hit.rowid`)} AS id FROM ${found(index)}
        UNION
        SELECT ${memberOf(sql`changed.document`)} FROM ${changes}
      ) hit
        CROSS JOIN ${listedMembers} member ON member.id = hit.id
        ${recordOfMember}
      WHERE member.group_id = (SELECT owner FROM request)
        AND ${isMatchingMember}`);

/**
 * The documents with the keyword. If the keyword has a line break, the two texts are compared separately, since a line
 * break is between them. Further conditions may follow.
 */
const matchingDocuments = sql`
  im_admin_documents document
    WHERE document.list = (SELECT list FROM request)
      AND ${contains([sql`document.text`])}
      AND (NOT (SELECT has_line_break FROM request) OR EXISTS (
        SELECT 1 FROM ${listedMembers} member
          ${recordOfMember}
          WHERE member.id = document.member AND ${contains([sql`member.user_id`, memberNickname])}))`;

/** The rows of a page of documents. */
function membersOf(documents: Sql): Sql {
  return sql`
    SELECT member.group_id, member.user_id, found.key FROM (
      ${documents}
    ) found CROSS JOIN ${listedMembers} member ON member.id = found.member`;
}

/** Takes the total from the index, and reads documents up to the page, from the nearer end. */
const counted: Selection = {
  definitions: [
    sql`
      counted AS MATERIALIZED (
        SELECT (SELECT count(*) FROM ${found("documentGrams")})
          + (SELECT coalesce(sum(changed.change), 0) FROM ${changes}) AS total
      )`,
    sql`
      direction AS MATERIALIZED (
        SELECT skip <= total / 2 AS is_forward, total - skip - size AS after,
            CASE WHEN skip < total THEN min(size, total - skip) ELSE 0 END AS size
          FROM request CROSS JOIN counted
      )`,
  ],
  total: sql`(SELECT total FROM counted)`,
  page: sql`
    ${membersOf(sql`
      SELECT * FROM (
        SELECT document.member, document.key FROM ${matchingDocuments}
          ORDER BY document.key
          LIMIT (SELECT size * is_forward FROM direction) OFFSET (SELECT skip FROM request)
      ) UNION ALL SELECT * FROM (
        SELECT document.member, document.key FROM ${matchingDocuments}
          ORDER BY document.key DESC
          LIMIT (SELECT size * NOT is_forward FROM direction) OFFSET (SELECT max(after, 0) FROM direction)
      )`)}`,
};

/**
 * Reads all documents, or those of the wanted levels. It divides the list into some hundred parts by the starts of
 * nodes, and counts the documents with the keyword in each part. Then it reads the one or few parts that contain the
 * page. The last part ends at x'', since no text is greater than a blob.
 */
const look: Selection = {
  definitions: [
    sql`
      bounds (start) AS (
        SELECT ''
        UNION
        SELECT node.start FROM im_admin_lists CROSS JOIN im_admin_list_nodes node ON node.list = im_admin_lists.id
          WHERE im_admin_lists.id = (SELECT list FROM request) AND node.level = max(1, im_admin_lists.height - 2)
      )`,
    sql`
      parts (start, end) AS MATERIALIZED (
        SELECT max(start, range.value ->> 0), min(following, coalesce(range.value ->> 1, x''))
          FROM (SELECT start, lead(start, 1, x'') OVER (ORDER BY start) AS following FROM bounds)
            CROSS JOIN json_each(coalesce((SELECT ranges FROM request), '[["", null]]')) range
          WHERE following > range.value ->> 0 AND start < coalesce(range.value ->> 1, x'')
      )`,
    sql`
      counted (start, end, total) AS MATERIALIZED (
        SELECT start, end, (
          SELECT count(*) FROM ${matchingDocuments} AND document.key >= start AND document.key < end
        ) FROM parts
      )`,
    sql`
      around AS MATERIALIZED (
        SELECT start, end, rank FROM request
          CROSS JOIN (SELECT *, sum(total) OVER (ORDER BY start) - total AS rank FROM counted WHERE total > 0)
          WHERE rank < request.skip + request.size AND rank + total > request.skip
      )`,
  ],
  total: sql`(SELECT coalesce(sum(total), 0) FROM counted)`,
  page: sql`
    ${membersOf(sql`
      SELECT document.member, document.key
        FROM around CROSS JOIN ${matchingDocuments} AND document.key >= around.start AND document.key < around.end
        ORDER BY document.key
        LIMIT (SELECT size FROM request) OFFSET coalesce((SELECT (SELECT skip FROM request) - min(rank) FROM around), 0)`)}`,
};

/** The condition that the group still has documents: it may have lost them since the way was chosen. */
const condition = sql`
  EXISTS (SELECT 1 FROM im_admin_lists
    WHERE id = request.list AND name = 'groupMembers' AND owner = request.owner AND has_documents)`;

const ofRows = pageText(groupMembers, rows);
const ofDocuments = {
  counted: pageText(groupMembers, counted, { condition }),
  look: pageText(groupMembers, look, { condition }),
  documentTrigrams: pageText(groupMembers, candidates("documentTrigrams"), { condition }),
  documentGrams: pageText(groupMembers, candidates("documentGrams"), { condition }),
};

export async function searchGroupMembers(reader: PageReader, query: GroupMembersQuery): Promise<FoundPage | undefined> {
  const { groupID: owner, keyword, roleLevels } = query;
  const ranges = roleLevels === undefined ? null : rangesText(groupMembers, roleLevels);
  const request = { owner, ranges, ...conditionOf(keyword) };
  const way = await chooseWay(reader, query);
  const page =
    way && (await readPage(reader, ofDocuments[way.kind], query, { ...request, list: way.list, match: way.match }));
  return page ?? readPage(reader, ofRows, query, request);
}
