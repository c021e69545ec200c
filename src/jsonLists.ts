import { PageTooLong } from "./errors.js";
import { type Json, parseJson } from "./json.js";
import { defaultLimits } from "./limits.js";
import type { Page, PageRange, Unreadable } from "./pagination.js";
import type { StoreCall } from "./store.js";

/** A page whose items are a JSON array already. */
export interface JsonPage {
  total: number;
  items: Json;
  /** As in a {@link Page}. */
  unreadable?: readonly Unreadable[];
  /** How many items fit into the most bytes, if they are fewer than the page has. `items` is then empty. */
  fitting?: number | undefined;
}

/** @throws PageTooLong if not all items of a page fit into the most bytes */
export function requireFitting({ fitting }: JsonPage, { mostBytes = defaultLimits.pageBytes }: PageRange): void {
  if (fitting !== undefined) throw new PageTooLong(fitting, mostBytes);
}

type List<Query, Item> = (query: Query, call?: StoreCall) => Promise<Page<Item> | undefined>;
type JsonList<Query, Found = JsonPage | undefined> = (query: Query, call?: StoreCall) => Promise<Found>;

/** For each list method of a bundled store, the reader that returns the same page as JSON. */
const jsonLists = new WeakMap<object, JsonList<never>>();

/**
 * Makes a store's list method from a reader that returns JSON. The method parses the JSON for callers that want
 * objects. The adapters take the JSON unchanged.
 *
 * @param answered reads the items as the operation answers them, if they differ from the store's
 */
export function listOfJson<Query extends PageRange, Item, Found extends JsonPage | undefined>(
  read: JsonList<Query, Found>,
  answered = read,
): (query: Query, call?: StoreCall) => Promise<Page<Item> | Exclude<Found, JsonPage>> {
  const list = async (query: Query, call?: StoreCall) => {
    const page = await read(query, call);
    if (page === undefined) return page as Exclude<Found, JsonPage>;
    requireFitting(page, query);
    return pageOf<Item>(page);
  };
  jsonLists.set(list, answered);
  return list;
}

/** The page with its items as objects. */
export function pageOf<Item>({ total, items, unreadable }: JsonPage): Page<Item> {
  return { total, items: parseJson(items) as Item[], ...(unreadable && { unreadable }) };
}

/**
 * The JSON reader of a list method. It is undefined for the methods of a host, also if a host replaced one of a bundled
 * store.
 */
export function jsonListOf<Query, Item>(list: List<Query, Item>): JsonList<Query> | undefined {
  return jsonLists.get(list) as JsonList<Query> | undefined;
}
