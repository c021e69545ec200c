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

/** What a call takes beside its input. */
export interface ClientCallOptions {
  /** Gives the call up when it is aborted; the call then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /**
   * The call's trace identifier, 1 to 256 characters of ASCII.
   * @default what the client's `operationID` gives
   */
  operationID?: string | undefined;
}

/**
 * One of the functions, over HTTP. It resolves to the envelope that the server answers, failures included.
 *
 * Rejects with a `TransportError` where there is no such answer, and with what the client's `token` throws.
 */
export type ClientCall<Input, Data> = (input: Input, options?: ClientCallOptions) => Promise<Envelope<Data>>;

/** The six functions over HTTP. Each stands alone, and may be handed on without its client. */
export interface AdminClient {
  /** Lists the members of a group, those that match `keyword` if one is given. */
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
  /** Lists the system notification accounts, those that match `keyword` if one is given. */
  readonly searchNotificationAccount: ClientCall<SearchNotificationAccountInput, NotificationAccountList>;
  /** Sets fields of one conversation for many users at once: for all of them, or, when the call fails, for none. */
  readonly setConversations: ClientCall<SetConversationsInput, null>;
}
