import { type Json, parseJson } from "./json.js";
import type { Page } from "./pagination.js";
import type { StoreCall } from "./store.js";

/** A page whose items are a JSON array already. */
export interface JsonPage {
  total: number;
  items: Json;
}

type List<Query, Item> = (query: Query, call?: StoreCall) => Promise<Page<Item> | undefined>;
type JsonList<Query, Found = JsonPage | undefined> = (query: Query, call?: StoreCall) => Promise<Found>;

/** What the methods of bundled stores can do beside what `Store` asks of them. */
const jsonLists = new WeakMap<object, JsonList<never>>();

/**
 * Makes a store's method of a reader that gives JSON. Whoever wants objects has them parsed, and the adapters, which
 * would make JSON of the objects, take it as it is.
 *
 * @param answered reads the items as the operation answers them, where they differ from the store's
 */
export function listOfJson<Query, Item, Found extends JsonPage | undefined>(
  read: JsonList<Query, Found>,
  answered = read,
): (query: Query, call?: StoreCall) => Promise<Page<Item> | Exclude<Found, JsonPage>> {
  const list = async (query: Query, call?: StoreCall) => {
    const page = await read(query, call);
    if (page === undefined) return page as Exclude<Found, JsonPage>;
    return { total: page.total, items: parseJson(page.items) as Item[] };
  };
  jsonLists.set(list, answered);
  return list;
}

/** The JSON of a store's method; undefined for that of any other store, also of one that a host has put in its place. */
export function jsonListOf<Query, Item>(list: List<Query, Item>): JsonList<Query> | undefined {
  return jsonLists.get(list) as JsonList<Query> | undefined;
}
