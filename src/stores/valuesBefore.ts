import type { ConversationFields } from "../model.js";
import type { Kind } from "../recordKinds.js";
import { settableFields } from "../records.js";
import type { ConversationChange, ValuesBefore } from "../store.js";

/** How many characters a change tells at most. More would fill the memory, and no JSON has more than 512 MB. */
export const mostTold = 67_108_864;

/** Why a change that would tell more is not made. */
export const toldTooMuch = `what was there before takes more than ${mostTold} characters: set fewer users at once`;

/** Whether a change creates the conversation of users who do not have it: only if the expected values are defaults. */
export function mayCreate({ onlyIf = {} }: ConversationChange): boolean {
  return settableFields.every(([field, { otherwise }]) => (onlyIf[field] ?? otherwise) === otherwise);
}

/**
 * Puts users with the same values together.
 *
 * @param valueIn returns what a user had in a field; undefined for a user without the conversation
 */
export function valuesBefore(
  tell: readonly (keyof ConversationFields)[],
  userIDs: readonly string[],
  valueIn: (userID: string, field: keyof ConversationFields, kind: Kind) => unknown,
): ValuesBefore[] {
  const told = settableFields.filter(([field]) => tell.includes(field));
  const groups = new Map<string, ValuesBefore>();
  for (const userID of userIDs) {
    const values = told.map(([field, kind]) => [field, valueIn(userID, field, kind) ?? kind.otherwise]);
    const key = JSON.stringify(values);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { fields: Object.fromEntries(values), userIDs: [userID] });
    else group.userIDs.push(userID);
  }
  return [...groups.values()];
}
