/** The lists that are counted, in terms of PostgreSQL. */
import { blacks } from "../../lists/blacks.js";
import { groupMembers } from "../../lists/groupMembers.js";
import { joinedGroups } from "../../lists/joinedGroups.js";
import type { ListDefinition, Order } from "../../lists/list.js";
import { notificationAccounts, notificationAccountsByLevel } from "../../lists/notificationAccounts.js";
import { receivedGroupRequests, receivedGroupRequestsByResult } from "../../lists/receivedGroupRequests.js";
import { snakeCase } from "../names.js";
import { all, literal, type Sql, sql } from "../sql.js";
import { columnOf, keyOf } from "./keys.js";

/** What a definition says of a list's entries. */
type Entries = Pick<ListDefinition, "name" | "owner" | "least"> & { table: string; order: readonly Order[] };

/** A list, one for each owner. */
export interface CountedList {
  /** What stands for it in the tables of what is counted. */
  id: number;
  /** One word, which is also part of the names of what is kept for it. */
  name: string;
  table: string;
  /** The columns that say whether and where a row is listed. */
  columns: readonly string[];
  /** Whether there is a list for each owner, and not one for all. */
  hasOwners: boolean;
  /** Whose list a row is in, or "" where there is one list for all. */
  owner(alias?: string): Sql;
  /** The row's place in it. */
  key(alias?: string): Sql;
  /** Whether there are rows that are not listed. */
  isPartial: boolean;
  /** Whether a row is listed. */
  isListed(alias?: string): Sql;
  /** The rows of the owner that an expression gives, in terms that fit the index. */
  isOwnedBy(owner: Sql, alias?: string): Sql;
}

function counted(id: number, { name, table, owner, least, order }: Entries): CountedList {
  const fields = [...(owner === undefined ? [] : [owner]), ...order.map(({ field }) => field)];
  const isListed = (alias?: string) =>
    least === undefined ? all([]) : sql`${columnOf(least.field, alias)} >= ${literal(least.value)}`;
  return {
    id,
    name: snakeCase(name),
    table: snakeCase(table),
    columns: [...new Set([...fields, ...(least === undefined ? [] : [least.field])])].map(snakeCase),
    hasOwners: owner !== undefined,
    owner: (alias) => (owner === undefined ? literal("") : columnOf(owner, alias)),
    key: (alias) => keyOf(order, alias),
    isPartial: least !== undefined,
    isListed,
    isOwnedBy: (asked, alias) =>
      all([
        ...(owner === undefined ? [] : [sql`${columnOf(owner, alias)} = ${asked}`]),
        ...(least === undefined ? [] : [isListed(alias)]),
      ]),
  };
}

/** A number must never stand for another list: they are in the tables of whoever has migrated. */
export const countedLists = {
  groupMembers: counted(1, groupMembers),
  joinedGroups: counted(2, joinedGroups),
  blacks: counted(3, blacks),
  notificationAccounts: counted(4, notificationAccounts),
  notificationAccountsByLevel: counted(5, notificationAccountsByLevel),
  receivedGroupRequests: counted(6, receivedGroupRequests),
  receivedGroupRequestsByResult: counted(7, receivedGroupRequestsByResult),
};

export const everyCountedList: readonly CountedList[] = Object.values(countedLists);
