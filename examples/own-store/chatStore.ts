import type {
  ConversationChange,
  ConversationChangeResult,
  Group,
  GroupMember,
  Page,
  PageRange,
  Store,
  UserInfo,
} from "im-admin";
import type { ChatServer, Room, Settings } from "./chatServer.ts";

/** A store for im-admin that reads and writes the chat server's own data. */
export function chatStore(server: ChatServer): Store {
  return {
    async listGroupMembers({ groupID, keyword, roleLevels, ...range }) {
      const room = server.rooms.get(groupID);
      if (room?.about === undefined) return undefined;
      const members = membersOf(server, groupID, room)
        .filter(({ roleLevel }) => roleLevels?.includes(roleLevel) ?? true)
        .filter(({ userID, nickname }) => contains(userID, keyword) || contains(nickname, keyword))
        .sort((a, b) => b.roleLevel - a.roleLevel || a.joinTime - b.joinTime || byCodePoint(a.userID, b.userID));
      return page(members, range);
    },

    async listBlacks({ ownerUserID, ...range }) {
      if (!server.users.has(ownerUserID)) return undefined;
      const blacks = [...(server.blocks.get(ownerUserID) ?? [])]
        .map(([userID, { since, source, by, extra }]) => ({
          ownerUserID,
          createTime: since,
          blackUserInfo: userInfo(server, userID),
          addSource: source,
          operatorUserID: by,
          ex: extra,
        }))
        .sort((a, b) => b.createTime - a.createTime || byCodePoint(a.blackUserInfo.userID, b.blackUserInfo.userID));
      return page(blacks, range);
    },

    async listJoinedGroups({ userID, ...range }) {
      if (!server.users.has(userID)) return undefined;
      const joined = [...server.rooms]
        .flatMap(([groupID, { members }]) => {
          const membership = members.get(userID);
          return membership === undefined ? [] : [{ groupID, since: membership.since }];
        })
        .sort((a, b) => b.since - a.since || byCodePoint(a.groupID, b.groupID));
      const { total, items } = page(joined, range);
      return { total, items: items.map(({ groupID }) => groupInfo(server, groupID)) };
    },

    async listReceivedGroupRequests({ userID, groupIDs, handleResults, ...range }) {
      if (!server.users.has(userID)) return undefined;
      const requests = [...server.rooms]
        .filter(([groupID]) => groupIDs?.includes(groupID) ?? true)
        .filter(([, { members }]) => [60, 100].includes(members.get(userID)?.role ?? 0))
        .flatMap(([groupID, room]) => [...room.requests].map(([userID, request]) => ({ groupID, userID, request })))
        .filter(({ request }) => handleResults?.includes(request.result) ?? true)
        .sort(
          (a, b) => b.request.at - a.request.at || byCodePoint(a.groupID, b.groupID) || byCodePoint(a.userID, b.userID),
        );
      const { total, items } = page(requests, range);
      return {
        total,
        items: items.map(({ groupID, userID, request }) => ({
          userInfo: userInfo(server, userID),
          groupInfo: groupInfo(server, groupID),
          handleResult: request.result,
          reqMsg: request.message,
          handleMsg: request.answer,
          reqTime: request.at,
          handleUserID: request.answeredBy,
          handleTime: request.answeredAt,
          ex: request.extra,
          joinSource: request.source,
          inviterUserID: request.invitedBy,
        })),
      };
    },

    async listNotificationAccounts({ keyword, appMangerLevel, ...range }) {
      const accounts = [...server.users]
        .filter(([, { level }]) => (appMangerLevel === undefined ? level >= 3 : level === appMangerLevel))
        .map(([userID, { name, picture }]) => ({ userID, faceURL: picture, nickName: name }))
        .filter(({ userID, nickName }) => contains(userID, keyword) || contains(nickName, keyword))
        .sort((a, b) => byCodePoint(a.userID, b.userID));
      return page(accounts, range);
    },

    // All checks come before the first write, and there is no await in between: it writes for all users or for none.
    async setConversations(change) {
      return obstacle(server, change) ?? write(server, change);
    },
  };
}

const defaults: Settings = {
  recvMsgOpt: 0,
  attachedInfo: "",
  isPinned: false,
  isPrivateChat: false,
  ex: "",
  burnDuration: 0,
  minSeq: 0,
  maxSeq: 0,
  groupAtType: 0,
  msgDestructTime: 0,
  isMsgDestruct: false,
};

