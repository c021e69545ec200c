/** The fields of a host's rows that are evaluated alone where a statement is careful. */
import { keyFields, recordFields } from "../../records.js";
import { snakeCase } from "../../stores/snakeCase.js";
import { listedNumbers } from "../numbers.js";
import { castOf, keyText, type Place, partOfKey } from "./place.js";

/** A call of the function that evaluates a field alone, over a row of the host's table. */
export function carefulField(place: Place, field: string): string {
  const keys = keyFields[place.name].map(([key]) => keyText(partOfKey(place, key), place.alias, place.separator));
  return `${carefulRoutine(place, field)}(${keys.join(", ")})`;
}

/** The name of the function that evaluates a field alone. */
export function carefulRoutine({ name }: Place, field: string): string {
  return `im_admin.careful_${snakeCase(name)}_${snakeCase(field)}`;
}

/**
 * The fields that are only shown or searched, and whose expressions may fail. Any column can be cast to a text. Pages
 * show no conversations.
 */
export function carefulFields({ name, mapped }: Place): readonly string[] {
  const { fields = {} } = mapped ?? {};
  const given = fields as Readonly<Record<string, string | undefined>>;
  return recordFields[name].flatMap(([field, kind]) => {
    const expression = given[field];
    if (name === "conversations" || expression === undefined || listedNumbers[name]?.[field] !== undefined) return [];
    return castOf(kind) === "text" && /^(?:\w+|"[^"]+")$/.test(expression) ? [] : [field];
  });
}
