/** The managers of a group have copies of its join requests, as long as these are few. */
import { our, type Sql, sql } from "../sql.js";
import { listedOf, listOfGroup } from "./listedRows.js";
import { isManaging, listedName } from "./listNames.js";
import { upsertListed } from "./recordTriggers.js";

const copies = listedOf("receivedGroupRequests");

/** A new manager gets copies. */
export const receive: Sql = upsertListed(
  copies,
  copies.rows(sql`NEW.${isManaging} AND manager.user_id = NEW.user_id`, sql`NEW.group_id`),
);

/** A member who managed the group loses their copies, under a condition. */
export function giveBack(condition: Sql): Sql {
  return sql`
    DELETE FROM ${our(listedName(copies.table))}
      WHERE OLD.${isManaging} AND ${condition} AND group_id = OLD.group_id AND manager_user_id = OLD.user_id`;
}

/** All managers lose their copies when a further request gives the group's list a total. */
export const withdraw: Sql = sql`
  DELETE FROM ${our(listedName(copies.table))}
    WHERE group_id = NEW.group_id AND EXISTS (${listOfGroup(sql`NEW.group_id`)})`;
