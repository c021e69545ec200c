/** The data of the list operations. Programs need only the types, and bundlers leave these schemas out. */
import * as v from "valibot";
import {
  blackSchema,
  countSchema,
  groupMemberSchema,
  groupRequestSchema,
  groupSchema,
  notificationAccountSchema,
} from "./items.js";

export const groupMemberListSchema = v.object({
  /** The number of members that match, on all pages. */
  total: countSchema,
  /** Those of the page. */
  members: v.array(groupMemberSchema),
});

export const blackListSchema = v.object({
  /** The items, with `createTime` in seconds, as the reference server answers it. */
  blacks: v.array(blackSchema),
  /** The number of items on all pages. */
  total: countSchema,
});

export const joinedGroupListSchema = v.object({
  /** The number of groups on all pages. */
  total: countSchema,
  /** Those of the page. */
  groups: v.array(groupSchema),
});

export const receivedGroupApplicationListSchema = v.object({
  /** The number of requests that match, on all pages. */
  total: countSchema,
  /** Those of the page. */
  groupRequests: v.array(groupRequestSchema),
});

export const notificationAccountListSchema = v.object({
  /** The number of accounts that match, on all pages. */
  total: countSchema,
  /** Those of the page. */
  notificationAccounts: v.array(notificationAccountSchema),
});
