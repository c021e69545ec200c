/**
 * Lists as a good engineer writes them by hand: skip rows and count rows in a covering index, then look up the rows of
 * the page alone. The simpler query with LIMIT and OFFSET after the joins would look up all skipped rows as well.
 */

/** The SQL of a list: `?` for its owner, in the page another one for the offset. */
export interface OffsetSql {
  total: string;
  page: string;
}

/** LIMIT as a number in the text: with `?` there, SQLite would plan again for each call, which takes 0.1 ms. */
const limited = (order: string, limit: number) => `ORDER BY ${order} LIMIT ${limit} OFFSET ?`;

const memberNickname = "iif(member.nickname = '', coalesce(profile.nickname, ''), member.nickname)";
export const profileOf = (userID: string) => `LEFT JOIN users profile ON profile.userID = ${userID}`;

export const memberColumns = `member.groupID, member.userID, member.roleLevel, member.joinTime, ${memberNickname} AS nickname,
  iif(member.faceURL = '', coalesce(profile.faceURL, ''), member.faceURL) AS faceURL,
  coalesce(profile.appMangerLevel, 0) AS appMangerLevel, member.joinSource, member.operatorUserID, member.ex,
  member.muteEndTime, member.inviterUserID`;

export function membersSql(limit: number, roleLevels?: readonly number[]): OffsetSql {
  const order = "roleLevel DESC, joinTime, userID";
  const rows = `groupMembers WHERE groupID = ?${roleLevels ? ` AND roleLevel IN (${roleLevels.join(", ")})` : ""}`;
  return {
    total: `SELECT count(*) AS total FROM ${rows}`,
    page: `SELECT ${memberColumns} FROM (SELECT id FROM ${rows} ${limited(order, limit)}) page
      CROSS JOIN groupMembers member ON member.id = page.id ${profileOf("member.userID")}
      ORDER BY member.roleLevel DESC, member.joinTime, member.userID`,
  };
}

/** Looks at one row after the other; two `?` more for the pattern. */
export function memberSearchSql(limit: number): OffsetSql {
  const rows = `groupMembers member ${profileOf("member.userID")}
    WHERE member.groupID = ? AND (member.userID LIKE ? OR ${memberNickname} LIKE ?)`;
  return {
    total: `SELECT count(*) AS total FROM ${rows}`,
    page: `SELECT ${memberColumns} FROM ${rows}
      ${limited("member.roleLevel DESC, member.joinTime, member.userID", limit)}`,
  };
}

export const blackColumns = `black.ownerUserID, black.createTime, black.blackUserID, profile.nickname, profile.faceURL,
  profile.ex AS profileEx, black.addSource, black.operatorUserID, black.ex`;

export function blacksSql(limit: number): OffsetSql {
  const rows = "blacks WHERE ownerUserID = ?";
  return {
    total: `SELECT count(*) AS total FROM ${rows}`,
    page: `SELECT ${blackColumns}
      FROM (SELECT ownerUserID, blackUserID FROM ${rows} ${limited("createTime DESC, blackUserID", limit)}) page
      CROSS JOIN blacks black ON black.ownerUserID = page.ownerUserID AND black.blackUserID = page.blackUserID
      ${profileOf("black.blackUserID")}
      ORDER BY black.createTime DESC, black.blackUserID`,
  };
}

/** What the row of a group has itself. */
export const ownGroupColumns = `groups.groupID, groups.groupName, groups.notification, groups.introduction,
  groups.faceURL, groups.createTime, groups.ex, groups.status, groups.creatorUserID, groups.groupType,
  groups.needVerification, groups.lookMemberInfo, groups.applyMemberFriend, groups.notificationUpdateTime,
  groups.notificationUserID`;

const groupColumns = `${ownGroupColumns},
  coalesce((SELECT owner.userID FROM groupMembers owner WHERE owner.groupID = groups.groupID AND owner.roleLevel = 100
    ORDER BY owner.joinTime, owner.userID LIMIT 1), '') AS ownerUserID,
  (SELECT count(*) FROM groupMembers counted WHERE counted.groupID = groups.groupID) AS memberCount`;

export function joinedGroupsSql(limit: number): OffsetSql {
  const rows = "groupMembers WHERE userID = ?";
  return {
    total: `SELECT count(*) AS total FROM ${rows}`,
    page: `SELECT ${groupColumns}
      FROM (SELECT groupID, joinTime FROM ${rows} ${limited("joinTime DESC, groupID", limit)}) page
      LEFT JOIN groups ON groups.groupID = page.groupID ORDER BY page.joinTime DESC, page.groupID`,
  };
}

export const requestColumns = `request.userID AS applicantUserID, profile.nickname, profile.faceURL AS profileFaceURL,
  profile.ex AS profileEx, request.handleResult, request.reqMsg, request.handleMsg, request.reqTime,
  request.handleUserID, request.handleTime, request.ex AS requestEx, request.joinSource, request.inviterUserID`;

export function requestsSql(limit: number, handleResults?: readonly number[]): OffsetSql {
  const rows = `groupRequests WHERE groupID IN
    (SELECT groupID FROM groupMembers WHERE userID = ? AND roleLevel IN (60, 100))
    ${handleResults ? `AND handleResult IN (${handleResults.join(", ")})` : ""}`;
  return {
    total: `SELECT count(*) AS total FROM ${rows}`,
    page: `SELECT ${requestColumns}, ${groupColumns}
      FROM (SELECT groupID, userID FROM ${rows} ${limited("reqTime DESC, groupID, userID", limit)}) page
      CROSS JOIN groupRequests request ON request.groupID = page.groupID AND request.userID = page.userID
      ${profileOf("request.userID")}
      LEFT JOIN groups ON groups.groupID = request.groupID
      ORDER BY request.reqTime DESC, request.groupID, request.userID`,
  };
}

export const accountColumns = "account.userID, account.faceURL, account.nickname AS nickName";

export function accountsSql(limit: number): OffsetSql {
  const rows = "users WHERE appMangerLevel >= 3";
  return {
    total: `SELECT count(*) AS total FROM ${rows}`,
    page: `SELECT ${accountColumns}
      FROM (SELECT userID FROM ${rows} ${limited("userID", limit)}) page
      CROSS JOIN users account ON account.userID = page.userID ORDER BY account.userID`,
  };
}
