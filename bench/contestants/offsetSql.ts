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
  const rows = `im_admin_group_members WHERE group_id = ?${roleLevels ? ` AND roleLevel IN (${roleLevels.join(", ")})` : ""}`;
  return {
    total: `SELECT count(*) AS total FROM ${rows}`,
    page: `SELECT ${memberColumns} FROM (SELECT id FROM ${rows} ${limited(order, limit)}) page
      CROSS JOIN im_admin_group_members member ON member.id = page.id ${profileOf("member.userID")}
      ORDER BY member.role_level DESC, member.join_time, member.user_id`,
  };
}

/** Looks at one row after the other; two `?` more for the pattern. */
export function memberSearchSql(limit: number): OffsetSql {
  const rows = `im_admin_group_members member ${profileOf("member.userID")}
    WHERE member.group_id = ? AND (member.user_id LIKE ? OR ${memberNickname} LIKE ?)`;
  return {
    total: `SELECT count(*) AS total FROM ${rows}`,
    page: `SELECT ${memberColumns} FROM ${rows}
      ${limited("member.roleLevel DESC, member.joinTime, member.userID", limit)}`,
  };
}

export const blackColumns = `black.ownerUserID, black.createTime, black.blackUserID, profile.nickname, profile.faceURL,
  profile.ex AS profileEx, black.addSource, black.operatorUserID, black.ex`;

export function blacksSql(limit: number): OffsetSql {
  const rows = "im_admin_blacks WHERE owner_user_id = ?";
  return {
    total: `SELECT count(*) AS total FROM ${rows}`,
    page: `SELECT ${blackColumns}
      FROM (SELECT owner_user_id, black_user_id FROM ${rows} ${limited("createTime DESC, blackUserID", limit)}) page
      CROSS JOIN im_admin_blacks black ON black.owner_user_id = page.owner_user_id AND black.black_user_id = page.black_user_id
      ${profileOf("black.blackUserID")}
      ORDER BY black.create_time DESC, black.black_user_id`,
  };
}

/** What the row of a group has itself. */
export const ownGroupColumns = `groups.groupID, groups.groupName, groups.notification, groups.introduction,
  groups.faceURL, groups.createTime, groups.ex, groups.status, groups.creatorUserID, groups.groupType,
  groups.needVerification, groups.lookMemberInfo, groups.applyMemberFriend, groups.notificationUpdateTime,
  groups.notificationUserID`;

const groupColumns = `${ownGroupColumns},
  coalesce((SELECT owner.user_id FROM im_admin_group_members owner WHERE owner.group_id = im_admin_groups.group_id AND owner.role_level = 100
    ORDER BY owner.join_time, owner.user_id LIMIT 1), '') AS owner_user_id,
  (SELECT count(*) FROM im_admin_group_members counted WHERE counted.group_id = im_admin_groups.group_id) AS member_count`;

export function joinedGroupsSql(limit: number): OffsetSql {
  const rows = "im_admin_group_members WHERE user_id = ?";
  return {
    total: `SELECT count(*) AS total FROM ${rows}`,
    page: `SELECT ${groupColumns}
      FROM (SELECT group_id, join_time FROM ${rows} ${limited("joinTime DESC, groupID", limit)}) page
      LEFT JOIN im_admin_groups ON im_admin_groups.group_id = page.group_id ORDER BY page.join_time DESC, page.group_id`,
  };
}

export const requestColumns = `request.userID AS applicantUserID, profile.nickname, profile.faceURL AS profileFaceURL,
  profile.ex AS profileEx, request.handleResult, request.reqMsg, request.handleMsg, request.reqTime,
  request.handleUserID, request.handleTime, request.ex AS requestEx, request.joinSource, request.inviterUserID`;

export function requestsSql(limit: number, handleResults?: readonly number[]): OffsetSql {
  const rows = `im_admin_group_requests WHERE group_id IN
    (SELECT group_id FROM im_admin_group_members WHERE user_id = ? AND role_level IN (60, 100))
    ${handleResults ? `AND handleResult IN (${handleResults.join(", ")})` : ""}`;
  return {
    total: `SELECT count(*) AS total FROM ${rows}`,
    page: `SELECT ${requestColumns}, ${groupColumns}
      FROM (SELECT group_id, user_id FROM ${rows} ${limited("reqTime DESC, groupID, userID", limit)}) page
      CROSS JOIN im_admin_group_requests request ON request.group_id = page.group_id AND request.user_id = page.user_id
      ${profileOf("request.userID")}
      LEFT JOIN im_admin_groups ON im_admin_groups.group_id = request.group_id
      ORDER BY request.req_time DESC, request.group_id, request.user_id`,
  };
}

export const accountColumns = "account.userID, account.faceURL, account.nickname AS nickName";

export function accountsSql(limit: number): OffsetSql {
  const rows = "im_admin_users WHERE app_manger_level >= 3";
  return {
    total: `SELECT count(*) AS total FROM ${rows}`,
    page: `SELECT ${accountColumns}
      FROM (SELECT user_id FROM ${rows} ${limited("userID", limit)}) page
      CROSS JOIN im_admin_users account ON account.user_id = page.user_id ORDER BY account.user_id`,
  };
}
