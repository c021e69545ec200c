/** What is to be true of what managers receive. */
import type { Comparison } from "../nodes/check.js";
import { name, raw, type Sql, sql } from "../sql.js";
import { received, wanted } from "./tables.js";

export const receivedComparisons: readonly Comparison[] = [
  {
    problem: "received requests are not those for the groups that users manage",
    wrong: sql`
      SELECT different.manager_user_id FROM (
          (SELECT ${received} FROM received_group_requests EXCEPT ALL ${wanted(raw("group_requests"))})
          UNION ALL (${wanted(raw("group_requests"))} EXCEPT ALL SELECT ${received} FROM received_group_requests)
        ) different
        WHERE NOT EXISTS (
          SELECT FROM received_doubts doubt WHERE doubt.group_id = different.group_id
            AND (doubt.user_id = different.user_id OR doubt.manager_user_id = different.manager_user_id))`,
  },
];

/** Makes all of it anew; nobody else may write requests or managers meanwhile. */
export const rebuildReceived: readonly Sql[] = [
  ...["received_doubts", "received_group_requests"].map((kept) => sql`DELETE FROM ${name(kept)}`),
  sql`
    INSERT INTO received_group_requests (${received})
      ${wanted(raw("group_requests"))}`,
];
