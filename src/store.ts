import type {
  Black,
  ConversationFields,
  ConversationType,
  Group,
  GroupMember,
  GroupRequest,
  NotificationAccount,
} from "./model.js";
import type { Page, PageRange } from "./pagination.js";

/** Which members of which group. */
export interface GroupMembersQuery extends PageRange {
  groupID: string;
  /**
   * A literal that must occur in the `userID` or in the nickname as answered, whatever the case of ASCII letters;
   * `""` for all members. It has no U+0000.
   */
  keyword: string;
  /** Only members with one of these levels; absent for all members. */
  roleLevels?: readonly number[];
}

/** Whose blacklist. */
export interface BlacksQuery extends PageRange {
  ownerUserID: string;
}

/** Whose groups. */
export interface JoinedGroupsQuery extends PageRange {
  userID: string;
}

/** Join requests for the groups that a user manages. */
export interface ReceivedGroupRequestsQuery extends PageRange {
  userID: string;
  /** Only requests for these groups; absent for all managed groups. */
  groupIDs?: readonly string[];
  /** Only requests with one of these results; absent for all. */
  handleResults?: readonly number[];
}

/** Which notification accounts. */
export interface NotificationAccountsQuery extends PageRange {
  /** As in {@link GroupMembersQuery}, in the `userID` or the nickname; `""` for all accounts. */
  keyword: string;
  /** Only accounts with this level; absent for all with 3 or above. */
  appMangerLevel?: number;
}

/** Which conversation to change for whom, and what. */
export interface ConversationChange {
  /** One user or more, each once. */
  userIDs: readonly string[];
  conversationID: string;
  conversationType: ConversationType;
  /** The peer of a single chat; `""` for a group chat. */
  userID: string;
  /** The group of a group chat; `""` for a single chat. */
  groupID: string;
  /** Only the supplied fields; it may be empty, and then nothing is to be written. */
  fields: Readonly<Partial<ConversationFields>>;
}

/** What became of a {@link ConversationChange}. Only `"done"` has written anything. */
export type ConversationChangeResult =
  /** All users have the fields now; `changedUserIDs` are those whose row was created or really changed. */
  | { outcome: "done"; changedUserIDs: string[] }
  /** The group does not exist. */
  | { outcome: "groupNotFound" }
  /** The group was dismissed (status 2). */
  | { outcome: "groupDismissed" }
  /** These users, the peer among them, do not exist; at least one. */
  | { outcome: "usersNotFound"; userIDs: string[] }
  /** These users' stored conversation has another type, peer or group; at least one. */
  | { outcome: "contradicted"; userIDs: string[] };

/** Who asks, and how a call may end before its result is there. A store need not look at it. */
export interface StoreCall {
  /** The caller's trace identifier; empty where none was given. */
  operationID?: string | undefined;
  /** Who asks, where an adapter authenticated the request. */
  adminUserID?: string | undefined;
  /** Aborted when nobody waits for the result any more: because the caller says so, has gone, or has waited too long. */
  signal?: AbortSignal | undefined;
  /**
   * To be called by a store that has begun to write and then can be stopped no more: the call is then answered by what
   * becomes of it. A call that is given up before is answered as 500 at once.
   */
  begun?(): void;
}

/**
 * What a data source must do for the six functions: these six methods and nothing else.
 *
 * - A list is answered as its whole length (`total`) and the items from `offset` on, `limit` at most, both from one
 *   consistent view; a page past the end is empty and has the true `total`. It is `undefined` where the parent, the
 *   group or the user, does not exist, and `{ total: 0, items: [] }` where the parent has nothing to list.
 * - Strings are ordered by Unicode code point (bytewise UTF-8), all times are milliseconds.
 * - A method may throw or reject: the call is then answered as 500, and the cause goes to the observer.
 */
export interface Store {
  /** Members by roleLevel descending, joinTime ascending, userID ascending. */
  listGroupMembers(query: GroupMembersQuery, call?: StoreCall): Promise<Page<GroupMember> | undefined>;

  /** A user's blacklist by createTime descending, blocked userID ascending. */
  listBlacks(query: BlacksQuery, call?: StoreCall): Promise<Page<Black> | undefined>;

  /** The groups that a user is a member of, by the user's joinTime descending, groupID ascending. */
  listJoinedGroups(query: JoinedGroupsQuery, call?: StoreCall): Promise<Page<Group> | undefined>;

  /**
   * Join requests, handled or not, for the groups where the user is a member with roleLevel 60 or 100, by reqTime
   * descending, groupID ascending, applicant's userID ascending.
   */
  listReceivedGroupRequests(
    query: ReceivedGroupRequestsQuery,
    call?: StoreCall,
  ): Promise<Page<GroupRequest> | undefined>;

  /** Users with appMangerLevel 3 or above, by userID ascending. It has no parent, so it is never `undefined`. */
  listNotificationAccounts(query: NotificationAccountsQuery, call?: StoreCall): Promise<Page<NotificationAccount>>;

  /**
   * Sets the supplied fields of one conversation for all listed users or for none, in one atomic write.
   *
   * Whoever has the conversation keeps its other fields; whoever has none gets one with the supplied fields and the
   * defaults 0, false and "". A user who is not listed, such as the peer, is not touched. Check in this order and
   * report the first that fails: the group exists, it is not dismissed, the users and the peer exist, no stored
   * conversation of a listed user has another type, peer or group.
   */
  setConversations(change: ConversationChange, call?: StoreCall): Promise<ConversationChangeResult>;
}
