import type { ConversationFields, SetConversationsInput } from "../../src/index.js";
import type { Messages } from "../language/messages.js";
import { type ListedUserIDs, nobody } from "./userIDs.js";

/** The fields that can be set, in the order in which they are shown. */
export const fieldNames = ["recvMsgOpt", "isPinned", "isPrivateChat", "burnDuration", "ex", "attachedInfo"] as const;
export type FieldName = (typeof fieldNames)[number];

/** What has been entered so far. */
export interface Draft {
  /** The users, as they were pasted. */
  users: string;
  /** The IDs that this text lists. */
  listed: ListedUserIDs;
  /** Whether they are still being read. */
  isReading: boolean;
  /** The column of the table that they were taken from; empty where there is none. */
  column: string;
  /** Whether somebody has given a table without users. */
  hasNoUsers: boolean;
  /** The text that users from elsewhere have taken the place of; empty where there is none. */
  earlier: string;
  /** IDs that were left out, because they would be others in the text. */
  leftOut: readonly string[];
  type: 1 | 3;
  /** The other user of a single chat. */
  peer: string;
  groupID: string;
  conversationID: string;
  /** The fields that are ticked. */
  ticked: readonly FieldName[];
  values: Values;
}

/** The values that fields have, or would have if they were ticked. */
export interface Values extends Omit<Pick<ConversationFields, FieldName>, "recvMsgOpt" | "burnDuration"> {
  recvMsgOpt: ReceiveOption;
  burnDuration: string;
}

/** How messages are received: 0 received, 1 not received, 2 received without notification. */
export const receiveOptions = [0, 1, 2] as const;
type ReceiveOption = (typeof receiveOptions)[number];

/** Nothing yet, but for the conversation of a group, or that with a peer. */
export function emptyDraft({ groupID, peer = "" }: { groupID: string; peer?: string | undefined }): Draft {
  return {
    users: "",
    listed: nobody,
    isReading: false,
    column: "",
    hasNoUsers: false,
    earlier: "",
    leftOut: [],
    type: groupID === "" && peer !== "" ? 1 : 3,
    peer,
    groupID,
    conversationID: groupConversationID(groupID),
    ticked: [],
    values: { recvMsgOpt: 2, isPinned: true, isPrivateChat: true, burnDuration: "30", ex: "", attachedInfo: "" },
  };
}

/** A draft with changes. The usual name of the conversation follows, unless somebody has entered another. */
export function changeDraft(draft: Draft, changes: Partial<Draft>): Draft {
  const isUsual = draft.conversationID === "" || draft.conversationID === usualName(draft);
  const changed = { ...draft, ...changes };
  return isUsual && changes.conversationID === undefined ? { ...changed, conversationID: usualName(changed) } : changed;
}

/** How the reference server names a conversation; empty as long as that is not known. */
function usualName({ type, groupID, peer, listed: { userIDs } }: Draft): string {
  if (type === 3) return groupConversationID(groupID);
  const [user] = userIDs;
  // Of one user with another: with each of many it would be a conversation of its own.
  return userIDs.length === 1 && user !== undefined && peer.trim() !== ""
    ? singleConversationID(user, peer.trim())
    : "";
}

function groupConversationID(groupID: string): string {
  const id = groupID.trim();
  return id && `sg_${id}`;
}

/** The reference sorts both by their bytes, which is the order of code points. */
function singleConversationID(one: string, other: string): string {
  const [bytes, otherBytes] = [one, other].map((id) => new TextEncoder().encode(id));
  const at = bytes?.findIndex((byte, index) => byte !== otherBytes?.[index]) ?? -1;
  const isFirst = at < 0 || (bytes?.[at] ?? 0) < (otherBytes?.[at] ?? -1);
  return isFirst ? `si_${one}_${other}` : `si_${other}_${one}`;
}

/** The conversation of the request. */
export function conversationOf(draft: Draft): SetConversationsInput["conversation"] {
  const { type, peer, groupID, ticked, values } = draft;
  const conversationID = draft.conversationID.trim();
  const all = { ...values, burnDuration: Number(values.burnDuration) };
  const fields: Partial<typeof all> = Object.fromEntries(ticked.map((name) => [name, all[name]]));
  return type === 1
    ? { conversationID, conversationType: 1, userID: peer.trim(), ...fields }
    : { conversationID, conversationType: 3, groupID: groupID.trim(), ...fields };
}

/** What is still missing, in words; empty where the draft can be sent. */
export function missingIn(draft: Draft, { conversations }: Messages): string[] {
  const isNamed = draft.conversationID.trim() !== "" && (draft.type === 1 ? draft.peer : draft.groupID).trim() !== "";
  const isNumber =
    /^\s*\d{1,10}\s*$/.test(draft.values.burnDuration) && Number(draft.values.burnDuration) <= 2_147_483_647;
  return [
    ...(draft.listed.userIDs.length === 0 ? [conversations.missingUsers] : []),
    ...(isNamed ? [] : [conversations.missingConversation]),
    ...(draft.ticked.length === 0 ? [conversations.missingFields] : []),
    ...(draft.ticked.includes("burnDuration") && !isNumber ? [conversations.wrongNumber] : []),
  ];
}