function obstacle(server: ChatServer, change: ConversationChange): ConversationChangeResult | undefined {
  const { conversationID, conversationType, userID, groupID } = change;
  if (conversationType === 3) {
    const about = server.rooms.get(groupID)?.about;
    if (about === undefined) return { outcome: "groupNotFound" };
    if (about.status === 2) return { outcome: "groupDismissed" };
  }
  const named = conversationType === 1 ? [...change.userIDs, userID] : change.userIDs;
  const unknown = [...new Set(named)].filter((candidate) => !server.users.has(candidate));
  if (unknown.length > 0) return { outcome: "usersNotFound", userIDs: unknown };
  const contradicted = change.userIDs.filter((owner) => {
    const stored = server.inboxes.get(owner)?.get(conversationID);
    return stored && (stored.type !== conversationType || stored.peer !== userID || stored.room !== groupID);
  });
  return contradicted.length > 0 ? { outcome: "contradicted", userIDs: contradicted } : undefined;
}

function write(server: ChatServer, { userIDs, fields, tell, onlyIf, ...change }: ConversationChange): Done {
  const { conversationID, conversationType: type, userID: peer, groupID: room } = change;
  const settingsOf = (owner: string) => server.inboxOf(owner).get(conversationID)?.settings ?? defaults;
  const agrees = (owner: string) => isSame(settingsOf(owner), { ...settingsOf(owner), ...onlyIf });
  const isChanged = (owner: string) =>
    !server.inboxOf(owner).has(conversationID) || !isSame(settingsOf(owner), { ...settingsOf(owner), ...fields });
  const isWrite = Object.keys(fields).length > 0;
  const changedUserIDs = isWrite ? userIDs.filter((owner) => agrees(owner) && isChanged(owner)) : [];
  const before = (isWrite ? changedUserIDs : userIDs).map((owner) => ({
    fields: Object.fromEntries((tell ?? []).map((field) => [field, settingsOf(owner)[field]])),
    userIDs: [owner],
  }));
  for (const owner of changedUserIDs) {
    const settings = { ...settingsOf(owner), ...fields };
    server.inboxOf(owner).set(conversationID, { type, peer, room, settings });
  }
  return { outcome: "done", changedUserIDs, ...(tell && { before }) };
}

type Done = Extract<ConversationChangeResult, { outcome: "done" }>;

function isSame(left: Settings, right: Settings): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

function membersOf(server: ChatServer, groupID: string, { members }: Room): GroupMember[] {
  return [...members].map(([userID, membership]) => {
    const profile = server.users.get(userID);
    return {
      groupID,
      userID,
      roleLevel: membership.role,
      joinTime: membership.since,
      nickname: membership.name || (profile?.name ?? ""),
      faceURL: membership.picture || (profile?.picture ?? ""),
      appMangerLevel: profile?.level ?? 0,
      joinSource: membership.source,
      operatorUserID: membership.addedBy,
      ex: membership.extra,
      muteEndTime: membership.mutedUntil,
      inviterUserID: membership.invitedBy,
    };
  });
}

function userInfo(server: ChatServer, userID: string): UserInfo {
  const { name = "", picture = "", extra = "" } = server.users.get(userID) ?? {};
  return { userID, nickname: name, faceURL: picture, ex: extra };
}

function groupInfo(server: ChatServer, groupID: string): Group {
  const { about, members } = server.room(groupID);
  const owners = [...members].filter(([, { role }]) => role === 100);
  owners.sort(([a, { since: first }], [b, { since: second }]) => first - second || byCodePoint(a, b));
  return {
    groupID,
    groupName: about?.groupName ?? "",
    notification: about?.notification ?? "",
    introduction: about?.introduction ?? "",
    faceURL: about?.faceURL ?? "",
    ownerUserID: owners[0]?.[0] ?? "",
    createTime: about?.createTime ?? 0,
    memberCount: members.size,
    ex: about?.ex ?? "",
    status: about?.status ?? 0,
    creatorUserID: about?.creatorUserID ?? "",
    groupType: about?.groupType ?? 0,
    needVerification: about?.needVerification ?? 0,
    lookMemberInfo: about?.lookMemberInfo ?? 0,
    applyMemberFriend: about?.applyMemberFriend ?? 0,
    notificationUpdateTime: about?.notificationUpdateTime ?? 0,
    notificationUserID: about?.notificationUserID ?? "",
  };
}

/** A page of a list and its total. The list is filtered and sorted already. */
function page<Item>(items: Item[], { offset, limit }: PageRange): Page<Item> {
  return { total: items.length, items: items.slice(offset, offset + limit) };
}

/** Whether a text contains a keyword, in any case of ASCII letters. `toLowerCase` alone would change other letters. */
function contains(text: string, keyword: string): boolean {
  const fold = (value: string) => value.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  return fold(text).includes(fold(keyword));
}

/** Compares by code point, as UTF-8 bytes do. JavaScript compares UTF-16 units, which puts "😀" before "～". */
function byCodePoint(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}
