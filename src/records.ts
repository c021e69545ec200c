import type { ConversationFields } from "./model.js";
import { count, flag, integer, type Kind, key, level, text, time } from "./recordKinds.js";

/**
 * The fields of every kind of record, those of its key first. This is the source of types, descriptions, checks,
 * defaults, columns and answers.
 */
export const fieldsOfRecords = {
  users: {
    /** Identifies the user. */
    userID: key,
    /** What the user is called. */
    nickname: text,
    /** The avatar; empty where there is none. */
    faceURL: text,
    /** A text that the service stores and does not read. */
    ex: text,
    /** 0 or 1 ordinary user, 2 administrator, 3 notification account, 4 robot. */
    appMangerLevel: integer,
  },
  groups: {
    /** Identifies the group. */
    groupID: key,
    /** What the group is called. */
    groupName: text,
    /** The announcement. */
    notification: text,
    /** What the group is about, in its own words. */
    introduction: text,
    /** The avatar; empty where there is none. */
    faceURL: text,
    /** When the group was made, in milliseconds since the epoch. */
    createTime: time,
    /** A text that the service stores and does not read. */
    ex: text,
    /** 0 normal, 1 banned, 2 dismissed, 3 muted. */
    status: integer,
    /** Who made the group. */
    creatorUserID: text,
    /** 0 normal, 1 super group, 2 work group. */
    groupType: integer,
    /** 0 needed unless invited, 1 needed unless invited by the owner or an administrator, 2 not needed. */
    needVerification: integer,
    /** Whether members may look at each other's profiles: 0 allowed, 1 not allowed. */
    lookMemberInfo: integer,
    /** Whether members may ask each other to become friends: 0 allowed, 1 not allowed. */
    applyMemberFriend: integer,
    /** When the announcement was last changed, in milliseconds since the epoch; 0 means never. */
    notificationUpdateTime: time,
    /** The user who last changed the announcement. */
    notificationUserID: text,
  },
  groupMembers: {
    /** The group. */
    groupID: key,
    /** The member. */
    userID: key,
    /** 100 owner, 60 administrator, 20 ordinary member; 0 to 999. */
    roleLevel: level,
    /** When the member joined, in milliseconds since the epoch. */
    joinTime: time,
    /** The member's nickname in the group; empty if there is none. */
    nickname: text,
    /** The member's avatar in the group; empty if there is none. */
    faceURL: text,
    /** 1 by an administrator, 2 invited, 3 found by search, 4 by QR code. */
    joinSource: integer,
    /** The user who let the member in. */
    operatorUserID: text,
    /** A text that the service stores and does not read. */
    ex: text,
    /** When the member may speak again, in milliseconds since the epoch; 0 when not muted. */
    muteEndTime: time,
    /** Who invited the member; empty where nobody did. */
    inviterUserID: text,
  },
  blacks: {
    /** Whose blacklist it is. */
    ownerUserID: key,
    /** Who is blocked. */
    blackUserID: key,
    /** When the entry was made, in milliseconds since the epoch. */
    createTime: time,
    /** How the entry was made; a code of the service's own. */
    addSource: integer,
    /** Who made the entry. */
    operatorUserID: text,
    /** A text that the service stores and does not read. */
    ex: text,
  },
  groupRequests: {
    /** The group. */
    groupID: key,
    /** The applicant. */
    userID: key,
    /** 0 pending, 1 accepted, -1 refused. */
    handleResult: integer,
    /** What the applicant wrote. */
    reqMsg: text,
    /** What the handler wrote. */
    handleMsg: text,
    /** When the applicant asked, in milliseconds since the epoch. */
    reqTime: time,
    /** The user who handled the request; empty if it is pending. */
    handleUserID: text,
    /** When the request was handled, in milliseconds since the epoch; 0 if it is pending. */
    handleTime: time,
    /** A text that the service stores and does not read. */
    ex: text,
    /** 1 by an administrator, 2 invited, 3 found by search, 4 by QR code. */
    joinSource: integer,
    /** Who invited the applicant; empty where nobody did. */
    inviterUserID: text,
  },
  conversations: {
    ownerUserID: key,
    conversationID: key,
    /** 1 single chat, 3 group chat. */
    conversationType: integer,
    /** The peer of a single chat. */
    userID: text,
    groupID: text,
    /** What becomes of messages: 0 received, 1 not received, 2 received without notification. */
    recvMsgOpt: integer,
    /** A text that the service stores and does not read. */
    attachedInfo: text,
    /** Whether the conversation stands above the others. */
    isPinned: flag,
    /** Whether messages destroy themselves. */
    isPrivateChat: flag,
    /** A text that the service stores and does not read. */
    ex: text,
    /** Seconds until a message destroys itself. */
    burnDuration: integer,
    /** The number of the first message that the user may read; 0 for no limit. */
    minSeq: count,
    /** The number of the last message that the user may read; 0 for no limit. */
    maxSeq: count,
    /** Who is mentioned in the group: 0 nobody, 1 the user, 2 all, 3 both. The service does not read it. */
    groupAtType: integer,
    /** How many seconds messages are kept, if `isMsgDestruct` is true. */
    msgDestructTime: count,
    /** Whether messages are deleted after `msgDestructTime`. */
    isMsgDestruct: flag,
  },
} as const;

