/** What a change of a group's managers means for the join requests: each manager has received all of them. */
import { our, type Sql, sql } from "../sql.js";
import { listedOf } from "./listedRows.js";
import { isManaging, listedName } from "./listNames.js";
import { upsertListed } from "./recordTriggers.js";

const received = listedOf("receivedGroupRequests");

/** A new manager receives what is there. */
export const receive: Sql = upsertListed(
  received,
  received.rows(sql`NEW.${isManaging} AND source.group_id = NEW.group_id AND manager.user_id = NEW.user_id`),
);

/** Who manages the group no longer has received nothing. The condition is on the member as it is now. */
export function giveBack(condition: Sql): Sql {
  return sql`
    DELETE FROM ${our(listedName(received.table))}
      WHERE OLD.${isManaging} AND ${condition} AND group_id = OLD.group_id AND manager_user_id = OLD.user_id`;
}
