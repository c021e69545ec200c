import * as v from "valibot";
import type { Group, Page, PageRange, Store, UserInfo } from "../src/index.js";
import {
  checkedKeys,
  checkedRecords,
  type RecordName,
  type RecordSet,
  recordKeys,
  recordSchemas,
} from "../src/records.js";
import type { StoreUnderTest } from "../src/testing/index.js";

type Output<Name extends keyof typeof recordSchemas> = v.InferOutput<(typeof recordSchemas)[Name]>;

/** All records of a small world, with every field. */
export type ModelWorld = { [Name in keyof typeof recordSchemas]: Output<Name>[] };

/** A store that filters and sorts arrays: slow, and simple enough to be right by reading it. */
export function modelStore(world: ModelWorld): Store {
  const user = (userID: string) => world.users.find((candidate) => candidate.userID === userID);
  const members = (groupID: string) => world.groupMembers.filter((member) => member.groupID === groupID);

  function userInfo(userID: string): UserInfo {
    const { nickname = "", faceURL = "", ex = "" } = user(userID) ?? {};
    return { userID, nickname, faceURL, ex };
  }

  function group(groupID: string): Group {
    const record = world.groups.find((candidate) => candidate.groupID === groupID);
    const empty = v.parse(recordSchemas.groups, { groupID });
    const owners = members(groupID).filter(({ roleLevel }) => roleLevel === 100);
    const [owner] = owners.sort((a, b) => a.joinTime - b.joinTime || compare(a.userID, b.userID));
    return {
      ...(record ?? empty),
      ownerUserID: owner?.userID ?? "",
      memberCount: members(groupID).length,
    };
  }

  return {
    async listGroupMembers({ groupID, keyword, roleLevels, ...range }) {
      if (!world.groups.some((candidate) => candidate.groupID === groupID)) return undefined;
      const answered = members(groupID).map((member) => {
        const profile = user(member.userID);
        return {
          ...member,
          nickname: member.nickname || (profile?.nickname ?? ""),
          faceURL: member.faceURL || (profile?.faceURL ?? ""),
          appMangerLevel: profile?.appMangerLevel ?? 0,
        };
      });
      const listed = answered
        .filter(({ roleLevel }) => roleLevels?.includes(roleLevel) ?? true)
        .filter(({ userID, nickname }) => contains(userID, keyword) || contains(nickname, keyword));
      return page(
        listed.sort((a, b) => b.roleLevel - a.roleLevel || a.joinTime - b.joinTime || compare(a.userID, b.userID)),
        range,
      );
    },

    async listBlacks({ ownerUserID, ...range }) {
      if (user(ownerUserID) === undefined) return undefined;
      const listed = world.blacks.filter((black) => black.ownerUserID === ownerUserID);
      const sorted = listed.sort((a, b) => b.createTime - a.createTime || compare(a.blackUserID, b.blackUserID));
      return page(
        sorted.map(({ blackUserID, ...black }) => ({ ...black, blackUserInfo: userInfo(blackUserID) })),
        range,
      );
    },

    async listJoinedGroups({ userID, ...range }) {
      if (user(userID) === undefined) return undefined;
      const joined = world.groupMembers.filter((member) => member.userID === userID);
      const sorted = joined.sort((a, b) => b.joinTime - a.joinTime || compare(a.groupID, b.groupID));
      return page(
        sorted.map(({ groupID }) => group(groupID)),
        range,
      );
    },

    async listReceivedGroupRequests({ userID, groupIDs, handleResults, ...range }) {
      if (user(userID) === undefined) return undefined;
      const manages = (groupID: string) =>
        members(groupID).some((member) => member.userID === userID && [60, 100].includes(member.roleLevel));
      const listed = world.groupRequests
        .filter(({ groupID }) => manages(groupID) && (groupIDs?.includes(groupID) ?? true))
        .filter(({ handleResult }) => handleResults?.includes(handleResult) ?? true);
      const sorted = listed.sort(
        (a, b) => b.reqTime - a.reqTime || compare(a.groupID, b.groupID) || compare(a.userID, b.userID),
      );
      return page(
        sorted.map(({ groupID, userID, ...request }) => ({
          ...request,
          userInfo: userInfo(userID),
          groupInfo: group(groupID),
        })),
        range,
      );
    },

    async listNotificationAccounts({ keyword, appMangerLevel, ...range }) {
      const listed = world.users
        .filter((account) => account.appMangerLevel >= 3)
        .filter((account) => appMangerLevel === undefined || account.appMangerLevel === appMangerLevel)
        .filter(({ userID, nickname }) => contains(userID, keyword) || contains(nickname, keyword))
        .sort((a, b) => compare(a.userID, b.userID));
      return page(
        listed.map(({ userID, faceURL, nickname }) => ({ userID, faceURL, nickName: nickname })),
        range,
      );
    },

    async setConversations({ userIDs, conversationID, conversationType, userID, groupID, fields }) {
      if (conversationType === 3) {
        const target = world.groups.find((candidate) => candidate.groupID === groupID);
        if (target === undefined) return { outcome: "groupNotFound" };
        if (target.status === 2) return { outcome: "groupDismissed" };
      }
      const peers = conversationType === 1 ? [userID] : [];
      const unknown = [...new Set([...userIDs, ...peers])].filter((id) => user(id) === undefined);
      if (unknown.length > 0) return { outcome: "usersNotFound", userIDs: unknown };

      const stored = (ownerUserID: string) =>
        world.conversations.find(
          (candidate) => candidate.ownerUserID === ownerUserID && candidate.conversationID === conversationID,
        );
      const contradicted = userIDs.filter((ownerUserID) => {
        const found = stored(ownerUserID);
        if (found === undefined) return false;
        return found.conversationType !== conversationType || found.userID !== userID || found.groupID !== groupID;
      });
      if (contradicted.length > 0) return { outcome: "contradicted", userIDs: contradicted };
      if (Object.keys(fields).length === 0) return { outcome: "done", changedUserIDs: [] };

      const changedUserIDs = userIDs.filter((ownerUserID) => {
        const key = { ownerUserID, conversationID };
        const found = stored(ownerUserID);
        const before = JSON.stringify(found);
        const target = found ?? v.parse(recordSchemas.conversations, { ...key, conversationType, userID, groupID });
        Object.assign(target, fields);
        if (found === undefined) world.conversations.push(target);
        return JSON.stringify(target) !== before;
      });
      return { outcome: "done", changedUserIDs };
    },
  };
}

