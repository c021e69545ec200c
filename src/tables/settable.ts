/** Whether `set_conversations` can write a host's table. */
import type { MappedRecord } from "./map.js";
import { isQuery } from "./mapNames.js";

/** The fields that say what a conversation is. */
const identifying = ["conversationType", "userID", "groupID"] as const;

/** Why the table of these conversations cannot be written; undefined if it can. */
export function whyUnsettable({ from, key, latest, where, fields = {} }: MappedRecord): string | undefined {
  const given = fields as Readonly<Record<string, string | undefined>>;
  const isExpression = (text: string | undefined) => text === undefined || !/^"[^"]+"$|^\w+$/.test(text);
  const isRow = !isQuery(from) && latest === undefined && where === undefined;
  const hasColumns = Object.values<object | string>(key).every(
    (columns) => typeof columns === "string" || !("sql" in columns),
  );
  const isTold = identifying.every((field) => given[field] !== undefined);
  if (isRow && hasColumns && isTold && !Object.values(given).some(isExpression)) return undefined;
  return "conversations are mapped by expressions, a condition, or without their type, userID or groupID: replace setConversations of the store";
}
