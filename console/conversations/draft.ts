import type { ConversationFields, SetConversationsInput } from "../../src/index.js";
import type { Messages } from "../language/messages.js";
import { nobody, type Users } from "./users.js";

/** The fields that can be set, in the order in which they are shown. */
export const fieldNames = ["recvMsgOpt", "isPinned", "isPrivateChat", "burnDuration", "ex", "attachedInfo"] as const;
export type FieldName = (typeof fieldNames)[number];

/** The entries of the form so far. */
export interface Draft {
  /** The users as a text that can be changed; undefined if they cannot be shown so. */
  text: string | undefined;
  users: Users;
  /** Whether the page is still reading them. */
  isReading: boolean;
  /** The column of the table from which they come; empty if they come from no named column. */
  column: string;
  /** Whether the table has no column with users. */
  hasNoUsers: boolean;
  /** The users that these have replaced; undefined if they replaced none. */
  earlier: Pick<Draft, "text" | "users"> | undefined;
  type: 1 | 3;
  /** The other user of a single chat. */
  peer: string;
  groupID: string;
  conversationID: string;
  /** The fields that are ticked. */
  ticked: readonly FieldName[];
  values: Values;
}

/** The values of all fields, also of those that are not ticked. */
export interface Values extends Omit<Pick<ConversationFields, FieldName>, "recvMsgOpt" | "burnDuration"> {
  recvMsgOpt: ReceiveOption;
  burnDuration: string;
}

/** How messages are received: 0 received, 1 not received, 2 received without notification. */
export const receiveOptions = [0, 1, 2] as const;
type ReceiveOption = (typeof receiveOptions)[number];

/** An empty draft. It names the conversation if the place has a group or a peer. */
export function emptyDraft({ groupID, peer = "" }: { groupID: string; peer?: string | undefined }): Draft {
  return {
    text: "",
    users: nobody,
    isReading: false,
    column: "",
    hasNoUsers: false,
    earlier: undefined,
    type: groupID === "" && peer !== "" ? 1 : 3,
    peer,
    groupID,
    conversationID: groupConversationID(groupID),
    ticked: [],
    values: { recvMsgOpt: 2, isPinned: true, isPrivateChat: true, burnDuration: "30", ex: "", attachedInfo: "" },
  };
}

/** A draft with changes. The proposed conversation ID changes too, unless the administrator has entered another. */
export function changeDraft(draft: Draft, changes: Partial<Draft>): Draft {
  const isUsual = draft.conversationID === "" || draft.conversationID === usualName(draft);
  const changed = { ...draft, ...changes };
  return isUsual && changes.conversationID === undefined ? { ...changed, conversationID: usualName(changed) } : changed;
}

/** The conversation ID that the reference server makes; empty until the draft says enough. */
function usualName({ type, groupID, peer, users }: Draft): string {
  if (type === 3) return groupConversationID(groupID);
  const user = users.batches[0]?.[0];
  // Only for one user: several users have different conversations with the same peer.
  return users.count === 1 && user !== undefined && peer.trim() !== "" ? singleConversationID(user, peer.trim()) : "";
}

/** The ID of the conversation with a group. */
export function groupConversationID(groupID: string): string {
  const id = groupID.trim();
  return id && `sg_${id}`;
}

/** The reference server sorts both IDs by their bytes, which is the order of code points. */
function singleConversationID(one: string, other: string): string {
  const [bytes, otherBytes] = [one, other].map((id) => new TextEncoder().encode(id));
  const at = bytes?.findIndex((byte, index) => byte !== otherBytes?.[index]) ?? -1;
  const isFirst = at < 0 || (bytes?.[at] ?? 0) < (otherBytes?.[at] ?? -1);
  return isFirst ? `si_${one}_${other}` : `si_${other}_${one}`;
}

/** The conversation as the request has it. */
export function conversationOf(draft: Draft): SetConversationsInput["conversation"] {
  const { type, peer, groupID, ticked, values } = draft;
  const conversationID = draft.conversationID.trim();
  const all = { ...values, burnDuration: Number(values.burnDuration) };
  const fields: Partial<typeof all> = Object.fromEntries(ticked.map((name) => [name, all[name]]));
  return type === 1
    ? { conversationID, conversationType: 1, userID: peer.trim(), ...fields }
    : { conversationID, conversationType: 3, groupID: groupID.trim(), ...fields };
}

/** What is still missing, in words; empty if the draft can be sent. */
export function missingIn(draft: Draft, { conversations }: Messages): string[] {
  const isNamed = draft.conversationID.trim() !== "" && (draft.type === 1 ? draft.peer : draft.groupID).trim() !== "";
  const isNumber =
    /^\s*\d{1,10}\s*$/.test(draft.values.burnDuration) && Number(draft.values.burnDuration) <= 2_147_483_647;
  return [
    ...(draft.users.count === 0 ? [conversations.missingUsers] : []),
    ...(isNamed ? [] : [conversations.missingConversation]),
    ...(draft.ticked.length === 0 ? [conversations.missingFields] : []),
    ...(draft.ticked.includes("burnDuration") && !isNumber ? [conversations.wrongNumber] : []),
  ];
}
