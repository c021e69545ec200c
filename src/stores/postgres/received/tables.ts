/**
 * The requests that managers receive: a row for each request and each manager of its group, which belong to counted
 * lists as other rows do. Whoever writes requests writes these rows as well, for the managers that the statement sees.
 *
 * A member who becomes a manager and a request that arrives at the same time do not see one another, and no writer is to
 * wait for another because of us. So what may be wrong is said, in the transaction that may be the cause, by a row in
 * `received_doubts`. In every snapshot
 *
 *   received requests = requests x managers, but for those in doubt,
 *
 * and who reads them looks at requests and managers themselves where there is a doubt about one of the user's groups.
 * Of whom there are doubts:
 *
 * - of a member who becomes a manager, or is one no longer, and all requests for the group. Those rows are made by
 *   nobody but who settles the doubt;
 * - of a request and all managers, where the statement that wrote it found other rows than those that it expected, and
 *   in stricter modes than READ COMMITTED, in which writers do not see what is committed meanwhile.
 *
 * Doubts are settled at the end of later transactions that have doubts or receive requests, by one at a time, in a statement that makes the rows anew and
 * deletes the doubt. The doubt of a manager is settled when every transaction is over that may not have seen it. To
 * know that, it is marked first, by a transaction whose number is new by then: those who have a later number have seen
 * it. Rows that somebody else has locked are not waited for; the doubt remains for the next time.
 */
import { managingRoles } from "../../lists/receivedGroupRequests.js";
import { eachOf } from "../schema/plans.js";
import { raw, type Sql, sql } from "../sql.js";

export const isManaging = (alias = "") => raw(`${alias}role_level IN (${managingRoles.join(", ")})`);

export const receivedTables: readonly Sql[] = [
  sql`
    CREATE TABLE IF NOT EXISTS received_group_requests (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      manager_user_id text COLLATE "C" NOT NULL,
      group_id text COLLATE "C" NOT NULL,
      user_id text COLLATE "C" NOT NULL,
      req_time bigint NOT NULL,
      handle_result integer NOT NULL
    )`,
  sql`CREATE INDEX IF NOT EXISTS received_of_requests ON received_group_requests (group_id, user_id)`,
  sql`CREATE INDEX IF NOT EXISTS received_of_managers ON received_group_requests (manager_user_id, group_id)`,
  // Of all managers where the manager is "", and of all requests where the user is.
  sql`
    CREATE TABLE IF NOT EXISTS received_doubts (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      group_id text COLLATE "C" NOT NULL,
      user_id text COLLATE "C" NOT NULL DEFAULT '',
      manager_user_id text COLLATE "C" NOT NULL DEFAULT '',
      made_by xid8 NOT NULL DEFAULT pg_current_xact_id(),
      is_marked boolean NOT NULL DEFAULT false
    ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`,
  sql`CREATE INDEX IF NOT EXISTS received_doubts_made ON received_doubts (made_by)`,
  sql`CREATE INDEX IF NOT EXISTS received_doubts_of_managers ON received_doubts (manager_user_id, group_id)`,
  sql`CREATE INDEX IF NOT EXISTS group_members_managing ON group_members (user_id, group_id) WHERE ${isManaging()}`,
  sql`CREATE INDEX IF NOT EXISTS group_members_managers ON group_members (group_id, user_id) WHERE ${isManaging()}`,
];

/** What a received request is made of. */
export const received: Sql = raw("manager_user_id, group_id, user_id, req_time, handle_result");

/** The received requests as they are to be: requests, and the managers of their groups. */
export const wanted = (requests: Sql): Sql => sql`
  SELECT manager.user_id AS manager_user_id, request.group_id, request.user_id, request.req_time, request.handle_result
    FROM ${requests} request CROSS JOIN ${eachOf(sql`
        SELECT user_id FROM group_members member WHERE member.group_id = request.group_id AND ${isManaging("member.")}`)} manager`;
