import type {
  BlacksQuery,
  GroupMembersQuery,
  JoinedGroupsQuery,
  NotificationAccountsQuery,
  ReceivedGroupRequestsQuery,
} from "../../store.js";
import { contains, isOneOf, type List, type Part } from "./list.js";
import { type ListName, managing, total } from "./totals.js";

const memberNickname = "iif(member.nickname = '', coalesce(profile.nickname, ''), member.nickname)";

export function groupMembersList({ groupID, roleLevels, keyword }: GroupMembersQuery): List {
  const withProfile = "groupMembers member LEFT JOIN users profile ON profile.userID = member.userID";
  const restrictions = [
    ...isOneOf("member.roleLevel", roleLevels),
    ...contains(keyword, "member.userID", memberNickname),
  ];
  return {
    parent: { sql: "groups WHERE groupID = ?", values: [groupID] },
    from: keyword === "" ? "groupMembers member" : withProfile,
    listed: "member",
    conditions: [{ sql: "member.groupID = ?", values: [groupID] }, ...restrictions],
    ...keptTotal("groupMembers", groupID, restrictions),
    order: "member.roleLevel DESC, member.joinTime, member.userID",
    columns: `member.groupID, member.userID, member.roleLevel, member.joinTime, ${memberNickname} AS nickname,
      iif(member.faceURL = '', coalesce(profile.faceURL, ''), member.faceURL) AS faceURL,
      coalesce(profile.appMangerLevel, 0) AS appMangerLevel, member.joinSource, member.operatorUserID, member.ex,
      member.muteEndTime, member.inviterUserID`,
    columnsFrom: withProfile,
  };
}

export function blacksList({ ownerUserID }: BlacksQuery): List {
  return {
    parent: user(ownerUserID),
    from: "blacks black",
    listed: "black",
    conditions: [{ sql: "black.ownerUserID = ?", values: [ownerUserID] }],
    ...keptTotal("blacks", ownerUserID),
    order: "black.createTime DESC, black.blackUserID",
    columns: `black.ownerUserID, black.createTime, ${userInfo("blackUserInfo", "black.blackUserID")},
      black.addSource, black.operatorUserID, black.ex`,
    columnsFrom: "blacks black LEFT JOIN users profile ON profile.userID = black.blackUserID",
  };
}

export function joinedGroupsList({ userID }: JoinedGroupsQuery): List {
  return {
    parent: user(userID),
    from: "groupMembers member",
    listed: "member",
    conditions: [{ sql: "member.userID = ?", values: [userID] }],
    ...keptTotal("joinedGroups", userID),
    order: "member.joinTime DESC, member.groupID",
    columns: groupColumns("", "member.groupID"),
    columnsFrom: "groupMembers member LEFT JOIN groups ON groups.groupID = member.groupID",
  };
}

export function receivedGroupRequestsList({ userID, groupIDs, handleResults }: ReceivedGroupRequestsQuery): List {
  const restrictions = [...isOneOf("request.groupID", groupIDs), ...isOneOf("request.handleResult", handleResults)];
  return {
    parent: user(userID),
    from: "groupMembers manager CROSS JOIN groupRequests request ON request.groupID = manager.groupID",
    listed: "request",
    conditions: [{ sql: `manager.userID = ? AND manager.roleLevel IN ${managing}`, values: [userID] }, ...restrictions],
    ...keptTotal("receivedGroupRequests", userID, restrictions),
    order: "request.reqTime DESC, request.groupID, request.userID",
    columns: `${userInfo("userInfo", "request.userID")}, ${groupColumns("groupInfo.", "request.groupID")},
      request.handleResult, request.reqMsg, request.handleMsg, request.reqTime, request.handleUserID,
      request.handleTime, request.ex, request.joinSource, request.inviterUserID`,
    columnsFrom: `groupRequests request LEFT JOIN users profile ON profile.userID = request.userID
      LEFT JOIN groups ON groups.groupID = request.groupID`,
  };
}

export function notificationAccountsList({ keyword, appMangerLevel }: NotificationAccountsQuery): List {
  const restrictions = [
    ...isOneOf("account.appMangerLevel", appMangerLevel === undefined ? undefined : [appMangerLevel]),
    ...contains(keyword, "account.userID", "account.nickname"),
  ];
  return {
    parent: { sql: "(SELECT 1)", values: [] },
    from: "users account",
    listed: "account",
    conditions: [{ sql: "account.appMangerLevel >= 3", values: [] }, ...restrictions],
    ...keptTotal("notificationAccounts", "", restrictions),
    order: "account.userID",
    columns: "account.userID, account.faceURL, account.nickname AS nickName",
    columnsFrom: "users account",
  };
}

/** The total that the triggers keep, for a list that nothing restricts. */
function keptTotal(list: ListName, owner: string, restrictions: readonly Part[] = []): { total?: Part } {
  return restrictions.length > 0 ? {} : { total: { sql: total(list, "?"), values: [owner] } };
}

function user(userID: string): Part {
  return { sql: "users WHERE userID = ?", values: [userID] };
}

function userInfo(name: string, userID: string): string {
  const field = (column: string) => `coalesce(profile.${column}, '') AS "${name}.${column}"`;
  return `${userID} AS "${name}.userID", ${field("nickname")}, ${field("faceURL")}, ${field("ex")}`;
}

function groupColumns(prefix: string, groupID: string): string {
  const text = (column: string) => `coalesce(groups.${column}, '') AS "${prefix}${column}"`;
  const integer = (column: string) => `coalesce(groups.${column}, 0) AS "${prefix}${column}"`;
  const ownerUserID = `SELECT userID FROM groupMembers WHERE groupID = ${groupID} AND roleLevel = 100
    ORDER BY joinTime, userID LIMIT 1`;
  return [
    `${groupID} AS "${prefix}groupID"`,
    text("groupName"),
    text("notification"),
    text("introduction"),
    text("faceURL"),
    `coalesce((${ownerUserID}), '') AS "${prefix}ownerUserID"`,
    integer("createTime"),
    `${total("groupMembers", groupID)} AS "${prefix}memberCount"`,
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
