import * as v from "valibot";
import { type CallOptions, validate } from "../call.js";
import { type Envelope, success } from "../envelope.js";
import { argsError, nameRecords, notFound, OperationError } from "../errors.js";
import { type InputOf, id, ids, integer, mustBeID, object, oneOf, storedText } from "../fields.js";
import { type Limits, limited, resolveLimits, type SomeLimits } from "../limits.js";
import type { ConversationFields } from "../model.js";
import { notify } from "../observer.js";
import { envelopeOf, type Operation } from "../operation.js";
import type { Kind } from "../recordKinds.js";
import { settableFields } from "../records.js";
import type { ConversationChange, ConversationChangeResult, Store, StoreCall } from "../store.js";

const single = 1;
const group = 3;

const schema = limited((limits) =>
  object({
    /** The users whose conversations are set. A repeated user counts once. */
    userIDs: userIDs(limits),
    /** The conversation, and the fields to set. */
    conversation: conversation(limits),
  }),
);

function userIDs(limits: Limits) {
  const max = limits.userIDs;
  return ids(limits, { min: 1, max }, `must be an array of 1 to ${max} user IDs`);
}

function conversation(limits: Limits) {
  return object({
    /** Identifies the conversation, by the name that the chat server gives it. */
    conversationID: id(limits),
    /** 1 single chat, 3 group chat. */
    conversationType: oneOf([single, group], "must be 1 (single chat) or 3 (group chat)"),
    /** The peer; required in a single chat, empty otherwise. */
    userID: v.nullish(id(limits, { orEmpty: true })),
    /** Required in a group chat, empty otherwise. */
    groupID: v.nullish(id(limits, { orEmpty: true })),
    ...settable(limits),
    /** What becomes of messages: 0 received, 1 not received, 2 received without notification. */
    recvMsgOpt: v.nullish(oneOf([0, 1, 2], "must be an integer from 0 to 2")),
    /** Seconds until a message destroys itself. */
    burnDuration: v.nullish(integer(0)),
  });
}

/** The schemas of all fields that can be set, which follow from the kinds of their values. */
function settable(limits: Limits) {
  const schemaOf = ({ name, bounds }: Kind): v.GenericSchema => {
    if (bounds !== undefined) return integer(...bounds);
    return name === "flag" ? oneOf([true, false], "must be true or false") : storedText(limits);
  };
  const schemas = settableFields.map(([field, kind]) => [field, v.nullish(schemaOf(kind))]);
  return Object.fromEntries(schemas) as {
    [Field in keyof ConversationFields]: v.NullishSchema<v.GenericSchema<ConversationFields[Field]>, undefined>;
  };
}

type CheckedInput = InputOf<typeof schema>;
type CheckedConversation = CheckedInput["conversation"];

/** A conversation with a peer, and the fields to set. */
export interface SingleChatInput extends CheckedConversation {
  /** 1 single chat. */
  conversationType: 1;
  /** The peer. */
  userID: string;
  /** Empty, null or absent. */
  groupID?: "" | null | undefined;
}

/** A conversation in a group, and the fields to set. */
export interface GroupChatInput extends CheckedConversation {
  /** 3 group chat. */
  conversationType: 3;
  /** The group. */
  groupID: string;
  /** Empty, null or absent. */
  userID?: "" | null | undefined;
}

/** The input of {@link setConversations}. */
export interface SetConversationsInput extends CheckedInput {
  conversation: SingleChatInput | GroupChatInput;
}

/** Sets conversations in a store. */
export async function runSetting(
  store: Pick<Store, "setConversations">,
  input: unknown,
  options: CallOptions,
  call: StoreCall,
): Promise<null> {
  const change = changeOf(input, options.limits);
  const { changedUserIDs } = doneOf(await store.setConversations(change, call), change);
  tellSet(options, change, changedUserIDs);
  return null;
}

