/** The functions that answer a page of a list, and its total, from the snapshot of the statement that calls them. */

import { recordKeys } from "../../../records.js";
import { blacks } from "../../lists/blacks.js";
import { groupMembers } from "../../lists/groupMembers.js";
import { joinedGroups } from "../../lists/joinedGroups.js";
import type { ListDefinition } from "../../lists/list.js";
import { notificationAccounts, notificationAccountsByLevel } from "../../lists/notificationAccounts.js";
import { receivedGroupRequests, receivedGroupRequestsByResult } from "../../lists/receivedGroupRequests.js";
import { snake } from "../names.js";
import { type CountedList, countedLists } from "../nodes/counted.js";
import { rankOf, seekOf } from "../nodes/read.js";
import { indexPlans, routine } from "../schema/routine.js";
import { join, name, raw, type Sql, sql } from "../sql.js";
import { columnsOf, itemsOf } from "./items.js";

/** The function that answers a page of a list. */
export function pageOf({ name: own }: CountedList): string {
  return `${own}_page`;
}

/** Answers nothing where the owner does not exist. */
export function unlessThere({ parent }: Pick<ListDefinition, "parent">): Sql {
  if (parent === undefined) return sql``;
  const [key] = recordKeys[parent];
  return sql`IF NOT EXISTS (SELECT FROM ${snake(parent)} WHERE ${snake(key)} = asked_owner) THEN RETURN; END IF;`;
}

/** What each such function takes and gives, beside what else it takes. */
export const pageParameters = (more: Sql = raw("")) =>
  sql`asked_owner text, skip bigint, size bigint, ${more}OUT total bigint, OUT items text`;

/** The columns of a row's key. */
const keysOf = (table: keyof typeof recordKeys, alias: string) =>
  join(recordKeys[table].map((field) => sql`${name(alias)}.${snake(field)}`));

/**
 * A page of a whole list, or of ranges of its keys: an array of bounds, two for each range, that are in the order of the
 * list and do not overlap. It is put together of pieces, each of entries that are next to each other.
 */
function page(definition: ListDefinition, list: CountedList): Sql {
  const { item } = definition;
  const key = list.key("entry");
  const found = item.rows === undefined ? columnsOf(item, "entry") : keysOf(item.rows, "entry");
  const listed = sql`
    SELECT ${found}, ${key} AS key FROM ${name(list.table)} entry
      WHERE ${list.isOwnedBy(raw("asked_owner"), "entry")} AND ${key} >= pieces.start
      ORDER BY ${key} LIMIT pieces.size OFFSET pieces.rest`;
  const entries =
    item.rows === undefined
      ? listed
      : sql`
          SELECT ${columnsOf(item, "answered")}, entry.key FROM (
              ${listed}
            ) entry JOIN ${snake(item.rows)} answered ON (${keysOf(item.rows, "answered")}) = (${keysOf(item.rows, "entry")})`;
  return routine({
    name: pageOf(list),
    parameters: pageParameters(raw("ranges text[], ")),
    kind: "STABLE",
    settings: [...indexPlans, "enable_sort = off"],
    body: sql`
      DECLARE
        beginning record;
        lower_rank bigint;
        length bigint;
        passed bigint;
        wanted bigint;
        starts text[] := '{}';
        rests bigint[] := '{}';
        sizes bigint[] := '{}';
      BEGIN
        ${unlessThere(definition)}
        IF ranges IS NULL THEN
          beginning := ${name(seekOf(list))}(asked_owner, skip);
          total := beginning.total;
          IF beginning.start IS NOT NULL THEN
            starts := ARRAY[beginning.start];
            rests := ARRAY[beginning.rest];
            sizes := ARRAY[size];
          END IF;
        ELSE
          total := 0;
          FOR position IN 1 .. cardinality(ranges) BY 2 LOOP
            lower_rank := ${name(rankOf(list))}(asked_owner, ranges[position]);
            length := ${name(rankOf(list))}(asked_owner, ranges[position + 1]) - lower_rank;
            passed := greatest(skip - total, 0);
            wanted := least(length, skip + size - total) - passed;
            IF wanted > 0 THEN
              beginning := ${name(seekOf(list))}(asked_owner, lower_rank + passed);
              starts := starts || beginning.start;
              rests := rests || beginning.rest;
              sizes := sizes || wanted;
            END IF;
            total := total + length;
          END LOOP;
        END IF;
        items := (
          ${itemsOf(
            item,
            sql`
              SELECT pieces.ordinality AS piece, listed.*
                FROM unnest(starts, rests, sizes) WITH ORDINALITY AS pieces (start, rest, size)
                  CROSS JOIN LATERAL (
                    ${entries}
                  ) listed`,
          )});
      END`,
  });
}

export const pageRoutines: readonly Sql[] = [
  page(groupMembers, countedLists.groupMembers),
  page(joinedGroups, countedLists.joinedGroups),
  page(blacks, countedLists.blacks),
  page(receivedGroupRequests, countedLists.receivedGroupRequests),
  page(receivedGroupRequestsByResult, countedLists.receivedGroupRequestsByResult),
  page(notificationAccounts, countedLists.notificationAccounts),
  page(notificationAccountsByLevel, countedLists.notificationAccountsByLevel),
];
