/**
 * A member of a group, as answered.
 *
 * Times are milliseconds since the epoch; 0 means never.
 */
export interface GroupMember {
  groupID: string;
  userID: string;
  /** 100 owner, 60 administrator, 20 ordinary member; 0 to 999. */
  roleLevel: number;
  joinTime: number;
  /** The nickname set in the group; where that is empty, the user's own. */
  nickname: string;
  /** The avatar set in the group; where that is empty, the user's own. */
  faceURL: string;
  /** The user's rank in the application; the contract spells it so. */
  appMangerLevel: number;
  joinSource: number;
  operatorUserID: string;
  ex: string;
  /** When the member may speak again; 0 when not muted. */
  muteEndTime: number;
  inviterUserID: string;
}

/** A group, as answered. Where the group's own record is gone, all but the `groupID` and what is counted is empty. */
export interface Group {
  groupID: string;
  groupName: string;
  notification: string;
  introduction: string;
  faceURL: string;
  /** The member with roleLevel 100; empty where there is none. */
  ownerUserID: string;
  createTime: number;
  /** Members now. */
  memberCount: number;
  ex: string;
  /** 2 means dismissed. */
  status: number;
  creatorUserID: string;
  groupType: number;
  needVerification: number;
  lookMemberInfo: number;
  applyMemberFriend: number;
  notificationUpdateTime: number;
  notificationUserID: string;
}

/** A user's profile, as nested in other answers. Where the user is gone, all but the `userID` is empty. */
export interface UserInfo {
  userID: string;
  nickname: string;
  faceURL: string;
  ex: string;
}

/** A request to join a group. */
export interface GroupRequest {
  /** Who asks. */
  userInfo: UserInfo;
  groupInfo: Group;
  /** 0 pending, 1 accepted, -1 refused. */
  handleResult: number;
  reqMsg: string;
  handleMsg: string;
  reqTime: number;
  handleUserID: string;
  handleTime: number;
  ex: string;
  joinSource: number;
  inviterUserID: string;
}

/** An entry of a user's blacklist. */
export interface Black {
  ownerUserID: string;
  /** Milliseconds in a store, as all times; seconds (rounded down) in the answer of `getBlackList`. */
  createTime: number;
  blackUserInfo: UserInfo;
  addSource: number;
  operatorUserID: string;
  ex: string;
}

/** An account that sends system notifications. */
export interface NotificationAccount {
  userID: string;
  faceURL: string;
  /** The contract spells it with a capital N. */
  nickName: string;
}

/** The fields of a conversation that can be set. */
export interface ConversationFields {
  /** 0 receive, 1 do not receive, 2 receive without notification. */
  recvMsgOpt: number;
  attachedInfo: string;
  isPinned: boolean;
  /** Whether messages destroy themselves. */
  isPrivateChat: boolean;
  ex: string;
  /** Seconds until a message destroys itself. */
  burnDuration: number;
}

/** 1 single chat, 3 group chat. */
export type ConversationType = 1 | 3;
