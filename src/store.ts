import type {
  Black,
  ConversationFields,
  ConversationType,
  Group,
  GroupMember,
  GroupRequest,
  NotificationAccount,
} from "./model.js";
import type { Names, NamesQuery } from "./names.js";
import type { Page, PageRange } from "./pagination.js";

/** Asks for members of a group. */
export interface GroupMembersQuery extends PageRange {
  groupID: string;
  /**
   * A literal that must occur in the `userID` or in the answered nickname; upper and lower case of ASCII letters are
   * the same. `""` for all members. It has no U+0000.
   */
  keyword: string;
  /** Only members with one of these levels; undefined for all members. */
  roleLevels?: readonly number[];
}

/** Asks for the blacklist of a user. */
export interface BlacksQuery extends PageRange {
  ownerUserID: string;
}

/** Asks for the groups of a user. */
export interface JoinedGroupsQuery extends PageRange {
  userID: string;
}

/** Asks for the join requests for the groups that a user manages. */
export interface ReceivedGroupRequestsQuery extends PageRange {
  userID: string;
  /** Only requests for these groups; undefined for all managed groups. */
  groupIDs?: readonly string[];
  /** Only requests with one of these results; undefined for all. */
  handleResults?: readonly number[];
}

/** Asks for notification accounts. */
export interface NotificationAccountsQuery extends PageRange {
  /** As in {@link GroupMembersQuery}, in the `userID` or the nickname; `""` for all accounts. */
  keyword: string;
  /** Only accounts with this level; undefined for all with 3 or above. */
  appMangerLevel?: number;
}

/** A change of one conversation for one user or more. */
export interface ConversationChange {
  /** One user or more, each once. */
  userIDs: readonly string[];
  conversationID: string;
  conversationType: ConversationType;
  /** The peer of a single chat; `""` for a group chat. */
  userID: string;
  /** The group of a group chat; `""` for a single chat. */
  groupID: string;
  /** The fields to set. If it is empty, check and write nothing. */
  fields: Readonly<Partial<ConversationFields>>;
  /** The fields whose values before the change are told. A store that cannot tell them ignores it. */
  tell?: readonly (keyof ConversationFields)[] | undefined;
  /**
   * Change only conversations that have these values now, and leave the others alone. A user without the conversation
   * has the defaults 0, false and "".
   */
  onlyIf?: Readonly<Partial<ConversationFields>> | undefined;
}

/** What was there before a change, for users who had the same values. */
export interface ValuesBefore {
  /** The told fields. A user without the conversation had the defaults. */
  fields: Partial<ConversationFields>;
  userIDs: string[];
}

/** The outcome of a {@link ConversationChange}. Only `"done"` may have written anything. */
export type ConversationChangeResult =
  /**
   * All users have the fields now, except where `onlyIf` was not so. The rows of `changedUserIDs` were created or really
   * changed. `before` tells of these users, or, if no field was supplied, of all listed users. A store that ignores
   * `tell` leaves it out; one that has it must heed `onlyIf`.
   */
  | { outcome: "done"; changedUserIDs: string[]; before?: readonly ValuesBefore[] }
  /** The group does not exist. */
  | { outcome: "groupNotFound" }
  /** The group was dismissed (status 2). */
  | { outcome: "groupDismissed" }
  /** These users, the peer among them, do not exist; at least one. */
  | { outcome: "usersNotFound"; userIDs: string[] }
  /** These users' stored conversation has another type, peer or group; at least one. */
  | { outcome: "contradicted"; userIDs: string[] }
  /** The store has no place for conversations, and fields were to be set or told. */
  | { outcome: "notKept" };

/** Tells a store who calls, and when the call is given up. A store may ignore it. */
export interface StoreCall {
  /** The caller's trace identifier; empty if the caller sent none. */
  operationID?: string | undefined;
  /** The administrator who calls, if an adapter authenticated the request. */
  adminUserID?: string | undefined;
  /**
   * Aborted when the caller no longer waits for the result: it aborted the call, disconnected or reached the time
   * limit.
   */
  signal?: AbortSignal | undefined;
  /**
   * Call this when a write can no longer be stopped. The call is then answered with the outcome of the write. A call
   * that is given up earlier is answered as 500 at once.
   */
  begun?(): void;
}

/**
 * What a data source must do for the six functions: six methods. The seventh, `names`, may be left out.
 *
 * - A list method returns the length of the whole list (`total`) and at most `limit` items from `offset` on, both from
 *   one consistent view. A page past the end is empty and has the true `total`. The method returns `undefined` if the
 *   list's parent, a group or a user, does not exist, and `{ total: 0, items: [] }` if the parent exists and its list
 *   is empty.
 * - Strings are ordered by Unicode code point (bytewise UTF-8). All times are milliseconds.
 * - A method may throw or reject. The call is then answered as 500, and the cause goes to the observer.
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
   * A user who has the conversation keeps its other fields. A user who does not have it gets it with the supplied
   * fields and the defaults 0, false and "". Change nothing of users who are not listed, such as the peer. Check in
   * this order, and report the first check that fails: the group exists, it is not dismissed, the users and the peer
   * exist, no stored conversation of a listed user has another type, peer or group. Read what `tell` asks for in the
   * same transaction as the write.
   */
  setConversations(change: ConversationChange, call?: StoreCall): Promise<ConversationChangeResult>;

  /** What groups and users are called, in any order. The console asks for it; without it, it looks in the lists. */
  names?(query: NamesQuery, call?: StoreCall): Promise<Names>;
}

/** The methods that answer pages. */
export type ListMethod = Exclude<keyof Store, "setConversations" | "names">;
