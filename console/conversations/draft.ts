import type { ConversationFields, SetConversationsInput } from "../../src/index.js";
import type { Messages } from "../language/messages.js";
import { readUserIDs } from "./userIDs.js";

/** The fields that can be set, in the order in which they are shown. */
export const fieldNames = ["recvMsgOpt", "isPinned", "isPrivateChat", "burnDuration", "ex", "attachedInfo"] as const;
export type FieldName = (typeof fieldNames)[number];

/** What has been entered so far. */
export interface Draft {
  /** The users, as they were pasted. */
  users: string;
  /** Cells of a file that were left out, because they hold what separates users. */
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

export function emptyDraft(groupID: string): Draft {
  return {
    users: "",
    leftOut: [],
    type: 3,
    peer: "",
    groupID,
    conversationID: groupConversationID(groupID),
    ticked: [],
    values: { recvMsgOpt: 2, isPinned: true, isPrivateChat: true, burnDuration: "30", ex: "", attachedInfo: "" },
  };
}

/** How the reference server names the conversation of a group; empty without one. */
export function groupConversationID(groupID: string): string {
  const id = groupID.trim();
  return id && `sg_${id}`;
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
  const { userIDs } = readUserIDs(draft.users);
  const isNamed = draft.conversationID.trim() !== "" && (draft.type === 1 ? draft.peer : draft.groupID).trim() !== "";
  const isNumber =
    /^\s*\d{1,10}\s*$/.test(draft.values.burnDuration) && Number(draft.values.burnDuration) <= 2_147_483_647;
  return [
    ...(userIDs.length === 0 ? [conversations.missingUsers] : []),
    ...(isNamed ? [] : [conversations.missingConversation]),
    ...(draft.ticked.length === 0 ? [conversations.missingFields] : []),
    ...(draft.ticked.includes("burnDuration") && !isNumber ? [conversations.wrongNumber] : []),
  ];
}
