/** The checks of the documents of large groups. */
import { type Check, compare } from "../comparison.js";
import { isWaiting } from "../schema/changed.js";
import { listedMembers } from "../schema/documents.js";
import type { Sizes } from "../schema/sizes.js";
import { byList, selectDocuments } from "../settle/mendDocuments.js";
import { literal, type Sql, sql } from "../sql.js";
import { indexChecks } from "./checkIndexes.js";

export function searchChecks({ searched }: Sizes): Check[] {
  const isSettled = sql`NOT ${isWaiting("groupMembers", sql`member`)} AND NOT ${isWaiting("users", sql`member`)}`;
  const kept = sql`
    SELECT list, key, member, text FROM im_admin_documents
      WHERE NOT EXISTS (
        SELECT 1 FROM ${listedMembers} member WHERE member.id = im_admin_documents.member AND NOT (${isSettled}))`;
  const right = sql`
    SELECT * FROM (
      ${selectDocuments(sql`im_admin_lists.has_documents AND ${isSettled}`, byList)}
    )`;
  const named = (rows: Sql) => sql`
    SELECT coalesce((SELECT owner FROM im_admin_lists WHERE id = list), 'list ' || list) || ' ' || key
      FROM (SELECT NULL AS list, NULL AS key, NULL AS member, NULL AS text WHERE false
        UNION ALL SELECT * FROM (${rows}))`;
  return [
    compare("which groups have documents", [
      {
        problem: "groups are large and have no documents",
        wrong: sql`
          SELECT owner FROM im_admin_lists
            WHERE name = 'groupMembers' AND total > ${literal(searched)} AND NOT has_documents`,
      },
      {
        problem: "lists have documents that are no groups, or say it otherwise than by 0 and 1",
        wrong: sql`
          SELECT name || ' ' || owner FROM im_admin_lists
            WHERE has_documents NOT IN (0, 1) OR has_documents AND name <> 'groupMembers'`,
      },
    ]),
    compare("the documents", [
      { problem: "members have no document, or another one", wrong: named(sql`${right} EXCEPT ${kept}`) },
      { problem: "documents have no member, or another one", wrong: named(sql`${kept} EXCEPT ${right}`) },
    ]),
    ...indexChecks,
  ];
}
