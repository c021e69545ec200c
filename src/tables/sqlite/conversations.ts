/** How `set_conversations` writes a host's table. */
import { settableFields } from "../../records.js";
import type { HostTable } from "../../stores/sqlite/database.js";
import { literal, raw, type Sql, sql } from "../../stores/sqlite/sql.js";
import type { KeyColumns, MappedRecord } from "../map.js";
import { columnsOf } from "../mapNames.js";
import { whyUnsettable } from "../settable.js";
import { keyText } from "./key.js";
import { quoted } from "./words.js";

const ends = ["conversationType", "userID", "groupID"] as const;

type Fields = Readonly<Record<string, string | undefined>>;

export function conversationTable(mapped: MappedRecord | "empty", separator: string): HostTable {
  if (mapped === "empty") return { ...noTable, isEmpty: true };
  const refusal = whyUnsettable(mapped);
  if (refusal !== undefined) return { ...noTable, refusal };
  const { from, key, fields = {} } = mapped;
  const given = fields as Fields;
  const { ownerUserID, conversationID } = key as Readonly<Record<string, KeyColumns>>;
  const [owner, conversation] = [columnsOf(ownerUserID ?? []), columnsOf(conversationID ?? [])];
  const values = [
    ...partsOf(raw("im_admin_targets.user_id"), owner.length, separator),
    ...partsOf(raw("im_admin_request.conversation_id"), conversation.length, separator),
    raw("im_admin_request.conversation_type"),
    // NULL for no peer, since a foreign key knows no empty ID.
    raw("nullif(im_admin_request.user_id, '')"),
    raw("nullif(im_admin_request.group_id, '')"),
  ];
  const columns = [...[...owner, ...conversation].map(quoted), ...ends.map((end) => given[end])];
  return {
    table: from,
    ownerUserID: keyText(owner, separator).text,
    conversationID: keyText(conversation, separator).text,
    columns: Object.fromEntries(settableFields.flatMap(([field]) => (given[field] ? [[field, given[field]]] : []))),
    identity: columns.map((column = "", index) => [column, values[index]?.text ?? ""]),
  };
}

const noTable: HostTable = { table: "", ownerUserID: "", conversationID: "", columns: {}, identity: [] };

/** Splits an ID into the columns of a key. The last column may contain the separator. */
function partsOf(id: Sql, count: number, separator: string): Sql[] {
  if (count <= 1) return [id];
  const place = sql`instr(${id}, ${literal(separator)})`;
  const rest = sql`substr(${id}, ${place} + ${literal(separator.length)})`;
  return [sql`substr(${id}, 1, ${place} - 1)`, ...partsOf(rest, count - 1, separator)];
}
