/** What is to be true of documents. */
import type { Comparison } from "../nodes/check.js";
import { literal, raw, type Sql, sql } from "../sql.js";
import { documentsOf, members, membersOfSearched, userOf } from "./tables.js";

const documented = (condition: Sql) => sql`
  SELECT document.* FROM (${condition}) document
    JOIN searched_groups searched ON searched.group_id = document.group_id AND document.key < searched.documented_before`;

const actual = documented(raw("SELECT group_id, key, words FROM documents"));
const wanted = documented(documentsOf(membersOfSearched));

export const documentComparisons: readonly Comparison[] = [
  {
    problem: "documents are not what members and their profiles say",
    wrong: sql`
      SELECT different.group_id FROM (
          (${actual} EXCEPT ${wanted})
          UNION ALL (${wanted} EXCEPT ${actual})
        ) different
        WHERE NOT EXISTS (
            SELECT FROM list_changes pending WHERE pending.list = ${literal(members.id)}
              AND pending.owner = different.group_id AND pending.key = different.key)
          AND NOT EXISTS (SELECT FROM profile_doubts doubt WHERE ${userOf(raw("different.key"))} = ANY (doubt.user_ids))`,
  },
  {
    problem: "documents belong to no group that is searched",
    wrong: sql`
      SELECT group_id FROM documents UNION SELECT group_id FROM searched_groups
      EXCEPT (
        SELECT searched.group_id FROM searched_groups searched
          JOIN lists counted ON counted.list = ${literal(members.id)} AND counted.owner = searched.group_id
            AND counted.is_counted)`,
  },
];
