/** How `set_conversations` writes a host's table. */
import { settableFields } from "../../../records.js";
import type { MappedRecord } from "../../../tables/map.js";
import { whyUnsettable } from "../../../tables/settable.js";
import type { HostID, HostTable } from "../database.js";
import { keyText, partOf, valuesOfKey } from "./key.js";

type Fields = Readonly<Record<string, string | undefined>>;

export function conversationTable(mapped: MappedRecord | "empty", separator: string): HostTable {
  if (mapped === "empty") return { ...noTable, isEmpty: true };
  const refusal = whyUnsettable(mapped);
  if (refusal !== undefined) return { ...noTable, refusal };
  const { from, key, fields = {} } = mapped;
  const given = fields as Fields;
  const id = (field: string): HostID => {
    const part = partOf(key, field) ?? [];
    return { text: keyText(part, separator).text, columns: valuesOfKey(part, separator) ?? [] };
  };
  return {
    table: from,
    ownerUserID: id("ownerUserID"),
    conversationID: id("conversationID"),
    columns: Object.fromEntries(settableFields.flatMap(([field]) => (given[field] ? [[field, given[field]]] : []))),
    ends: [
      [given["conversationType"] ?? "", "im_admin_request.conversation_type"],
      // NULL for no peer, since a foreign key knows no empty ID.
      [given["userID"] ?? "", "nullif(im_admin_request.user_id, '')"],
      [given["groupID"] ?? "", "nullif(im_admin_request.group_id, '')"],
    ],
  };
}

const noID: HostID = { text: "", columns: [] };

const noTable: HostTable = { table: "", ownerUserID: noID, conversationID: noID, columns: {}, ends: [] };
