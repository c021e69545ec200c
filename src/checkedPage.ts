import * as v from "valibot";
import { count } from "./answers/fields.js";
import type { Page } from "./pagination.js";

/** How much of a wrong value is told, in characters. */
const toldLength = 100;

/**
 * What a store of somebody's own has answered for a list, looked at before it is passed on.
 *
 * @throws TypeError that names the store's method, and what of its answer is not as it must be
 */
export function checkedPage<Item>(
  list: string,
  answered: unknown,
  item: v.GenericSchema<Item>,
  limit: number,
): Page<Item> {
  const result = v.safeParse(v.object({ total: count, items: v.array(item) }), answered, { abortEarly: true });
  if (!result.success) throw new TypeError(`${list} answered ${wrong(result.issues[0])}`);
  // As it was answered: a copy would have cost more than the look at it.
  const page = answered as Page<Item>;
  const { length } = page.items;
  if (length > limit) throw new TypeError(`${list} answered ${length} items, and ${limit} at most were asked for`);
  return page;
}

const kinds: Readonly<Record<string, string>> = {
  number: "number",
  string: "string",
  Array: "array",
  Object: "object",
};

function wrong({ path, expected, received }: v.BaseIssue<unknown>): string {
  const place = (path ?? []).map(({ key }) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
  if (received === "undefined") return `no ${place.slice(1)}`;
  const told = received.length > toldLength ? `${received.slice(0, toldLength)}...` : received;
  const kind = kinds[expected ?? ""] ?? "whole number from 0 on";
  return `${place.slice(1)} ${told}, which is no ${kind}`.trimStart();
}
