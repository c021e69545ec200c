import type {
  BlackList,
  Envelope,
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

/** The second parameter of a call. */
export interface ClientCallOptions {
  /** If it is aborted, the client gives the call up, which rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /**
   * The call's trace identifier, 1 to 256 characters of ASCII.
   * @default the client's `operationID`
   */
  operationID?: string | undefined;
}

/**
 * One of the functions, over HTTP. It resolves to the server's envelope, also for a failure.
 *
 * It rejects with a `TransportError` if no envelope comes, and with any error of the client's `token`.
 */
export type ClientCall<Input, Data> = (input: Input, options?: ClientCallOptions) => Promise<Envelope<Data>>;

/** The six functions over HTTP. You may pass each of them on without the client. */
export interface AdminClient {
  /** Lists the members of a group. With `keyword`, it lists only matching members. */
  readonly getGroupMemberList: ClientCall<GetGroupMemberListInput, GroupMemberList>;
  /** Lists a user's blacklist. */
  readonly getBlackList: ClientCall<GetBlackListInput, BlackList>;
  /** Lists the groups that a user has joined. */
  readonly getJoinedGroupList: ClientCall<GetJoinedGroupListInput, JoinedGroupList>;
  /** Lists the join requests for the groups that a user owns or administers. */
  readonly getReceivedGroupApplicationList: ClientCall<
    GetReceivedGroupApplicationListInput,
    ReceivedGroupApplicationList
  >;
  /** Lists the system notification accounts. With `keyword`, it lists only matching accounts. */
  readonly searchNotificationAccount: ClientCall<SearchNotificationAccountInput, NotificationAccountList>;
  /** Sets fields of one conversation for many users at once: for all of them, or, if the call fails, for none. */
  readonly setConversations: ClientCall<SetConversationsInput, null>;
}
