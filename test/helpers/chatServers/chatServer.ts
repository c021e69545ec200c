/** Published chat servers: their tables, what they write into them, and what the functions answer then. */
import { existsSync, readFileSync } from "node:fs";
import { expect } from "vitest";
import {
  type Envelope,
  errorCodes,
  type Group,
  type GroupMember,
  getBlackList,
  getGroupMemberList,
  getJoinedGroupList,
  getReceivedGroupApplicationList,
  type Pagination,
  type Store,
  searchNotificationAccount,
  setConversations,
} from "../../../src/index.js";
import { defineTables, type TableMap } from "../../../src/stores/tablesSql.js";
import { root } from "../docs/pages.js";

export interface ChatServer {
  /** Makes the tables that the map reads, with the columns, keys and indexes that the server gives them. */
  tables: string;
  /** A group of a user and a member of it, with fields that are only shown. */
  shown: { userID: string; group: Partial<Group>; member: Partial<GroupMember> };
  /** What a check notes, though nothing is wrong. */
  notes?: readonly string[];
  /** What the server does, one after the other. */
  steps: readonly [filled: Step, ...Step[]];
}

export interface Step {
  what: string;
  /** Statements as the server writes them. */
  writes: string;
  /** The lists that are different from then on. */
  answers: Partial<Answers>;
}

/** The items of lists, as texts with the fields that matter. A list of nobody is null. */
export interface Answers {
  /** By group, or by a group and a keyword: userID, nickname, roleLevel, joinTime. */
  members: Lists;
  /** By user: groupID, groupName, memberCount, status, ownerUserID. */
  joined: Lists;
  /** By user: userID, nickname, createTime. */
  blacks: Lists;
  /** By user: groupID, userID, nickname, reqMsg. */
  requests: Lists;
  /** By keyword: userID, nickname. */
  accounts: Lists;
}

type Lists = Readonly<Record<string, readonly string[] | null>>;

/** The path of an example, such as `examples/maps/synapse-sqlite.mjs`. */
function fileOf(server: string, extension: string): string {
  return `${root}examples/maps/${server.toLowerCase().replace(" on ", "-")}.${extension}`;
}

/** The map of a server, among the examples. It is read from its text, since it imports the built package. */
export function mapOf(server: string): TableMap {
  const code = readFileSync(fileOf(server, "mjs"), "utf8");
  const body = code.replace('import { defineTables } from "im-admin/tables";', "").replace("export default", "return");
  return new Function("defineTables", body)(defineTables) as TableMap;
}

/** The indexes that an example tells to make for a server. */
export function indexesOf(server: string): string {
  const file = fileOf(server, "sql");
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

/** The answers after a step, which changes some of those before. */
export function answersAfter(before: Answers, { answers }: Step): Answers {
  const after = Object.entries(before).map(([list, lists]) => [list, { ...lists, ...answers[list as keyof Answers] }]);
  return Object.fromEntries(after) as Answers;
}

export const noAnswers: Answers = { members: {}, joined: {}, blacks: {}, requests: {}, accounts: {} };

/** The group and the member that a server is to show. */
export async function readShown(store: Store, { userID, group, member }: ChatServer["shown"]): Promise<unknown> {
  const groups = await store.listJoinedGroups({ userID, offset: 0, limit: 9 });
  const shownGroup = groups?.items.find(({ groupID }) => groupID === group.groupID);
  const members = await store.listGroupMembers({ groupID: group.groupID ?? "", keyword: "", offset: 0, limit: 9 });
  return { userID, group: shownGroup, member: members?.items.find((item) => item.userID === member.userID) };
}

/** What the sixth function answers. */
export async function answerToSet(store: Store, { userID, group }: ChatServer["shown"]): Promise<string> {
  const conversation = {
    conversationID: "c1",
    conversationType: 3,
    groupID: group.groupID ?? "",
    isPinned: true,
  } as const;
  return (await setConversations(store, { userIDs: [userID], conversation })).errDlt;
}

/** Asks the functions for the same lists, by pages of two. */
export async function readAnswers(store: Store, asked: Answers): Promise<Answers> {
  const membersOf = (key: string, pagination: Pagination) => {
    const [groupID = "", keyword = ""] = key.split(" ");
    return getGroupMemberList(store, { groupID, keyword, pagination });
  };
  return {
    members: await each(asked.members, membersOf, ({ total, members }) => [
      total,
      members.map((member) => textOf(member.userID, member.nickname, member.roleLevel, member.joinTime)),
    ]),
    joined: await each(
      asked.joined,
      (fromUserID, pagination) => getJoinedGroupList(store, { fromUserID, pagination }),
      ({ total, groups }) => [
        total,
        groups.map((group) =>
          textOf(group.groupID, group.groupName, group.memberCount, group.status, group.ownerUserID),
        ),
      ],
    ),
    blacks: await each(
      asked.blacks,
      (userID, pagination) => getBlackList(store, { userID, pagination }),
      ({ total, blacks }) => [
        total,
        blacks.map(({ blackUserInfo, createTime }) => textOf(blackUserInfo.userID, blackUserInfo.nickname, createTime)),
      ],
    ),
    requests: await each(
      asked.requests,
      (fromUserID, pagination) => getReceivedGroupApplicationList(store, { fromUserID, pagination }),
      ({ total, groupRequests }) => [
        total,
        groupRequests.map(({ groupInfo, userInfo, reqMsg }) =>
          textOf(groupInfo.groupID, userInfo.userID, userInfo.nickname, reqMsg),
        ),
      ],
    ),
    accounts: await each(
      asked.accounts,
      (keyword, pagination) => searchNotificationAccount(store, { keyword, pagination }),
      ({ total, notificationAccounts }) => [
        total,
        notificationAccounts.map(({ userID, nickName }) => textOf(userID, nickName)),
      ],
    ),
  };
}

function textOf(...values: readonly (string | number)[]): string {
  return values.join(" / ");
}

/** Reads the lists of some owners to their ends. The total of each page must be the length of its list. */
async function each<Data>(
  asked: Lists,
  call: (key: string, pagination: Pagination) => Promise<Envelope<Data>>,
  itemsOf: (data: Data) => [total: number, items: string[]],
): Promise<Lists> {
  const read: Record<string, string[] | null> = {};
  for (const key of Object.keys(asked)) {
    const list: string[] = [];
    const totals = new Set<number>();
    for (let pageNumber = 1; ; pageNumber += 1) {
      const answer = await call(key, { pageNumber, showNumber: 2 });
      if (answer.errCode === errorCodes.RecordNotFoundError) break;
      if (answer.errCode !== 0) throw new Error(answer.errDlt);
      const [total, items] = itemsOf(answer.data);
      totals.add(total);
      list.push(...items);
      if (items.length < 2) break;
    }
    if (totals.size > 0) expect([...totals]).toEqual([list.length]);
    read[key] = totals.size > 0 ? list : null;
  }
  return read;
}
