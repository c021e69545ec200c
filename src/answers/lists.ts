/** What the operations that list answer. Programs need the types alone, and bundlers leave these schemas out. */
import * as v from "valibot";
import { blackSchema } from "./black.js";
import { count } from "./fields.js";
import { groupSchema } from "./group.js";
import { groupMemberSchema } from "./groupMember.js";
import { groupRequestSchema } from "./groupRequest.js";
import { notificationAccountSchema } from "./notificationAccount.js";

export const groupMemberListSchema = v.object({
  /** Members that match, on all pages. */
  total: count,
  /** Those of the page. */
  members: v.array(groupMemberSchema),
});

export const blackListSchema = v.object({
  /** Entries, with `createTime` in seconds, as the reference server answers it. */
  blacks: v.array(blackSchema),
  /** Entries on all pages. */
  total: count,
});

export const joinedGroupListSchema = v.object({
  /** Groups on all pages. */
  total: count,
  /** Those of the page. */
  groups: v.array(groupSchema),
});

export const receivedGroupApplicationListSchema = v.object({
  /** Requests that match, on all pages. */
  total: count,
  /** Those of the page. */
  groupRequests: v.array(groupRequestSchema),
});

export const notificationAccountListSchema = v.object({
  /** Accounts that match, on all pages. */
  total: count,
  /** Those of the page. */
  notificationAccounts: v.array(notificationAccountSchema),
});
