/**
 * The first page of each list with its total, as one would write it by hand for im-admin's own tables: whether the owner
 * is there, the total that is kept, and the rows of the page as objects, with the same joins. The rows stay as they come:
 * nothing is nested.
 */
import type BetterSqlite3 from "better-sqlite3";
import { blacks } from "../../src/stores/lists/blacks.js";
import { groupMembers } from "../../src/stores/lists/groupMembers.js";
import { groupRequests } from "../../src/stores/lists/groupRequests.js";
import { joinedGroups } from "../../src/stores/lists/joinedGroups.js";
import type { ListDefinition } from "../../src/stores/lists/list.js";
import { notificationAccounts } from "../../src/stores/lists/notificationAccounts.js";
import { rowColumns } from "../../src/stores/sqlite/pages/selections.js";
import { isInRange, isOwnedBy, keyOf, rangeOf } from "../../src/stores/sqlite/schema/keys.js";
import { listedTable, orderIndex } from "../../src/stores/sqlite/schema/listed.js";
import { all, name, ourName, raw, sql } from "../../src/stores/sqlite/sql.js";
import {
  accountColumns,
  blackColumns,
  memberColumns,
  ownGroupColumns,
  profileOf,
  requestColumns,
} from "./offsetSql.js";

/** The members of a group are counted where they are few, and their number is looked up where they are many. */
const groupColumns = `${ownGroupColumns},
  coalesce((SELECT user_id FROM im_admin_listed_group_members INDEXED BY ${orderIndex(groupMembers)}
    WHERE group_id = groups.group_id AND ${isInRange(groupMembers, rangeOf(groupMembers, 100)).text}
    ORDER BY ${keyOf(groupMembers).text} LIMIT 1), '') AS ownerUserID,
  coalesce((SELECT total FROM im_admin_lists WHERE name = 'groupMembers' AND owner = groups.group_id),
    (SELECT count(*) FROM im_admin_listed_group_members WHERE group_id = groups.group_id)) AS memberCount`;

interface FirstPage {
  list: ListDefinition;
  /** How the columns and the joins name the record. */
  alias: string;
  columns: string;
  joins: string;
}

const firstPages = {
  groupMembers: {
    list: groupMembers,
    alias: "member",
    columns: memberColumns,
    joins: profileOf("member.user_id"),
  },
  blacks: {
    list: blacks,
    alias: "black",
    columns: blackColumns,
    joins: profileOf("black.black_user_id"),
  },
  joinedGroups: {
    list: joinedGroups,
    alias: "member",
    columns: groupColumns,
    joins: "LEFT JOIN im_admin_groups groups ON groups.group_id = member.group_id",
  },
  groupRequests: {
    list: groupRequests,
    alias: "request",
    columns: `${requestColumns}, ${groupColumns}`,
    joins: `${profileOf("request.user_id")} LEFT JOIN im_admin_groups groups ON groups.group_id = request.group_id`,
  },
  notificationAccounts: {
    list: notificationAccounts,
    alias: "account",
    columns: accountColumns,
    joins: "",
  },
} satisfies Record<string, FirstPage>;

/** Reads the first page of a list and its total, in one transaction. */
export function firstPage(connection: BetterSqlite3.Database, page: keyof typeof firstPages, owner: string) {
  const { list, alias, columns, joins }: FirstPage = firstPages[page];
  const parents = { users: "user_id", groups: "group_id" };
  const parent =
    list.parent && connection.prepare(`SELECT 1 FROM ${ourName(list.parent)} WHERE ${parents[list.parent]} = ?`);
  const isSame = all(rowColumns(list).map((column) => sql`${raw(alias)}.${name(column)} = place.${name(column)}`));
  const total = connection
    .prepare(`SELECT total FROM im_admin_lists WHERE name = '${list.name}' AND owner = ?`)
    .pluck();
  const items =
    connection.prepare(`SELECT ${columns} FROM ${listedTable(list).text} place INDEXED BY ${orderIndex(list)}
    CROSS JOIN ${ourName(list.table)} ${alias} ON ${isSame.text} ${joins}
    WHERE ${isOwnedBy(list, raw("?"), "place").text} ORDER BY ${keyOf(list, "place").text} LIMIT 20`);
  const values = list.owner === undefined ? [] : [owner];
  return connection.transaction(() => {
    if (parent && parent.get(owner) === undefined) throw new Error(`there is no ${owner}`);
    return { total: total.get(owner), items: items.all(...values) };
  });
}
