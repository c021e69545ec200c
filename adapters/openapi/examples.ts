import { black, group, groupMember, groupRequest, itemWith, userInfo } from "../../src/items.js";
import type { OperationName } from "../../src/operation.js";
import { settableFields } from "../../src/records.js";
import type { AdminClient, ClientCall } from "../client/adminClient.js";

/** An input, and the data of its answer. */
type Example<Call> = Call extends ClientCall<infer Input, infer Data> ? { input: Input; data: Data } : never;

const member = itemWith(groupMember, {
  groupID: "2559217223",
  operatorUserID: "1001800006",
  inviterUserID: "1001800006",
});

/** An example of each function. It uses the records of the demo world, so that it can be tried. */
export const examples: { readonly [Name in OperationName]: Example<AdminClient[Name]> } = {
  getGroupMemberList: {
    input: { groupID: "2559217223", keyword: "李", pagination: { pageNumber: 1, showNumber: 2 } },
    data: {
      total: 167,
      members: [
        { ...member, userID: "1001800006", roleLevel: 100, joinTime: 1687760060000, nickname: "李伟" },
        {
          ...member,
          userID: "1073799966",
          roleLevel: 20,
          joinTime: 1687762460000,
          nickname: "李强",
          joinSource: 3,
        },
      ],
    },
  },
  getBlackList: {
    input: { userID: "1000000007", pagination: { pageNumber: 1, showNumber: 10 } },
    data: {
      blacks: [
        itemWith(black, {
          ownerUserID: "1000000007",
          createTime: 1687760000,
          blackUserInfo: itemWith(userInfo, {
            userID: "6399997007",
            nickname: "Ada Harris",
            faceURL: "https://cdn.example.org/user/3000.jpg",
          }),
          operatorUserID: "1000000007",
        }),
      ],
      total: 1,
    },
  },
  getJoinedGroupList: {
    input: { fromUserID: "1000000007", pagination: { pageNumber: 1, showNumber: 1 } },
    data: {
      total: 301,
      groups: [
        itemWith(group, {
          groupID: "3469138542",
          groupName: "Photography 300",
          faceURL: "https://cdn.example.org/group/300.jpg",
          ownerUserID: "1388799791",
          createTime: 1688836400000,
          memberCount: 6,
          status: 2,
          creatorUserID: "1000000007",
          groupType: 2,
          needVerification: 2,
        }),
      ],
    },
  },
  getReceivedGroupApplicationList: {
    input: {
      fromUserID: "1000000007",
      groupIDs: ["3101234596", "3102469173"],
      pagination: { pageNumber: 1, showNumber: 1 },
    },
    data: {
      total: 1,
      groupRequests: [
        itemWith(groupRequest, {
          userInfo: itemWith(userInfo, { userID: "5553997477", nickname: "徐静" }),
          groupInfo: itemWith(group, {
            groupID: "3101234596",
            groupName: "Hiking 2",
            ownerUserID: "1268199858",
            createTime: 1687763600000,
            memberCount: 4,
            creatorUserID: "1000000007",
            groupType: 2,
            needVerification: 1,
          }),
          handleResult: 1,
          reqMsg: "你好，我想加入",
          handleMsg: "欢迎",
          reqTime: 1687765400000,
          handleUserID: "1000000007",
          handleTime: 1687767200000,
          joinSource: 3,
        }),
      ],
    },
  },
  searchNotificationAccount: {
    input: { keyword: "", pagination: { pageNumber: 1, showNumber: 10 } },
    data: {
      total: 4,
      notificationAccounts: [
        { userID: "botWelcome", faceURL: "https://cdn.example.org/system/4.jpg", nickName: "Welcome 机器人" },
        { userID: "sysBilling", faceURL: "https://cdn.example.org/system/1.jpg", nickName: "Billing 账单" },
        { userID: "sysNews", faceURL: "https://cdn.example.org/system/2.jpg", nickName: "系统通知" },
        { userID: "sysSecurity", faceURL: "", nickName: "Security alerts" },
      ],
    },
  },
  setConversations: {
    input: {
      userIDs: ["1000000007"],
      conversation: {
        conversationID: "si_1000000007_1001800006",
        conversationType: 1,
        userID: "1001800006",
        groupID: "",
        ...Object.fromEntries(settableFields.map(([field, { otherwise }]) => [field, otherwise])),
        isPrivateChat: true,
        burnDuration: 30,
      },
    },
    data: null,
  },
};
