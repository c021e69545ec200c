import type { StoredRecord } from "./records.js";

/**
 * A member of a group, as answered.
 *
 * Times are milliseconds since the epoch; 0 means never.
 */
export type GroupMember = Omit<StoredRecord<"groupMembers">, "nickname" | "faceURL"> & {
  /** The member's nickname in the group, or the user's own if that is empty. */
  nickname: string;
  /** The member's avatar in the group, or the user's own if that is empty. */
  faceURL: string;
  /**
   * The user's rank in the chat service: 0 ordinary user, 1 ordinary user, 2 administrator, 3 notification account, 4 robot. The
   * contract spells the name so.
   */
  appMangerLevel: number;
};

/**
 * A group, as answered. If the group's own record is gone, all fields but `groupID` and `memberCount` are empty or 0.
 */
export type Group = StoredRecord<"groups"> & {
  /** The member with roleLevel 100; empty if there is none. */
  ownerUserID: string;
  /** The number of members now. */
  memberCount: number;
};

/** A user's profile, as nested in other answers. If the user is gone, all fields but `userID` are empty. */
export type UserInfo = Omit<StoredRecord<"users">, "appMangerLevel">;

/** A request to join a group. */
export type GroupRequest = Omit<StoredRecord<"groupRequests">, "groupID" | "userID"> & {
  /** The applicant. */
  userInfo: UserInfo;
  /** Which group the applicant wants to join. */
  groupInfo: Group;
};

/** An entry of a user's blacklist. */
export type Black = Omit<StoredRecord<"blacks">, "blackUserID" | "createTime"> & {
  /** In a store, milliseconds like all times. In the answer of `getBlackList`, seconds, rounded down. */
  createTime: number;
  /** Who is blocked. */
  blackUserInfo: UserInfo;
};

/** An account that sends system notifications. */
export type NotificationAccount = Pick<StoredRecord<"users">, "faceURL"> & {
  /** Identifies the account. */
  userID: string;
  /** What the account is called. The contract spells it with a capital N. */
  nickName: string;
};

/** The fields of a conversation that can be set. */
export type ConversationFields = Omit<
  StoredRecord<"conversations">,
  "ownerUserID" | "conversationID" | "conversationType" | "userID" | "groupID"
>;

/** 1 single chat, 3 group chat. */
export type ConversationType = 1 | 3;
