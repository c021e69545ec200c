/** What is said of members whose documents may be others: see tables.ts. */

import type { Sizes } from "../nodes/tables.js";
import { append, askToFoldByChance, changes, ownerOf } from "../nodes/triggers.js";
import type { RowsUpkeep, Upkeep } from "../schema/triggers.js";
import { literal, raw, sql } from "../sql.js";
import { members } from "./tables.js";

/** How many users a doubt is about at most. */
const usersOfDoubt = literal(1000);

const doubtUsers: RowsUpkeep = {
  one: (row) => sql`
    IF ${raw(row)}.nickname <> '' THEN
      INSERT INTO profile_doubts (user_ids) VALUES (ARRAY[${raw(row)}.user_id]);
    END IF;`,
  all: (rows) => sql`
    INSERT INTO profile_doubts (user_ids)
      SELECT array_agg(user_id) FROM (
          SELECT user_id, (row_number() OVER () - 1) / ${usersOfDoubt} AS part FROM ${rows} WHERE nickname <> ''
        ) profiles GROUP BY part;`,
};

/** Where all profiles are gone, groups are documented from the beginning. */
export const profileUpkeep = {
  table: "users",
  inserted: doubtUsers,
  deleted: doubtUsers,
  updated: {
    columns: ["user_id", "nickname"],
    body: sql`
      INSERT INTO profile_doubts (user_ids) VALUES (ARRAY[old.user_id, new.user_id]);`,
  },
  truncated: sql`
    DELETE FROM profile_doubts;
    UPDATE searched_groups SET documented_before = '';`,
} satisfies Upkeep;

/** A change of nothing has the document made anew. Where the key is another too, the list's own changes do. */
export const nicknameUpkeep = (sizes: Sizes): Upkeep => ({
  table: members.table,
  updated: {
    columns: ["nickname"],
    body: sql`
      ${append([changes({ list: members, change: 0, row: "new" })])}
      ${askToFoldByChance([ownerOf(members, "new", sizes)], sizes)}`,
  },
  truncated: sql`
    DELETE FROM documents;
    DELETE FROM searched_groups;`,
});
