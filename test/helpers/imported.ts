import {
  getBlackList,
  getGroupMemberList,
  getJoinedGroupList,
  getReceivedGroupApplicationList,
  searchNotificationAccount,
} from "../../src/index.js";
import type {
  BlackRecord,
  ConversationRecord,
  GroupMemberRecord,
  GroupRecord,
  GroupRequestRecord,
  UserRecord,
} from "../../src/records.js";
import type { BundledStore } from "../../src/stores/drivers/sqlite.js";

interface Records {
  users: Required<UserRecord>[];
  groups: Required<GroupRecord>[];
  groupMembers: Required<GroupMemberRecord>[];
  groupRequests: Required<GroupRequestRecord>[];
  blacks: Required<BlackRecord>[];
  conversations: Required<ConversationRecord>[];
}

/** A record of each kind, whose every field has a value of its own, in im-admin's notation. */
export const records: Records = {
  users: [
    { userID: "u1", nickname: "Ann", faceURL: "u1.jpg", ex: "user ex", appMangerLevel: 3 },
    { userID: "u2", nickname: "李雷", faceURL: "u2.jpg", ex: "{}", appMangerLevel: 1 },
  ],
  groups: [
    {
      groupID: "g1",
      groupName: "读书会",
      notification: "Saturday",
      introduction: "We read",
      faceURL: "g1.jpg",
      createTime: 1687753739612,
      ex: "group ex",
      status: 1,
      creatorUserID: "creator",
      groupType: 2,
      needVerification: 4,
      lookMemberInfo: 5,
      applyMemberFriend: 6,
      notificationUpdateTime: 1687753740001,
      notificationUserID: "notifier",
    },
  ],
  groupMembers: [
    {
      groupID: "g1",
      userID: "u1",
      roleLevel: 100,
      joinTime: 1687762198048,
      nickname: "Annie",
      faceURL: "member.jpg",
      joinSource: 2,
      operatorUserID: "operator",
      ex: "member ex",
      muteEndTime: 1688106933734,
      inviterUserID: "inviter",
    },
  ],
  groupRequests: [
    {
      groupID: "g1",
      userID: "u2",
      handleResult: -1,
      reqMsg: "May I?",
      handleMsg: "No",
      reqTime: 1688376825952,
      handleUserID: "handler",
      handleTime: 1688376825953,
      ex: "request ex",
      joinSource: 3,
      inviterUserID: "friend",
    },
  ],
  blacks: [
    {
      ownerUserID: "u1",
      blackUserID: "u2",
      createTime: 1688460626000,
      addSource: 7,
      operatorUserID: "adder",
      ex: "black ex",
    },
  ],
  conversations: [
    {
      ownerUserID: "u1",
      conversationID: "sg_g1",
      conversationType: 3,
      userID: "peer",
      groupID: "g1",
      recvMsgOpt: 2,
      attachedInfo: "attached",
      isPinned: true,
      isPrivateChat: true,
      ex: "conversation ex",
      burnDuration: 30,
    },
  ],
};

/** What the store answers of {@link records}, every field of them. */
export async function answers(store: BundledStore) {
  const pagination = { pageNumber: 1, showNumber: 10 };
  return {
    members: await getGroupMemberList(store, { groupID: "g1", pagination }),
    blacks: await getBlackList(store, { userID: "u1", pagination }),
    groups: await getJoinedGroupList(store, { fromUserID: "u1", pagination }),
    requests: await getReceivedGroupApplicationList(store, { fromUserID: "u1", pagination }),
    accounts: await searchNotificationAccount(store, { pagination }),
    conversations: await store.conversations("u1"),
  };
}
