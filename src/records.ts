import * as v from "valibot";
import { describeIssue, integer, isIdentifier, object, text } from "./fields.js";

/** What a field of a record holds: the bundled stores make their columns of it. */
export interface Kind {
  readonly name: "key" | "text" | "integer" | "level" | "time" | "flag";
  /** What is stored where the field is left out or null; a key cannot be. */
  readonly otherwise: string | number | boolean | undefined;
  /** Whether a value can be stored as it is. The schema says what is wrong with another one, but takes ten times as long. */
  fits(value: unknown): boolean;
}

const kinds = new Map<v.GenericSchema, Kind>();

/** Notes the kind of the fields that have a schema. */
function ofKind<Schema extends v.GenericSchema>(name: Kind["name"], fits: Kind["fits"], schema: Schema): Schema {
  kinds.set(schema, { name, fits, otherwise: defaultOf(schema) });
  return schema;
}

function defaultOf(schema: v.GenericSchema): Kind["otherwise"] {
  const result = v.safeParse(schema, undefined);
  return result.success ? (result.output as Kind["otherwise"]) : undefined;
}

const hasNoNul = (value: string) => !value.includes("\0");
const isText = (value: unknown): value is string =>
  typeof value === "string" && value.isWellFormed() && hasNoNul(value);
const isInteger = (least: number, greatest: number) => (value: unknown) =>
  Number.isInteger(value) && Number(value) >= least && Number(value) <= greatest;

const key = ofKind(
  "key",
  (value) => isText(value) && isIdentifier(value),
  text("must be a non-empty string of valid Unicode without control characters", isIdentifier),
);
const string = ofKind(
  "text",
  isText,
  v.nullish(
    v.pipe(
      text("must be a string of valid Unicode"),
      // Not every engine can store it.
      v.check(hasNoNul, "must be a string of valid Unicode without U+0000"),
    ),
    "",
  ),
);
const number = ofKind("integer", isInteger(-2_147_483_648, 2_147_483_647), v.nullish(integer(-2_147_483_648), 0));
const level = ofKind("level", isInteger(0, 999), v.nullish(integer(0, 999), 0));
// 10^16 - 1 has no exact JavaScript number, hence the strict comparison.
const timeMessage = "must be an integer of milliseconds from 0 to 10^16 - 1";
const time = ofKind(
  "time",
  (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) < 1e16,
  v.nullish(
    v.pipe(v.number(timeMessage), v.integer(timeMessage), v.minValue(0, timeMessage), v.ltValue(1e16, timeMessage)),
    0,
  ),
);
const flag = ofKind(
  "flag",
  (value) => typeof value === "boolean",
  v.nullish(v.boolean("must be true or false"), false),
);

/** The fields of every kind of record, those of its key first: the source of types, checks, defaults and SQL. */
export const recordSchemas = {
  users: object({
    userID: key,
    nickname: string,
    faceURL: string,
    ex: string,
    /** 1 ordinary or 0, 2 administrator, 3 notification account, 4 robot. */
    appMangerLevel: number,
  }),
  groups: object({
    groupID: key,
    groupName: string,
    notification: string,
    introduction: string,
    faceURL: string,
    createTime: time,
    ex: string,
    /** 2 means dismissed. */
    status: number,
    creatorUserID: string,
    groupType: number,
    needVerification: number,
    lookMemberInfo: number,
    applyMemberFriend: number,
    notificationUpdateTime: time,
    notificationUserID: string,
  }),
  groupMembers: object({
    groupID: key,
    userID: key,
    /** 100 owner, 60 administrator, 20 ordinary member; 0 to 999. */
    roleLevel: level,
    joinTime: time,
    /** Empty where the member has set none in the group. */
    nickname: string,
    faceURL: string,
    joinSource: number,
    operatorUserID: string,
    ex: string,
    muteEndTime: time,
    inviterUserID: string,
  }),
  blacks: object({
    ownerUserID: key,
    blackUserID: key,
    createTime: time,
    addSource: number,
    operatorUserID: string,
    ex: string,
  }),
  groupRequests: object({
    groupID: key,
    /** Who asks to join. */
    userID: key,
    /** 0 pending, 1 accepted, -1 refused. */
    handleResult: number,
    reqMsg: string,
    handleMsg: string,
    reqTime: time,
    handleUserID: string,
    handleTime: time,
    ex: string,
    joinSource: number,
    inviterUserID: string,
  }),
  conversations: object({
    ownerUserID: key,
    conversationID: key,
    /** 1 single chat, 3 group chat. */
    conversationType: number,
    /** The peer of a single chat. */
    userID: string,
    groupID: string,
    recvMsgOpt: number,
    attachedInfo: string,
    isPinned: flag,
    isPrivateChat: flag,
    ex: string,
    burnDuration: number,
  }),
};

type Schemas = typeof recordSchemas;

/** The kinds of records, which are also the names of the bundled stores' tables. */
export type RecordName = keyof Schemas;

/** The fields that identify a record of each kind. */
export const recordKeys = {
  users: ["userID"],
  groups: ["groupID"],
  groupMembers: ["groupID", "userID"],
  blacks: ["ownerUserID", "blackUserID"],
  groupRequests: ["groupID", "userID"],
  conversations: ["ownerUserID", "conversationID"],
} as const satisfies Record<RecordName, readonly string[]>;

/** Makes something for each kind of record. */
export function forEachKind<Made>(make: (name: RecordName) => Made): Record<RecordName, Made> {
  const names = Object.keys(recordSchemas) as RecordName[];
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<RecordName, Made>;
}

