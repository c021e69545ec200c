import type { ConversationFields, ConversationType, Page, PageRange, ValuesBefore } from "../../src/index.js";

/**
 * Keeps the settings of conversations. `openHistoryFile` of `im-admin/node` keeps them in a file; your own may keep them
 * in a table.
 *
 * A setting is one request or more: those of one administrator with the same operationID, conversation and fields, or
 * with the same operationID and `setsBack`, within an hour after the first. Its settingID is the requestID of the first.
 */
export interface History {
  /**
   * Keeps entries behind the others. If it rejects those of requests that begin, the requests fail and change nothing.
   */
  append(entries: readonly HistoryEntry[]): Promise<void>;
  /** Lists the settings that fit, the newest first. */
  list(range: PageRange, filter?: SettingFilter): Promise<SettingPage>;
  /** Returns a setting and the entries of its request, the first of which has the number 0; undefined if it has none. */
  read(
    settingID: string,
    request: number,
  ): Promise<{ setting: Setting; begun: SettingBegun; ended?: SettingEnded | undefined } | undefined>;
}

/** Which settings are wanted: those that fit all that is given and not null. */
export interface SettingFilter {
  /** Who has set. */
  adminUserID?: string | null | undefined;
  conversationID?: string | null | undefined;
  /** A user for whom it was set. */
  userID?: string | null | undefined;
  /** The first time that fits, in milliseconds since the epoch. */
  since?: number | null | undefined;
  /** The first time after it that does not fit. */
  until?: number | null | undefined;
  /** A field that was set. */
  field?: keyof ConversationFields | null | undefined;
}

export interface SettingPage extends Page<Setting> {
  /** True if more settings fit than `total`: a history may stop counting. */
  isMore?: boolean | undefined;
}

export type HistoryEntry = SettingBegun | SettingEnded;

/** What is asked for. It is kept before the store is called. */
export interface SettingBegun {
  entry: "begun";
  requestID: string;
  /** In milliseconds since the epoch. */
  time: number;
  adminUserID: string;
  operationID: string;
  conversationID: string;
  conversationType: ConversationType;
  /** The peer of a single chat; `""` for a group chat. */
  userID: string;
  /** The group of a group chat; `""` for a single chat. */
  groupID: string;
  fields: Partial<ConversationFields>;
  /** The settingID of the setting that it sets back. */
  setsBack?: string | undefined;
  userIDs: readonly string[];
}

/** What became of a request. */
export interface SettingEnded {
  entry: "ended";
  requestID: string;
  time: number;
  /** `unknown` if the store has failed: it may have written before. */
  outcome: SettingOutcome;
  /** That of the answer. */
  errCode: number;
  /** How many users were really changed. */
  changed: number;
  /** What these users had before. It is left out if the store does not tell. */
  before?: readonly ValuesBefore[] | undefined;
}

export type SettingOutcome = "done" | "failed" | "unknown";

/**
 * A setting in a list. Its time and its fields are those of its first request: one that sets back may have others in
 * each.
 */
export interface Setting extends Omit<SettingBegun, "entry" | "requestID" | "userIDs"> {
  settingID: string;
  /** The fields whose texts a list cuts off; left out if there is none. The entries of a request have all of them. */
  cut?: readonly string[] | undefined;
  /** How many requests it has. */
  requests: number;
  /** For how many users it was, without failed requests unless all have failed. Requests for the same users count once. */
  users: number;
  /** How many rows were really changed. */
  changed: number;
  /** That of the last request; `unknown` if that of any request is. */
  outcome: SettingOutcome;
  /**
   * The setting that has set it back for most users, and for how many it was asked to; left out if none has changed a
   * user, and by a history that does not look for it.
   */
  setBackBy?: (Pick<Setting, "settingID" | "time" | "adminUserID"> & { users: number }) | undefined;
}
