import type { ClientCall, ClientCallOptions } from "./adminClient.js";
import { unwrap } from "./adminError.js";

/** The data of a page: its only array holds the items. */
export interface ListData {
  /** Items on all pages. */
  total: number;
}

/** What {@link eachPage} and `eachItem` take beside the input. */
export interface EachOptions extends ClientCallOptions {
  /**
   * Items to ask for at a time; the server allows 1000 where it is not set up otherwise.
   * @default 100
   */
  showNumber?: number | undefined;
}

/** The items of a page. */
export type ItemOf<Data extends ListData> = Extract<Data[keyof Data], readonly unknown[]>[number];

/**
 * Gives the data of one page of a list after the other, the first also where it is empty.
 *
 * Each page is asked for when it is wanted. Of a list that changes meanwhile, an item may come twice where another was
 * added before it, and one may be left out where another before it was removed.
 *
 * @throws AdminError where the server answers a failure; otherwise what the call rejects with
 */
export async function* eachPage<Input, Data extends ListData>(
  list: ClientCall<Input, Data>,
  input: Omit<Input, "pagination">,
  { showNumber = 100, ...options }: EachOptions = {},
): AsyncGenerator<Data, void, undefined> {
  for (let pageNumber = 1; ; pageNumber++) {
    const data = unwrap(await list({ ...input, pagination: { pageNumber, showNumber } } as Input, options));
    const isEmpty = itemsOf(data).length === 0;
    if (pageNumber === 1 || !isEmpty) yield data;
    // A list that became shorter ends before its first total.
    if (isEmpty || pageNumber * showNumber >= data.total) return;
  }
}

/** The items of a page, whatever the list calls them. */
export function itemsOf<Data extends ListData>(data: Data): ItemOf<Data>[] {
  return Object.values(data).find(Array.isArray) ?? [];
}