/** The change that an input asks for. @throws OperationError that names the first mistake */
export function changeOf(input: unknown, limits: SomeLimits | undefined): ConversationChange {
  const checked = validate(schema(limits), input);
  const { conversationID, conversationType, userID, groupID, ...fields } = checked.conversation;
  const change: ConversationChange = {
    userIDs: [...new Set(checked.userIDs)],
    conversationID,
    conversationType,
    userID: userID ?? "",
    groupID: groupID ?? "",
    fields: supplied(fields),
  };
  requireAgreement(change, resolveLimits(limits));
  return change;
}

/** Tells the observer whose conversations were really changed. */
export function tellSet(
  { operationID = "", observer }: CallOptions,
  { conversationID, conversationType, userID, groupID, fields }: ConversationChange,
  userIDs: string[],
): void {
  if (userIDs.length === 0) return;
  const set = { conversationID, conversationType, userID, groupID, fields };
  notify(() => observer?.onConversationsSet?.({ operationID, ...set, userIDs }));
}

/** Checks what depends on several fields of the input. */
function requireAgreement(change: ConversationChange, limits: Limits): void {
  const isSingle = change.conversationType === single;
  for (const [field, isRequired] of [
    ["userID", isSingle],
    ["groupID", !isSingle],
  ] as const) {
    if (isRequired === (change[field] !== "")) continue;
    const what = isRequired ? mustBeID(limits) : "must be empty";
    throw argsError(`conversation.${field} ${what} in a ${isSingle ? "single" : "group"} chat`);
  }
  const { ex = "", attachedInfo = "" } = change.fields;
  if (change.userIDs.length * bytesOf(ex + attachedInfo) > limits.writeBytes) {
    throw argsError(
      `conversation.ex and attachedInfo must take at most ${limits.writeBytes} bytes for all users together`,
    );
  }
}

const utf8 = new TextEncoder();

function bytesOf(text: string): number {
  return utf8.encode(text).length;
}

export const conversationsSetting: Operation<null> = {
  name: "setConversations",
  schema,
  run: runSetting,
  runToJson: async (...call) => JSON.stringify(success(await runSetting(...call))),
};

/**
 * Sets fields of one conversation for many users at once: for all of them, or, if the call fails, for none.
 *
 * Only the supplied optional fields change. A user who does not have the conversation gets it, with the supplied fields
 * and the defaults 0, false and "". The observer's `onConversationsSet` learns which rows really changed.
 *
 * Errors: 1001 for bad input, if a stored conversation has another type, peer or group, or if the server keeps no
 * conversations; 1004 if a listed user, the peer or the group does not exist; 1204 if the group was dismissed.
 */
export function setConversations(
  store: Store,
  input: SetConversationsInput,
  options?: CallOptions,
): Promise<Envelope<null>> {
  return envelopeOf(conversationsSetting, store, input, options);
}

type Nullish<Fields> = { [Name in keyof Fields]?: Fields[Name] | null | undefined };

function supplied(fields: Nullish<ConversationFields>): Partial<ConversationFields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));
}

/** A change that was made. */
export type Done = Extract<ConversationChangeResult, { outcome: "done" }>;

/** Returns what was done. @throws OperationError if the change was refused */
export function doneOf(result: ConversationChangeResult, { groupID }: ConversationChange): Done {
  switch (result?.outcome) {
    case "done":
      if (!Array.isArray(result.changedUserIDs)) throw new TypeError("setConversations answered no changedUserIDs");
      return result;
    case "groupNotFound":
      throw notFound("group", [groupID]);
    case "groupDismissed":
      throw new OperationError("DismissedAlreadyError", nameRecords("group", [groupID]));
    case "usersNotFound":
      throw notFound("user", result.userIDs);
    case "contradicted": {
      const users = nameRecords("user", result.userIDs);
      const stored = `those of the conversation that is stored for ${users}`;
      throw argsError(`conversation.conversationType, userID and groupID must be ${stored}`);
    }
    case "notKept":
      throw argsError("this server keeps no conversations");
    default:
      // A store in JavaScript may return anything.
      throw new TypeError("setConversations answered an unknown outcome");
  }
}