type RecordFields = typeof fieldsOfRecords;

/** The kinds of records, which are also the names of the bundled stores' tables. */
export type RecordName = keyof RecordFields;

/** Makes an object with a value for each kind of record. */
export function forEachKind<Made>(make: (name: RecordName) => Made): Record<RecordName, Made> {
  return Object.fromEntries(recordNames.map((name) => [name, make(name)])) as Record<RecordName, Made>;
}

/** The kinds of records. Each comes after the kinds that it refers to. */
export const recordNames = Object.keys(fieldsOfRecords) as RecordName[];

/** The fields of each kind of record in their order, with the kinds of their values. */
export const recordFields = forEachKind((name): Fields => Object.entries(fieldsOfRecords[name]));

/** The fields of a conversation that can be set: those after its key, type, peer and group. */
export const settableFields = recordFields.conversations.slice(5) as readonly (readonly [
  field: keyof ConversationFields,
  kind: Kind,
])[];

/** The fields of each kind's key. */
export const keyFields = forEachKind((name): Fields => recordFields[name].filter(([, kind]) => kind === key));

/** The names of these fields, which identify a record. */
export const recordKeys = forEachKind((name) => keyFields[name].map(([field]) => field) as [string, ...string[]]);

export type Fields = readonly (readonly [field: string, kind: Kind])[];

export function isRecordName(name: string): name is RecordName {
  return Object.hasOwn(fieldsOfRecords, name);
}

/** The fields of a kind's key. */
export type KeyOf<Name extends RecordName> = {
  [Field in keyof RecordFields[Name]]: RecordFields[Name][Field] extends typeof key ? Field : never;
}[keyof RecordFields[Name]];
export type ValueOf<FieldKind> = FieldKind extends Kind<infer Value> ? Value : never;
type Flat<Type> = { [Field in keyof Type]: Type[Field] };

/** A record as it is written. Only the fields of its key are required. */
type RecordOf<Name extends RecordName> = Flat<
  { [Field in KeyOf<Name>]: string } & {
    [Field in Exclude<keyof RecordFields[Name], KeyOf<Name>>]?: ValueOf<RecordFields[Name][Field]> | null | undefined;
  }
>;

/** A record as it is stored, with every field. */
export type StoredRecord<Name extends RecordName> = {
  -readonly [Field in keyof RecordFields[Name]]: ValueOf<RecordFields[Name][Field]>;
};

export type UserRecord = RecordOf<"users">;
export type GroupRecord = RecordOf<"groups">;
export type GroupMemberRecord = RecordOf<"groupMembers">;
export type BlackRecord = RecordOf<"blacks">;
export type GroupRequestRecord = RecordOf<"groupRequests">;
export type ConversationRecord = RecordOf<"conversations">;

/** A conversation as it is stored, with every field. */
export type StoredConversation = StoredRecord<"conversations">;

/**
 * Records of any kinds. The SQLite store reads a generator once, inside the transaction, so its records need not fit in
 * memory. The D1 store collects them first.
 */
export type RecordSet = { readonly [Name in RecordName]?: Iterable<RecordOf<Name>> | undefined };

/** Keys of records of any kinds. */
export type RecordKeySet = {
  readonly [Name in RecordName]?: Iterable<{ [Field in KeyOf<Name>]: string }> | undefined;
};

/** The methods that fill a bundled store and read it back. */
export interface Records {
  /**
   * Inserts records, or replaces those with the same key, in one transaction: all of them or none.
   *
   * Fields outside the key may be left out or null, and are then 0, false or "". Unknown fields are ignored.
   *
   * @throws TypeError that names the record and the field with a wrong value; it then writes nothing
   */
  put(records: RecordSet): Promise<void>;

  /**
   * Deletes the records with these keys, in one transaction. A key without a record is no error. Records of other kinds
   * that refer to a deleted user or group stay.
   *
   * @throws TypeError as {@link Records.put}
   */
  remove(keys: RecordKeySet): Promise<void>;

  /** The conversations of a user, by conversationID. */
  conversations(ownerUserID: string): Promise<StoredConversation[]>;
}
