export type { CallOptions } from "./call.js";
export type { Envelope, Failure, Success } from "./envelope.js";
export { type ErrorCode, type ErrorName, errorCodes } from "./errors.js";
export { defaultLimits, type Limits, type SomeLimits } from "./limits.js";
export type {
  Black,
  ConversationFields,
  ConversationType,
  Group,
  GroupMember,
  GroupRequest,
  NotificationAccount,
  UserInfo,
} from "./model.js";
export type { Names, NamesQuery } from "./names.js";
export type { CallReport, ConversationsSetReport, ErrorReport, Observer } from "./observer.js";
export { type BlackList, type GetBlackListInput, getBlackList } from "./operations/getBlackList.js";
export {
  type GetGroupMemberListInput,
  type GroupMemberList,
  getGroupMemberList,
} from "./operations/getGroupMemberList.js";
export {
  type GetJoinedGroupListInput,
  getJoinedGroupList,
  type JoinedGroupList,
} from "./operations/getJoinedGroupList.js";
export {
  type GetReceivedGroupApplicationListInput,
  getReceivedGroupApplicationList,
  type ReceivedGroupApplicationList,
} from "./operations/getReceivedGroupApplicationList.js";
export {
  type NotificationAccountList,
  type SearchNotificationAccountInput,
  searchNotificationAccount,
} from "./operations/searchNotificationAccount.js";
export {
  type GroupChatInput,
  type SetConversationsInput,
  type SingleChatInput,
  setConversations,
} from "./operations/setConversations.js";
export type { Page, PageRange, Pagination, Unreadable } from "./pagination.js";
export type {
  BlackRecord,
  ConversationRecord,
  GroupMemberRecord,
  GroupRecord,
  GroupRequestRecord,
  RecordKeySet,
  RecordName,
  RecordSet,
  Records,
  StoredConversation,
  UserRecord,
} from "./records.js";
export type {
  BlacksQuery,
  ConversationChange,
  ConversationChangeResult,
  GroupMembersQuery,
  JoinedGroupsQuery,
  NotificationAccountsQuery,
  ReceivedGroupRequestsQuery,
  Store,
  StoreCall,
  ValuesBefore,
} from "./store.js";
