import * as v from "valibot";
import { countSchema } from "./answers/items.js";
import { pathOf } from "./fields.js";
import type { Page } from "./pagination.js";

/** How many characters of a wrong value an error shows. */
const toldLength = 100;

/**
 * Checks what a host's own store has returned for a list.
 *
 * @throws TypeError that names the store's method and the first mistake in its page
 */
export function checkedPage<Item>(
  list: string,
  answered: unknown,
  item: v.GenericSchema<Item>,
  limit: number,
): Page<Item> {
  checkedAnswer(list, answered, v.object({ total: countSchema, items: v.array(item) }));
  // The store's own page: valibot's copy would lose additional fields.
  const page = answered as Page<Item>;
  const { length } = page.items;
  if (length > limit) throw new TypeError(`${list} answered ${length} items, and ${limit} at most were asked for`);
  return page;
}

/**
 * Checks what a method of a host's own store has returned, and leaves out what the schema does not have.
 *
 * @throws TypeError that names the method and the first mistake
 */
export function checkedAnswer<Answer>(
  method: string,
  answered: unknown,
  schema: v.GenericSchema<unknown, Answer>,
): Answer {
  const result = v.safeParse(schema, answered, { abortEarly: true });
  if (!result.success) throw new TypeError(`${method} answered ${wrong(result.issues[0])}`);
  return result.output;
}

function wrong(issue: v.BaseIssue<unknown>): string {
  const { expected, received } = issue;
  const path = pathOf(issue);
  if (received === "undefined") return `no ${path}`;
  const told = received.length > toldLength ? `${received.slice(0, toldLength)}...` : received;
  return `${path} ${told}, which is no ${String(expected).toLowerCase()}`.trimStart();
}
