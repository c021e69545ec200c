/**
 * The same queries in drizzle, prepared once. It stands for the object-relational mappers: many users of Node choose it,
 * and it runs on better-sqlite3 itself. Prisma needs generated code; knex and kysely send the SQL of the hand-written
 * contestant. The limit is a `?` here, as drizzle writes it.
 */
import type BetterSqlite3 from "better-sqlite3";
import { and, count, eq, gte, inArray, like, or, type SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/better-sqlite3";
import type { Lists } from "./lists.js";
import { groupFields, memberFields, memberNickname, order, requestFields, userInfoFields } from "./drizzleFields.js";
import { blacks, groupMembers, groupRequests, groups, users } from "./drizzleTables.js";

const owner = sql.placeholder("owner");
const limit = sql.placeholder("limit");
const offset = sql.placeholder("offset");

export function drizzleLists(client: BetterSqlite3.Database): Lists {
  const database = drizzle({ client });

  function members(where: SQL | undefined) {
    const page = database
      .select({ id: groupMembers.id })
      .from(groupMembers)
      .where(where)
      .orderBy(...order.members)
      .limit(limit)
      .offset(offset)
      .as("page");
    return {
      total: database.select({ total: count() }).from(groupMembers).where(where).prepare(),
      page: database
        .select(memberFields)
        .from(page)
        .innerJoin(groupMembers, eq(groupMembers.id, page.id))
        .leftJoin(users, eq(users.userID, groupMembers.userID))
        .orderBy(...order.members)
        .prepare(),
    };
  }

  function memberSearch() {
    const pattern = sql.placeholder("pattern");
    const where = and(
      eq(groupMembers.groupID, owner),
      or(like(groupMembers.userID, pattern), like(memberNickname, pattern)),
    );
    const isProfile = eq(users.userID, groupMembers.userID);
    const all = database.select({ total: count() }).from(groupMembers).leftJoin(users, isProfile).where(where);
    const rows = database.select(memberFields).from(groupMembers).leftJoin(users, isProfile).where(where);
    return { total: all.prepare(), page: rows.orderBy(...order.members).limit(limit).offset(offset).prepare() };
  }

  function blacklist() {
    const where = eq(blacks.ownerUserID, owner);
    const page = database
      .select({ id: blacks.id })
      .from(blacks)
      .where(where)
      .orderBy(...order.blacks)
      .limit(limit)
      .offset(offset)
      .as("page");
    const { ownerUserID, createTime, addSource, operatorUserID, ex } = blacks;
    const blackUserInfo = userInfoFields(blacks.blackUserID);
    return {
      total: database.select({ total: count() }).from(blacks).where(where).prepare(),
      page: database
        .select({ ownerUserID, createTime, addSource, operatorUserID, ex, blackUserInfo })
        .from(page)
        .innerJoin(blacks, eq(blacks.id, page.id))
        .leftJoin(users, eq(users.userID, blacks.blackUserID))
        .orderBy(...order.blacks)
        .prepare(),
    };
  }

  function joinedGroups() {
    const where = eq(groupMembers.userID, owner);
    const page = database
      .select({ id: groupMembers.id })
      .from(groupMembers)
      .where(where)
      .orderBy(...order.joinedGroups)
      .limit(limit)
      .offset(offset)
      .as("page");
    return {
      total: database.select({ total: count() }).from(groupMembers).where(where).prepare(),
      page: database
        .select(groupFields)
        .from(page)
        .innerJoin(groupMembers, eq(groupMembers.id, page.id))
        .leftJoin(groups, eq(groups.groupID, groupMembers.groupID))
        .orderBy(...order.joinedGroups)
        .prepare(),
    };
  }

  function requests(handleResults: readonly number[] | undefined) {
    const managed = database
      .select({ groupID: groupMembers.groupID })
      .from(groupMembers)
      .where(and(eq(groupMembers.userID, owner), sql`${groupMembers.roleLevel} IN (60, 100)`));
    const where = and(
      inArray(groupRequests.groupID, managed),
      handleResults && inArray(groupRequests.handleResult, [...handleResults]),
    );
    const page = database
      .select({ id: groupRequests.id })
      .from(groupRequests)
      .where(where)
      .orderBy(...order.requests)
      .limit(limit)
      .offset(offset)
      .as("page");
    return {
      total: database.select({ total: count() }).from(groupRequests).where(where).prepare(),
      page: database
        .select({ ...requestFields, userInfo: userInfoFields(groupRequests.userID), groupInfo: groupFields })
        .from(page)
        .innerJoin(groupRequests, eq(groupRequests.id, page.id))
        .leftJoin(users, eq(users.userID, groupRequests.userID))
        .leftJoin(groups, eq(groups.groupID, groupRequests.groupID))
        .orderBy(...order.requests)
        .prepare(),
    };
  }

  function accounts() {
    const where = gte(users.appMangerLevel, sql`3`);
    const fields = { userID: users.userID, faceURL: users.faceURL, nickName: users.nickname };
    const rows = database.select(fields).from(users).where(where).orderBy(users.userID);
    return {
      total: database.select({ total: count() }).from(users).where(where).prepare(),
      page: rows.limit(limit).offset(offset).prepare(),
    };
  }

  const prepared = { search: memberSearch(), blacks: blacklist(), joinedGroups: joinedGroups(), accounts: accounts() };
}
