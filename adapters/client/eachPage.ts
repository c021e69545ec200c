import type { ClientCall, ClientCallOptions } from "./adminClient.js";
import { unwrap } from "./adminError.js";

/** The data of a page. Its only array has the items. */
export interface ListData {
  /** Items on all pages. */
  total: number;
}

/** The options of {@link eachPage} and `eachItem`. */
export interface EachOptions extends ClientCallOptions {
  /**
   * The number of items of a page; the server allows 1000 by default.
   * @default 100
   */
  showNumber?: number | undefined;
}

/** The items of a page. */
export type ItemOf<Data extends ListData> = Extract<Data[keyof Data], readonly unknown[]>[number];

/**
 * Yields the data of the pages of a list one after the other. It yields the first page even if it is empty.
 *
 * It asks for a page when the loop needs it. If the list changes meanwhile, an item may come twice because another was
 * added before it, or be left out because another before it was removed.
 *
 * @throws AdminError if the server answers a failure; otherwise the error with which the call rejects
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

/** The items of a page, in the array of any name. */
export function itemsOf<Data extends ListData>(data: Data): ItemOf<Data>[] {
  return Object.values(data).find(Array.isArray) ?? [];
}
