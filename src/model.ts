import type * as v from "valibot";
import type { blackSchema } from "./answers/black.js";
import type { groupSchema } from "./answers/group.js";
import type { groupMemberSchema } from "./answers/groupMember.js";
import type { groupRequestSchema } from "./answers/groupRequest.js";
import type { notificationAccountSchema } from "./answers/notificationAccount.js";
import type { userInfoSchema } from "./answers/userInfo.js";

// Import only types from src/answers: no function needs the schemas, and they would make a Worker larger.

/**
 * A member of a group, as answered.
 *
 * Times are milliseconds since the epoch; 0 means never.
 */
export type GroupMember = v.InferOutput<typeof groupMemberSchema>;

/**
 * A group, as answered. If the group's own record is gone, all fields but `groupID` and `memberCount` are empty or 0.
 */
export type Group = v.InferOutput<typeof groupSchema>;

/** A user's profile, as nested in other answers. If the user is gone, all fields but `userID` are empty. */
export type UserInfo = v.InferOutput<typeof userInfoSchema>;

/** A request to join a group. */
export type GroupRequest = v.InferOutput<typeof groupRequestSchema>;

/** An entry of a user's blacklist. */
export type Black = v.InferOutput<typeof blackSchema>;

/** An account that sends system notifications. */
export type NotificationAccount = v.InferOutput<typeof notificationAccountSchema>;

/** The fields of a conversation that can be set. */
export interface ConversationFields {
  /** What becomes of messages: 0 received, 1 not received, 2 received without notification. */
  recvMsgOpt: number;
  attachedInfo: string;
  isPinned: boolean;
  /** Whether messages destroy themselves. */
  isPrivateChat: boolean;
  ex: string;
  /** Seconds until a message destroys itself. */
  burnDuration: number;
  /** The number of the first message that the user may read; 0 for no limit. */
  minSeq: number;
  /** The number of the last message that the user may read; 0 for no limit. */
  maxSeq: number;
  groupAtType: number;
  /** How many seconds messages are kept, if `isMsgDestruct` is true. */
  msgDestructTime: number;
  /** Whether messages are deleted after `msgDestructTime`. */
  isMsgDestruct: boolean;
}

/** 1 single chat, 3 group chat. */
export type ConversationType = 1 | 3;
