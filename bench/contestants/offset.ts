import type BetterSqlite3 from "better-sqlite3";
import type { Black, Group, GroupMember, GroupRequest, NotificationAccount, UserInfo } from "../../src/model.js";
import type { Page } from "../../src/pagination.js";
import {
  accountsSql,
  blacksSql,
  joinedGroupsSql,
  memberSearchSql,
  membersSql,
  type OffsetSql,
  requestsSql,
} from "./offsetSql.js";
import type { Lists } from "./pageReader.js";

/** The usual way: LIMIT, OFFSET and count(*), in prepared statements. */
export function offsetLists(connection: BetterSqlite3.Database): Lists {
  const prepared = new Map<string, BetterSqlite3.Statement>();

  function statement(text: string): BetterSqlite3.Statement {
    const known = prepared.get(text);
    if (known !== undefined) return known;
    const made = connection.prepare(text);
    prepared.set(text, made);
    return made;
  }

  function read<Row>({ total, page }: OffsetSql, values: readonly string[], offset: number): Page<Row> {
    const counted = statement(total).get(...values) as { total: number };
    return { total: counted.total, items: statement(page).all(...values, offset) as Row[] };
  }

  return {
    listGroupMembers({ groupID, roleLevels, keyword, offset, limit }) {
      if (keyword === "") return read<GroupMember>(membersSql(limit, roleLevels), [groupID], offset);
      const pattern = `%${keyword}%`;
      return read<GroupMember>(memberSearchSql(limit), [groupID, pattern, pattern], offset);
    },
    listBlacks({ ownerUserID, offset, limit }) {
      const { total, items } = read<BlackRow>(blacksSql(limit), [ownerUserID], offset);
      return { total, items: items.map(toBlack) };
    },
    listJoinedGroups: ({ userID, offset, limit }) => read<Group>(joinedGroupsSql(limit), [userID], offset),
    listReceivedGroupRequests({ userID, handleResults, offset, limit }) {
      const { total, items } = read<RequestRow>(requestsSql(limit, handleResults), [userID], offset);
      return { total, items: items.map(toRequest) };
    },
    listNotificationAccounts: ({ offset, limit }) => read<NotificationAccount>(accountsSql(limit), [], offset),
  };
}

interface BlackRow extends Omit<Black, "blackUserInfo">, Omit<UserInfo, "userID" | "ex"> {
  blackUserID: string;
  profileEx: string;
}

function toBlack({ blackUserID, nickname, faceURL, profileEx, ...black }: BlackRow): Black {
  return { ...black, blackUserInfo: { userID: blackUserID, nickname, faceURL, ex: profileEx } };
}

interface RequestRow extends Omit<GroupRequest, "userInfo" | "groupInfo" | "ex">, Group {
  applicantUserID: string;
  nickname: string;
  profileFaceURL: string;
  profileEx: string;
  requestEx: string;
}

function toRequest({ applicantUserID, nickname, profileFaceURL, profileEx, requestEx, ...row }: RequestRow) {
  const {
    handleResult,
    reqMsg,
    handleMsg,
    reqTime,
    handleUserID,
    handleTime,
    joinSource,
    inviterUserID,
    ...groupInfo
  } = row;
  const request = { handleResult, reqMsg, handleMsg, reqTime, handleUserID, handleTime, joinSource, inviterUserID };
  const userInfo = { userID: applicantUserID, nickname, faceURL: profileFaceURL, ex: profileEx };
  return { ...request, ex: requestEx, userInfo, groupInfo } satisfies GroupRequest;
}
