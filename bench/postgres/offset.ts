/** Lists as a good engineer writes them by hand: `OFFSET` in an index, `count(*)`, and joins for the page alone. */
import { createHash } from "node:crypto";
import type pg from "pg";
import type { GroupMember, NotificationAccount } from "../../src/model.js";
import type { Page, PageRange } from "../../src/pagination.js";
import { recordFields } from "../../src/records.js";
import type { GroupMembersQuery, NotificationAccountsQuery, ReceivedGroupRequestsQuery } from "../../src/store.js";
import { snakeCase } from "../../src/stores/snakeCase.js";

const profile = "LEFT JOIN plain.users profile ON profile.user_id = page.user_id";
const nickname = `CASE page.nickname WHEN '' THEN coalesce(profile.nickname, '') ELSE page.nickname END`;

const ownMemberColumns = recordFields.groupMembers
  .filter(([field]) => !/nickname|faceURL/.test(field))
  .map(([field, { name }]) => `page.${snakeCase(field)}${name === "time" ? "::float8" : ""} AS "${field}"`);

export const memberColumns = `${ownMemberColumns.join(", ")}, ${nickname} AS nickname,
  CASE page.face_url WHEN '' THEN coalesce(profile.face_url, '') ELSE page.face_url END AS "faceURL",
  coalesce(profile.app_manger_level, 0) AS "appMangerLevel"`;

const order = (alias = "") => `${alias}role_level DESC, ${alias}join_time, ${alias}user_id`;

/** A statement that is prepared once, under a name that the server does not cut. */
function prepared(text: string, values: unknown[]) {
  return { name: createHash("sha256").update(text).digest("base64"), text, values };
}

async function read<Item>(pool: pg.Pool, texts: readonly [string, string], values: unknown[], range: PageRange) {
  const [counted, page] = await Promise.all([
    pool.query(prepared(texts[0], values)),
    pool.query(prepared(texts[1], [...values, range.limit, range.offset])),
  ]);
  return { total: Number(counted.rows[0].total), items: page.rows as Item[] };
}

export function listGroupMembers(pool: pg.Pool, { groupID, keyword, ...range }: GroupMembersQuery) {
  if (keyword !== "") return search(pool, groupID, keyword, range);
  const rows = "FROM plain.group_members WHERE group_id = $1";
  return read<GroupMember>(
    pool,
    [
      `SELECT count(*) AS total ${rows}`,
      `SELECT ${memberColumns} FROM (SELECT * ${rows} ORDER BY ${order()} LIMIT $2 OFFSET $3) page ${profile}
        ORDER BY ${order("page.")}`,
    ],
    [groupID],
    range,
  );
}

function search(pool: pg.Pool, groupID: string, keyword: string, range: PageRange): Promise<Page<GroupMember>> {
  const rows = `FROM plain.group_members page ${profile}
    WHERE page.group_id = $1 AND (page.user_id ILIKE $2 OR ${nickname} ILIKE $2)`;
  return read<GroupMember>(
    pool,
    [
      `SELECT count(*) AS total ${rows}`,
      `SELECT ${memberColumns} ${rows} ORDER BY ${order("page.")} LIMIT $3 OFFSET $4`,
    ],
    [groupID, `%${keyword}%`],
    range,
  );
}

export function searchAccounts(pool: pg.Pool, { keyword, ...range }: NotificationAccountsQuery) {
  const rows = `FROM plain.users WHERE app_manger_level >= 3 AND (user_id ILIKE $1 OR nickname ILIKE $1)`;
  return read<NotificationAccount>(
    pool,
    [
      `SELECT count(*) AS total ${rows}`,
      `SELECT user_id AS "userID", face_url AS "faceURL", nickname AS "nickName" ${rows}
        ORDER BY user_id LIMIT $2 OFFSET $3`,
    ],
    [`%${keyword}%`],
    range,
  );
}

/** Answers only the applicants, since both contestants would join about the same. */
export function listRequests(pool: pg.Pool, { userID, offset, limit }: ReceivedGroupRequestsQuery) {
  const rows = `FROM plain.group_requests WHERE group_id IN
    (SELECT group_id FROM plain.group_members WHERE user_id = $1 AND role_level IN (60, 100))`;
  return read<{ userID: string }>(
    pool,
    [
      `SELECT count(*) AS total ${rows}`,
      `SELECT user_id AS "userID" ${rows} ORDER BY req_time DESC, group_id, user_id LIMIT $2 OFFSET $3`,
    ],
    [userID],
    { offset, limit },
  );
}
