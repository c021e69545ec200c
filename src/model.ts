import type * as v from "valibot";
import type { blackSchema } from "./answers/black.js";
import type { groupSchema } from "./answers/group.js";
import type { groupMemberSchema } from "./answers/groupMember.js";
import type { groupRequestSchema } from "./answers/groupRequest.js";
import type { notificationAccountSchema } from "./answers/notificationAccount.js";
import type { userInfoSchema } from "./answers/userInfo.js";

// Only types are imported: no function needs these schemas, and a Worker would carry them.

/**
 * A member of a group, as answered.
 *
 * Times are milliseconds since the epoch; 0 means never.
 */
export type GroupMember = v.InferOutput<typeof groupMemberSchema>;

/** A group, as answered. Where the group's own record is gone, all but the `groupID` and what is counted is empty. */
export type Group = v.InferOutput<typeof groupSchema>;

/** A user's profile, as nested in other answers. Where the user is gone, all but the `userID` is empty. */
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
  /** The number of the first message that the user may read; 0 where there is no limit. */
  minSeq: number;
  /** The number of the last message that the user may read; 0 where there is no limit. */
  maxSeq: number;
  groupAtType: number;
  /** How many seconds messages are kept, where `isMsgDestruct` is true. */
  msgDestructTime: number;
  /** Whether messages are deleted after `msgDestructTime`. */
  isMsgDestruct: boolean;
}

/** 1 single chat, 3 group chat. */
export type ConversationType = 1 | 3;
