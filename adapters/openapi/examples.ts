import type {
  BlackList,
  GetBlackListInput,
  GetGroupMemberListInput,
  GetJoinedGroupListInput,
  GetReceivedGroupApplicationListInput,
  GroupMemberList,
  JoinedGroupList,
  NotificationAccountList,
  ReceivedGroupApplicationList,
  SearchNotificationAccountInput,
  SetConversationsInput,
} from "../../src/index.js";

/** An input, and the data of its answer. */
interface Example<Input, Data> {
  input: Input;
  data: Data;
}

/** An example of each function. It uses the records of the samples in the OpenIM server's documentation. */
export const examples: {
  getGroupMemberList: Example<GetGroupMemberListInput, GroupMemberList>;
  getBlackList: Example<GetBlackListInput, BlackList>;
  getJoinedGroupList: Example<GetJoinedGroupListInput, JoinedGroupList>;
  getReceivedGroupApplicationList: Example<GetReceivedGroupApplicationListInput, ReceivedGroupApplicationList>;
  searchNotificationAccount: Example<SearchNotificationAccountInput, NotificationAccountList>;
  setConversations: Example<SetConversationsInput, null>;
} = {
  getGroupMemberList: {
    input: { groupID: "2559217223", keyword: "", pagination: { pageNumber: 1, showNumber: 2 } },
    data: {
      total: 5,
      members: [
        {
          groupID: "2559217223",
          userID: "4771680259",
          roleLevel: 100,
          joinTime: 1687760824107,
          nickname: "Lumia",
          faceURL: "",
          appMangerLevel: 0,
          joinSource: 2,
          operatorUserID: "4771680259",
          ex: "",
          muteEndTime: 0,
          inviterUserID: "4771680259",
        },
        {
          groupID: "2559217223",
          userID: "3645617224",
          roleLevel: 60,
          joinTime: 1687762198048,
          nickname: "霍去病",
          faceURL: "http://192.0.2.233:10002/third/object?name=7846002615.jpg",
          appMangerLevel: 0,
          joinSource: 2,
          operatorUserID: "4771680259",
          ex: "",
          muteEndTime: 0,
          inviterUserID: "4771680259",
        },
      ],
    },
  },
  getBlackList: {
    input: { userID: "11111111", pagination: { pageNumber: 1, showNumber: 10 } },
    data: {
      blacks: [
        {
          ownerUserID: "11111111",
          createTime: 1688460626,
          blackUserInfo: { userID: "11111113", nickname: "yourNickname", faceURL: "yourFaceURL", ex: "" },
          addSource: 0,
          operatorUserID: "openIMAdmin",
          ex: "",
        },
      ],
      total: 1,
    },
  },
  getJoinedGroupList: {
    input: { fromUserID: "9906953281", pagination: { pageNumber: 1, showNumber: 1 } },
    data: {
      total: 3,
      groups: [
        {
          groupID: "2759960147",
          groupName: "Group2",
          notification: "",
          introduction: "",
          faceURL: "",
          ownerUserID: "4771680259",
          createTime: 1688106933734,
          memberCount: 2,
          ex: "",
          status: 0,
          creatorUserID: "4771680259",
          groupType: 2,
          needVerification: 0,
          lookMemberInfo: 0,
          applyMemberFriend: 0,
          notificationUpdateTime: 0,
          notificationUserID: "",
        },
      ],
    },
  },
  getReceivedGroupApplicationList: {
    input: { fromUserID: "8423809271", pagination: { pageNumber: 1, showNumber: 10 } },
    data: {
      total: 1,
      groupRequests: [
        {
          userInfo: {
            userID: "4356065820",
            nickname: "Tom",
            faceURL: "http://192.0.2.233:10002/third/object?name=8350826192.jpg",
            ex: "",
          },
          groupInfo: {
            groupID: "1085123084",
            groupName: "Rose baby、Jack Dawson、Jacky",
            notification: "群公告测试",
            introduction: "",
            faceURL: "",
            ownerUserID: "8423809271",
            createTime: 1688353410770,
            memberCount: 3,
            ex: "",
            status: 0,
            creatorUserID: "8423809271",
            groupType: 2,
            needVerification: 0,
            lookMemberInfo: 0,
            applyMemberFriend: 0,
            notificationUpdateTime: 0,
            notificationUserID: "",
          },
          handleResult: 1,
          reqMsg: "",
          handleMsg: "reason",
          reqTime: 1688376825952,
          handleUserID: "",
          handleTime: 0,
          ex: "",
          joinSource: 3,
          inviterUserID: "",
        },
      ],
    },
  },
  searchNotificationAccount: {
    input: { keyword: "", pagination: { pageNumber: 1, showNumber: 10 } },
    data: {
      total: 4,
      notificationAccounts: [
        { userID: "1974356875", faceURL: "url", nickName: "notification1111111" },
        { userID: "2776836221", faceURL: "", nickName: "notification1" },
        { userID: "4208409642", faceURL: "", nickName: "notification1" },
        { userID: "8719627904", faceURL: "", nickName: "notification1" },
      ],
    },
  },
  setConversations: {
    input: {
      userIDs: ["6965946400"],
      conversation: {
        conversationID: "si_4365007572_6965946400",
        conversationType: 1,
        userID: "4365007572",
        groupID: "",
        recvMsgOpt: 0,
        attachedInfo: "",
        isPinned: false,
        isPrivateChat: true,
        ex: "",
        burnDuration: 30,
        minSeq: 0,
        maxSeq: 0,
        groupAtType: 0,
        msgDestructTime: 0,
        isMsgDestruct: false,
      },
    },
    data: null,
  },
};
