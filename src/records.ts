import type { ConversationFields } from "./model.js";
import { count, flag, integer, type Kind, key, level, text, time } from "./recordKinds.js";

/** The fields of every kind of record, those of its key first: the source of types, checks, defaults and SQL. */
const fieldsOfRecords = {
  users: {
    userID: key,
    nickname: text,
    faceURL: text,
    ex: text,
    /** 0 or 1 ordinary user, 2 administrator, 3 notification account, 4 robot. */
    appMangerLevel: integer,
  },
  groups: {
    groupID: key,
    groupName: text,
    notification: text,
    introduction: text,
    faceURL: text,
    createTime: time,
    ex: text,
    /** 2 means dismissed. */
    status: integer,
    creatorUserID: text,
    groupType: integer,
    needVerification: integer,
    lookMemberInfo: integer,
    applyMemberFriend: integer,
    notificationUpdateTime: time,
    notificationUserID: text,
  },
  groupMembers: {
    groupID: key,
    userID: key,
    /** 100 owner, 60 administrator, 20 ordinary member; 0 to 999. */
    roleLevel: level,
    joinTime: time,
    /** Empty if the member has no nickname of the group. */
    nickname: text,
    faceURL: text,
    joinSource: integer,
    operatorUserID: text,
    ex: text,
    muteEndTime: time,
    inviterUserID: text,
  },
  blacks: {
    ownerUserID: key,
    blackUserID: key,
    createTime: time,
    addSource: integer,
    operatorUserID: text,
    ex: text,
  },
  groupRequests: {
    groupID: key,
    /** The applicant. */
    userID: key,
    /** 0 pending, 1 accepted, -1 refused. */
    handleResult: integer,
    reqMsg: text,
    handleMsg: text,
    reqTime: time,
    handleUserID: text,
    handleTime: time,
    ex: text,
    joinSource: integer,
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
    recvMsgOpt: integer,
    attachedInfo: text,
    isPinned: flag,
    isPrivateChat: flag,
    ex: text,
    burnDuration: integer,
    minSeq: count,
    maxSeq: count,
    groupAtType: integer,
    /** In seconds. */
    msgDestructTime: count,
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
type ValueOf<FieldKind> = FieldKind extends Kind<infer Value> ? Value : never;
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
