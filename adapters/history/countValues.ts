import type { SomeLimits } from "../../src/limits.js";
import type { ConversationFields } from "../../src/model.js";
import { changeOf, doneOf } from "../../src/operations/setConversations.js";
import type { StoreCall } from "../../src/store.js";
import type { SettingStore } from "./recorded.js";

/** How many values of a field are answered. */
const mostValues = 5;

/** What the users of a setting have now. */
export interface CountedValues {
  /** How many users have other values than those to set; null if the store does not tell. */
  changing: number | null;
  /** For each field to set, the most frequent values first. */
  values: { field: string; value: string | number | boolean; users: number }[];
}

/** Counts what is there before one sets it. It takes the input of `set_conversations`, and writes nothing. */
export async function countValues(
  store: SettingStore,
  input: unknown,
  limits: SomeLimits | undefined,
  call: StoreCall,
): Promise<CountedValues> {
  const change = changeOf(input, limits);
  const fields = Object.entries(change.fields) as [keyof ConversationFields, string | number | boolean][];
  const asking = { ...change, fields: {}, tell: fields.map(([field]) => field) };
  const { before } = doneOf(await store.setConversations(asking, call), change);
  if (before === undefined) return { changing: null, values: [] };
  const others = before.filter((group) => fields.some(([field, value]) => group.fields[field] !== value));
  const values = fields.flatMap(([field]) => {
    const counts = new Map<string | number | boolean, number>();
    for (const { fields, userIDs } of before) {
      const value = fields[field];
      if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + userIDs.length);
    }
    return [...counts]
      .sort(([, left], [, right]) => right - left)
      .slice(0, mostValues)
      .map(([value, users]) => ({ field, value, users }));
  });
  return { changing: others.reduce((sum, { userIDs }) => sum + userIDs.length, 0), values };
}
