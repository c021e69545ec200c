/** The queries of offsetSql.ts as drizzle's users write them: the rows of the page first, then what belongs to them. */
import { and, count, eq, inArray, like, or, sql } from "drizzle-orm";
import type { BetterSQLite3Database } from "drizzle-orm/better-sqlite3";
import {
  accountFields,
  blackFields,
  groupFields,
  memberFields,
  memberNickname,
  order,
  requestFields,
} from "./drizzleFields.js";
import { blacks, groupMembers, groupRequests, groups, users } from "./drizzleTables.js";

type Database = BetterSQLite3Database;

const owner = sql.placeholder("owner");
const limit = sql.placeholder("limit");
const offset = sql.placeholder("offset");

export function membersQuery(database: Database, roleLevels?: readonly number[]) {
  const levels = roleLevels && inArray(groupMembers.roleLevel, [...roleLevels]);
  const where = and(eq(groupMembers.groupID, owner), levels);
  const ids = database.select({ id: groupMembers.id }).from(groupMembers).where(where);
  const page = ids
    .orderBy(...order.members)
    .limit(limit)
    .offset(offset)
    .as("page");
  const rows = database.select(memberFields).from(page).innerJoin(groupMembers, eq(groupMembers.id, page.id));
  return {
    total: database.select({ total: count() }).from(groupMembers).where(where).prepare(),
    page: rows
      .leftJoin(users, eq(users.userID, groupMembers.userID))
      .orderBy(...order.members)
      .prepare(),
  };
}

export function memberSearchQuery(database: Database) {
  const pattern = sql.placeholder("pattern");
  const hasPattern = or(like(groupMembers.userID, pattern), like(memberNickname, pattern));
  const where = and(eq(groupMembers.groupID, owner), hasPattern);
  const isProfile = eq(users.userID, groupMembers.userID);
  const hits = database.select({ total: count() }).from(groupMembers).leftJoin(users, isProfile).where(where);
  const rows = database.select(memberFields).from(groupMembers).leftJoin(users, isProfile).where(where);
  return {
    total: hits.prepare(),
    page: rows
      .orderBy(...order.members)
      .limit(limit)
      .offset(offset)
      .prepare(),
  };
}

export function blacksQuery(database: Database) {
  const where = eq(blacks.ownerUserID, owner);
  const { ownerUserID, blackUserID } = blacks;
  const keys = database.select({ ownerUserID, blackUserID }).from(blacks).where(where);
  const page = keys
    .orderBy(...order.blacks)
    .limit(limit)
    .offset(offset)
    .as("page");
  const isOnPage = and(eq(ownerUserID, page.ownerUserID), eq(blackUserID, page.blackUserID));
  const rows = database.select(blackFields).from(page).innerJoin(blacks, isOnPage);
  return {
    total: database.select({ total: count() }).from(blacks).where(where).prepare(),
    page: rows
      .leftJoin(users, eq(users.userID, blacks.blackUserID))
      .orderBy(...order.blacks)
      .prepare(),
  };
}

export function joinedGroupsQuery(database: Database) {
  const where = eq(groupMembers.userID, owner);
  const ids = database.select({ id: groupMembers.id }).from(groupMembers).where(where);
  const page = ids
    .orderBy(...order.joinedGroups)
    .limit(limit)
    .offset(offset)
    .as("page");
  const rows = database.select(groupFields).from(page).innerJoin(groupMembers, eq(groupMembers.id, page.id));
  return {
    total: database.select({ total: count() }).from(groupMembers).where(where).prepare(),
    page: rows
      .leftJoin(groups, eq(groups.groupID, groupMembers.groupID))
      .orderBy(...order.joinedGroups)
      .prepare(),
  };
}

export function requestsQuery(database: Database, handleResults?: readonly number[]) {
  const manages = and(eq(groupMembers.userID, owner), sql`${groupMembers.roleLevel} IN (60, 100)`);
  const managed = database.select({ groupID: groupMembers.groupID }).from(groupMembers).where(manages);
  const results = handleResults && inArray(groupRequests.handleResult, [...handleResults]);
  const where = and(inArray(groupRequests.groupID, managed), results);
  const { groupID, userID } = groupRequests;
  const keys = database.select({ groupID, userID }).from(groupRequests).where(where);
  const page = keys
    .orderBy(...order.requests)
    .limit(limit)
    .offset(offset)
    .as("page");
  const isOnPage = and(eq(groupID, page.groupID), eq(userID, page.userID));
  const rows = database.select(requestFields).from(page).innerJoin(groupRequests, isOnPage);
  const named = rows.leftJoin(users, eq(users.userID, groupRequests.userID));
  return {
    total: database.select({ total: count() }).from(groupRequests).where(where).prepare(),
    page: named
      .leftJoin(groups, eq(groups.groupID, groupRequests.groupID))
      .orderBy(...order.requests)
      .prepare(),
  };
}

export function accountsQuery(database: Database) {
  // As SQL, since SQLite takes the partial index only for a number that it can see.
  const where = sql`${users.appMangerLevel} >= 3`;
  const page = database
    .select({ userID: users.userID })
    .from(users)
    .where(where)
    .orderBy(users.userID)
    .limit(limit)
    .offset(offset)
    .as("page");
  const rows = database.select(accountFields).from(page).innerJoin(users, eq(users.userID, page.userID));
  return {
    total: database.select({ total: count() }).from(users).where(where).prepare(),
    page: rows.orderBy(users.userID).prepare(),
  };
}