type Fields = readonly (readonly [field: string, kind: Kind])[];

/** The fields of each kind of record in their order, with what they hold. */
export const recordFields = forEachKind((name) => fieldsOf(recordSchemas[name].entries));

function fieldsOf(entries: Record<string, v.GenericSchema>): Fields {
  return Object.entries(entries).map(([field, schema]) => {
    const kind = kinds.get(schema);
    if (kind === undefined) throw new Error(`the field ${field} has no kind`);
    return [field, kind];
  });
}

const keySchemas = {
  users: v.pick(recordSchemas.users, recordKeys.users),
  groups: v.pick(recordSchemas.groups, recordKeys.groups),
  groupMembers: v.pick(recordSchemas.groupMembers, recordKeys.groupMembers),
  blacks: v.pick(recordSchemas.blacks, recordKeys.blacks),
  groupRequests: v.pick(recordSchemas.groupRequests, recordKeys.groupRequests),
  conversations: v.pick(recordSchemas.conversations, recordKeys.conversations),
};

const keyFields = forEachKind((name) => fieldsOf(keySchemas[name].entries));

export type UserRecord = v.InferInput<Schemas["users"]>;
export type GroupRecord = v.InferInput<Schemas["groups"]>;
export type GroupMemberRecord = v.InferInput<Schemas["groupMembers"]>;
export type BlackRecord = v.InferInput<Schemas["blacks"]>;
export type GroupRequestRecord = v.InferInput<Schemas["groupRequests"]>;
export type ConversationRecord = v.InferInput<Schemas["conversations"]>;

/** A conversation as it is stored, with every field. */
export type StoredConversation = v.InferOutput<Schemas["conversations"]>;

/**
 * Records of any kinds. The SQLite store reads a generator once, inside the transaction, so that its records need not
 * fit in memory; the D1 store collects them first.
 */
export type RecordSet = { readonly [Name in RecordName]?: Iterable<v.InferInput<Schemas[Name]>> };

/** Keys of records of any kinds. */
export type RecordKeySet = { readonly [Name in RecordName]?: Iterable<v.InferInput<(typeof keySchemas)[Name]>> };

/** How a bundled store is filled and read back. */
export interface Records {
  /**
   * Inserts records, or replaces those with the same key, in one transaction: all of them or none.
   *
   * All fields but the key may be left out or null and are then 0, false or ""; unknown fields are ignored.
   *
   * @throws TypeError that names the record and its field where a value does not fit; nothing is written then
   */
  put(records: RecordSet): Promise<void>;

  /**
   * Deletes the records with these keys, in one transaction; a key without a record is no error. Other kinds of
   * records that name a deleted user or group stay.
   *
   * @throws TypeError as {@link Records.put}
   */
  remove(keys: RecordKeySet): Promise<void>;

  /** The conversations of a user, by conversationID. */
  conversations(ownerUserID: string): Promise<StoredConversation[]>;
}

/** The values of a record, or of its key, in the order of its fields. */
export type CheckedValues = readonly (string | number | boolean)[];

/** Checks records of all kinds one by one, as they are asked for. */
export function* checkedRecords(records: RecordSet): Generator<[RecordName, CheckedValues]> {
  yield* checked(recordSchemas, recordFields, records, "put");
}

/** Checks keys of all kinds one by one, as they are asked for. */
export function* checkedKeys(keys: RecordKeySet): Generator<[RecordName, CheckedValues]> {
  yield* checked(keySchemas, keyFields, keys, "remove");
}

type CheckedSchema = v.GenericSchema<unknown, Readonly<Record<string, string | number | boolean>>>;

function* checked(
  schemas: Record<RecordName, CheckedSchema>,
  fields: Record<RecordName, Fields>,
  records: { readonly [Name in RecordName]?: Iterable<unknown> },
  method: string,
): Generator<[RecordName, CheckedValues]> {
  const names = Object.keys(schemas).join(", ");
  if (typeof records !== "object" || records === null || Array.isArray(records)) {
    throw new TypeError(`${method} takes an object with arrays of ${names}`);
  }
  for (const name of Object.keys(records)) {
    if (!isRecordName(name)) throw new TypeError(`${method} takes ${names}; it does not know "${name}"`);
    const iterable: Iterable<unknown> = records[name] ?? [];
    if (typeof iterable[Symbol.iterator] !== "function") throw new TypeError(`${name} must be an array`);
    let index = 0;
    for (const record of iterable) {
      yield [name, valuesThatFit(fields[name], record) ?? checkRecord(schemas[name], record, `${name}[${index}]`)];
      index += 1;
    }
  }
}

/** The values of a record that can be stored as they are. */
function valuesThatFit(fields: Fields, record: unknown): CheckedValues | undefined {
  if (typeof record !== "object" || record === null) return undefined;
  const values = [];
  for (const [field, kind] of fields) {
    const value = (record as Record<string, Kind["otherwise"]>)[field] ?? kind.otherwise;
    if (value === undefined || !kind.fits(value)) return undefined;
    values.push(value);
  }
  return values;
}

function checkRecord(schema: CheckedSchema, record: unknown, name: string): CheckedValues {
  const result = v.safeParse(schema, record, { abortEarly: true, abortPipeEarly: true });
  if (result.success) return Object.values(result.output);
  const [issue] = result.issues;
  throw new TypeError(issue.path ? `${name}.${describeIssue(issue)}` : describeIssue(issue, name));
}

export function isRecordName(name: string): name is RecordName {
  return Object.hasOwn(recordSchemas, name);
}
