/** The data of the list operations. Programs need only the types, and bundlers leave these schemas out. */
import * as v from "valibot";
import { count } from "./answerFields.js";
import { blackSchema } from "./black.js";
import { groupSchema } from "./group.js";
import { groupMemberSchema } from "./groupMember.js";
import { groupRequestSchema } from "./groupRequest.js";
import { notificationAccountSchema } from "./notificationAccount.js";

export const groupMemberListSchema = v.object({
  /** The number of members that match, on all pages. */
  total: count,
  /** Those of the page. */
  members: v.array(groupMemberSchema),
});

export const blackListSchema = v.object({
  /** The items, with `createTime` in seconds, as the reference server answers it. */
  blacks: v.array(blackSchema),
  /** The number of items on all pages. */
  total: count,
});

export const joinedGroupListSchema = v.object({
  /** The number of groups on all pages. */
  total: count,
  /** Those of the page. */
  groups: v.array(groupSchema),
});

export const receivedGroupApplicationListSchema = v.object({
  /** The number of requests that match, on all pages. */
  total: count,
  /** Those of the page. */
  groupRequests: v.array(groupRequestSchema),
});

export const notificationAccountListSchema = v.object({
  /** The number of accounts that match, on all pages. */
  total: count,
  /** Those of the page. */
  notificationAccounts: v.array(notificationAccountSchema),
});
