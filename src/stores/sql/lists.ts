import type {
  BlacksQuery,
  GroupMembersQuery,
  JoinedGroupsQuery,
  NotificationAccountsQuery,
  ReceivedGroupRequestsQuery,
} from "../../store.js";
import { definitionOf, type ListName, managing, rolePrefix, valuePrefix } from "./definitions.js";
import { memberNickname } from "./documents.js";
import type { List, Selection } from "./list.js";
import { all, bind, bindAll, type Part, sql } from "./part.js";
import { search } from "./search.js";
import { beginsWith, filteredRows, isList, keyRanges, total, wholeList } from "./selections.js";

const memberJoins = `CROSS JOIN groupMembers member ON member.id = entry.item
  LEFT JOIN users profile ON profile.userID = member.userID`;

export function groupMembersList({ groupID, roleLevels, keyword }: GroupMembersQuery): List {
  const prefixes = roleLevels?.map(rolePrefix);
  const texts = ["member.userID", memberNickname];
  const having = prefixes && ((key: string) => beginsWith(key, prefixes));
  return {
    parent: sql`groups WHERE groupID = ${bind(groupID)}`,
    selection:
      keyword !== ""
        ? search({ name: "groupMembers", owner: groupID, keyword, texts, joins: memberJoins, having })
        : listOrRanges("groupMembers", "groupMembers", groupID, prefixes),
    columns: `member.groupID, member.userID, member.roleLevel, member.joinTime, ${memberNickname} AS nickname,
      iif(member.faceURL = '', coalesce(profile.faceURL, ''), member.faceURL) AS faceURL,
      coalesce(profile.appMangerLevel, 0) AS appMangerLevel, member.joinSource, member.operatorUserID, member.ex,
      member.muteEndTime, member.inviterUserID`,
    joins: memberJoins,
  };
}

export function blacksList({ ownerUserID }: BlacksQuery): List {
  return {
    parent: user(ownerUserID),
    selection: wholeList("blacks", ownerUserID),
    columns: `black.ownerUserID, black.createTime, ${userInfo("blackUserInfo", "black.blackUserID")},
      black.addSource, black.operatorUserID, black.ex`,
    joins: `CROSS JOIN blacks black ON black.id = entry.item
      LEFT JOIN users profile ON profile.userID = black.blackUserID`,
  };
}

export function joinedGroupsList({ userID }: JoinedGroupsQuery): List {
  return {
    parent: user(userID),
    selection: wholeList("joinedGroups", userID),
    columns: groupColumns("", "member.groupID"),
    joins: `CROSS JOIN groupMembers member ON member.id = entry.item
      LEFT JOIN groups ON groups.groupID = member.groupID`,
  };
}

export function receivedGroupRequestsList(query: ReceivedGroupRequestsQuery): List {
  return {
    parent: user(query.userID),
    selection: receivedGroupRequests(query),
    columns: `${userInfo("userInfo", "request.userID")}, ${groupColumns("groupInfo.", "request.groupID")},
      request.handleResult, request.reqMsg, request.handleMsg, request.reqTime, request.handleUserID,
      request.handleTime, request.ex, request.joinSource, request.inviterUserID`,
    joins: `CROSS JOIN groupRequests request ON request.id = entry.item
      LEFT JOIN users profile ON profile.userID = request.userID
      LEFT JOIN groups ON groups.groupID = request.groupID`,
  };
}

/** One result, or all, is a matter of keys; several results or some groups are looked for row by row. */
function receivedGroupRequests({ userID, groupIDs, handleResults }: ReceivedGroupRequestsQuery): Selection {
  const { key, item } = definitionOf("receivedGroupRequests");
  const results = handleResults && [...new Set(handleResults)];
  const isHandled =
    results === undefined ? [] : [sql`request.handleResult IN (SELECT value FROM json_each(${bindAll(results)}))`];
  if (groupIDs !== undefined) {
    return filteredRows(
      key,
      item,
      sql`groupRequests request WHERE request.groupID IN (
          SELECT groupID FROM groupMembers WHERE groupID IN (SELECT value FROM json_each(${bindAll(groupIDs)}))
            AND userID = ${bind(userID)} AND roleLevel IN ${managing}
        ) AND ${all(isHandled)}`,
    );
  }
  if (results === undefined || results.length < 2) {
    return listOrRanges("receivedGroupRequests", "receivedGroupRequestsByResult", userID, results?.map(valuePrefix));
  }
  return filteredRows(
    "entry.key",
    "entry.item",
    sql`lists CROSS JOIN listEntries entry ON entry.list = lists.id
      CROSS JOIN groupRequests request ON request.id = entry.item
      WHERE ${isList("receivedGroupRequests", userID)} AND ${all(isHandled)}`,
  );
}

export function notificationAccountsList({ keyword, appMangerLevel }: NotificationAccountsQuery): List {
  const joins = "CROSS JOIN users account ON account.userID = entry.item";
  const texts = ["account.userID", "account.nickname"];
  const prefixes = appMangerLevel === undefined ? undefined : [valuePrefix(appMangerLevel)];
  const having = (key: string) =>
    sql`EXISTS (SELECT 1 FROM users WHERE userID = ${key} AND appMangerLevel = ${bind(appMangerLevel ?? null)})`;
  return {
    parent: sql`(SELECT 1)`,
    selection:
      keyword !== ""
        ? search({
            name: "notificationAccounts",
            owner: "",
            keyword,
            texts,
            joins,
            having: appMangerLevel === undefined ? undefined : having,
          })
        : listOrRanges("notificationAccounts", "notificationAccountsByLevel", "", prefixes),
    columns: "account.userID, account.faceURL, account.nickname AS nickName",
    joins,
  };
}

/** A whole list; or, where values are given, those ranges of the list that has such entries next to each other. */
function listOrRanges(whole: ListName, ordered: ListName, owner: string, prefixes: string[] | undefined): Selection {
  return prefixes === undefined ? wholeList(whole, owner) : keyRanges(ordered, owner, prefixes);
}

function user(userID: string): Part {
  return sql`users WHERE userID = ${bind(userID)}`;
}

function userInfo(name: string, userID: string): string {
  const field = (column: string) => `coalesce(profile.${column}, '') AS "${name}.${column}"`;
  return `${userID} AS "${name}.userID", ${field("nickname")}, ${field("faceURL")}, ${field("ex")}`;
}

function groupColumns(prefix: string, groupID: string): string {
  const text = (column: string) => `coalesce(groups.${column}, '') AS "${prefix}${column}"`;
  const integer = (column: string) => `coalesce(groups.${column}, 0) AS "${prefix}${column}"`;
  const ownerUserID = `SELECT owner.userID FROM listEntries first CROSS JOIN groupMembers owner ON owner.id = first.item
    WHERE first.list = (SELECT id FROM lists WHERE name = 'groupMembers' AND owner = ${groupID})
      AND first.key >= '${rolePrefix(100)}' AND first.key < '${rolePrefix(99)}' ORDER BY first.key LIMIT 1`;
  return [
    `${groupID} AS "${prefix}groupID"`,
    text("groupName"),
    text("notification"),
    text("introduction"),
    text("faceURL"),
    `coalesce((${ownerUserID}), '') AS "${prefix}ownerUserID"`,
    integer("createTime"),
    `${total("groupMembers", groupID).sql} AS "${prefix}memberCount"`,
    text("ex"),
    integer("status"),
    text("creatorUserID"),
    integer("groupType"),
    integer("needVerification"),
    integer("lookMemberInfo"),
    integer("applyMemberFriend"),
    integer("notificationUpdateTime"),
    text("notificationUserID"),
  ].join(", ");
}