function page<Item>(items: Item[], { offset, limit }: PageRange): Page<Item> {
  return { total: items.length, items: items.slice(offset, offset + limit) };
}

function contains(text: string, keyword: string): boolean {
  const fold = (value: string) => value.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return fold(text).includes(fold(keyword));
}

/** By Unicode code point, which is bytewise UTF-8, and not how JavaScript compares astral characters. */
function compare(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

/** The model, with the side door that the store cases write and read through. */
export async function modelStoreUnderTest(records: RecordSet): Promise<StoreUnderTest> {
  const world: ModelWorld = {
    users: [],
    groups: [],
    groupMembers: [],
    blacks: [],
    groupRequests: [],
    conversations: [],
  };
  const keyOf = (name: RecordName, record: object) =>
    JSON.stringify(Object.entries(pick(record, recordKeys[name])).sort());
  const change = (name: RecordName, change: (records: Map<string, object>) => void) => {
    const records = new Map(world[name].map((record): [string, object] => [keyOf(name, record), record]));
    change(records);
    Object.assign(world, { [name]: [...records.values()] });
  };
  const store: StoreUnderTest = {
    ...modelStore(world),
    async put(set) {
      const checked = [...checkedRecords(set)];
      for (const changed of new Set(checked.map(([name]) => name))) {
        change(changed, (records) => {
          for (const [name, record] of checked) if (name === changed) records.set(keyOf(name, record), record);
        });
      }
    },
    async remove(keys) {
      for (const [name, key] of checkedKeys(keys)) change(name, (records) => records.delete(keyOf(name, key)));
    },
    async conversations(ownerUserID) {
      const owned = world.conversations.filter((stored) => stored.ownerUserID === ownerUserID);
      return owned.sort((a, b) => compare(a.conversationID, b.conversationID));
    },
  };
  await store.put(records);
  return store;
}

function pick(record: object, fields: readonly string[]): object {
  return Object.fromEntries(Object.entries(record).filter(([name]) => fields.includes(name)));
}
