/**
 * Lists as a good engineer writes them by hand: skip rows and count rows in a covering index, then look up the rows of
 * the page alone. The simpler query with LIMIT and OFFSET after the joins would look up all skipped rows as well.
 */

import { recordFields } from "../../src/records.js";
import { snakeCase } from "../../src/stores/snakeCase.js";

/** The SQL of a list: `?` for its owner, in the page another one for the offset. */
export interface OffsetSql {
  total: string;
  page: string;
}

/** LIMIT as a number in the text: with `?` there, SQLite would plan again for each call, which takes 0.1 ms. */
const limited = (order: string, limit: number) => `ORDER BY ${order} LIMIT ${limit} OFFSET ?`;

/** Columns of a table under the names of their fields. */
const columns = (alias: string, ...fields: readonly string[]) =>
  fields.map((field) => `${alias}.${snakeCase(field)} AS ${field}`).join(", ");

const memberNickname = "iif(member.nickname = '', coalesce(profile.nickname, ''), member.nickname)";
export const profileOf = (userID: string) => `LEFT JOIN im_admin_users profile ON profile.user_id = ${userID}`;

const ownMemberFields = recordFields.groupMembers
  .map(([field]) => field)
  .filter((field) => !/nickname|faceURL/.test(field));

export const memberColumns = `${columns("member", ...ownMemberFields)},
  ${memberNickname} AS nickname, iif(member.face_url = '', coalesce(profile.face_url, ''), member.face_url) AS faceURL,
  coalesce(profile.app_manger_level, 0) AS appMangerLevel`;

export function membersSql(limit: number, roleLevels?: readonly number[]): OffsetSql {
  const order = "role_level DESC, join_time, user_id";
  const rows = `im_admin_group_members WHERE group_id = ?${roleLevels ? ` AND role_level IN (${roleLevels.join(", ")})` : ""}`;
  return {
    total: `SELECT count(*) AS total FROM ${rows}`,
    page: `SELECT ${memberColumns} FROM (SELECT group_id, user_id FROM ${rows} ${limited(order, limit)}) page
      CROSS JOIN im_admin_group_members member ON member.group_id = page.group_id AND member.user_id = page.user_id
      ${profileOf("member.user_id")}
      ORDER BY member.role_level DESC, member.join_time, member.user_id`,
  };
}

/** Looks at one row after the other; two `?` more for the pattern. */
export function memberSearchSql(limit: number): OffsetSql {
  const rows = `im_admin_group_members member ${profileOf("member.user_id")}
    WHERE member.group_id = ? AND (member.user_id LIKE ? OR ${memberNickname} LIKE ?)`;
  return {
    total: `SELECT count(*) AS total FROM ${rows}`,
    page: `SELECT ${memberColumns} FROM ${rows}
      ${limited("member.role_level DESC, member.join_time, member.user_id", limit)}`,
  };
}

export const blackColumns = `${columns("black", ...recordFields.blacks.map(([field]) => field))},
  ${columns("profile", "nickname", "faceURL")}, profile.ex AS profileEx`;

export function blacksSql(limit: number): OffsetSql {
  const rows = "im_admin_blacks WHERE owner_user_id = ?";
  return {
    total: `SELECT count(*) AS total FROM ${rows}`,
    page: `SELECT ${blackColumns}
      FROM (SELECT owner_user_id, black_user_id FROM ${rows} ${limited("create_time DESC, black_user_id", limit)}) page
      CROSS JOIN im_admin_blacks black ON black.owner_user_id = page.owner_user_id AND black.black_user_id = page.black_user_id
      ${profileOf("black.black_user_id")}
      ORDER BY black.create_time DESC, black.black_user_id`,
  };
}

/** The columns of a group's own row. */
export const ownGroupColumns = columns("groups", ...recordFields.groups.map(([field]) => field));

const groupColumns = `${ownGroupColumns},
  coalesce((SELECT owner.user_id FROM im_admin_group_members owner WHERE owner.group_id = groups.group_id AND owner.role_level = 100
    ORDER BY owner.join_time, owner.user_id LIMIT 1), '') AS ownerUserID,
  (SELECT count(*) FROM im_admin_group_members counted WHERE counted.group_id = groups.group_id) AS memberCount`;

export function joinedGroupsSql(limit: number): OffsetSql {
  const rows = "im_admin_group_members WHERE user_id = ?";
  return {
    total: `SELECT count(*) AS total FROM ${rows}`,
    page: `SELECT ${groupColumns}
      FROM (SELECT group_id, join_time FROM ${rows} ${limited("join_time DESC, group_id", limit)}) page
      LEFT JOIN im_admin_groups groups ON groups.group_id = page.group_id ORDER BY page.join_time DESC, page.group_id`,
  };
}

export const requestColumns = `request.user_id AS applicantUserID, profile.nickname, profile.face_url AS profileFaceURL,
  profile.ex AS profileEx, request.ex AS requestEx,
  ${columns("request", "handleResult", "reqMsg", "handleMsg", "reqTime", "handleUserID", "handleTime")},
  ${columns("request", "joinSource", "inviterUserID")}`;

export function requestsSql(limit: number, handleResults?: readonly number[]): OffsetSql {
  const rows = `im_admin_group_requests WHERE group_id IN
    (SELECT group_id FROM im_admin_group_members WHERE user_id = ? AND role_level IN (60, 100))
    ${handleResults ? `AND handle_result IN (${handleResults.join(", ")})` : ""}`;
  return {
    total: `SELECT count(*) AS total FROM ${rows}`,
    page: `SELECT ${requestColumns}, ${groupColumns}
      FROM (SELECT group_id, user_id FROM ${rows} ${limited("req_time DESC, group_id, user_id", limit)}) page
      CROSS JOIN im_admin_group_requests request ON request.group_id = page.group_id AND request.user_id = page.user_id
      ${profileOf("request.user_id")}
      LEFT JOIN im_admin_groups groups ON groups.group_id = request.group_id
      ORDER BY request.req_time DESC, request.group_id, request.user_id`,
  };
}

export const accountColumns = `${columns("account", "userID", "faceURL")}, account.nickname AS nickName`;

export function accountsSql(limit: number): OffsetSql {
  const rows = "im_admin_users WHERE app_manger_level >= 3";
  return {
    total: `SELECT count(*) AS total FROM ${rows}`,
    page: `SELECT ${accountColumns}
      FROM (SELECT user_id FROM ${rows} ${limited("user_id", limit)}) page
      CROSS JOIN im_admin_users account ON account.user_id = page.user_id ORDER BY account.user_id`,
  };
}
