export type {
  Black,
  Envelope,
  ErrorCode,
  Failure,
  Group,
  GroupMember,
  GroupRequest,
  NotificationAccount,
  Pagination,
  Success,
  UserInfo,
} from "../src/index.js";
export type * from "./client/adminClient.js";
export { AdminError, unwrap } from "./client/adminError.js";
export { type AdminClientOptions, createAdminClient } from "./client/createAdminClient.js";
export { eachItem } from "./client/eachItem.js";
export { type EachOptions, eachPage, type ListData } from "./client/eachPage.js";
export type { ClientFetch } from "./client/send.js";
export { TransportError } from "./client/transportError.js";
