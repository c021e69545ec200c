import type { ClientCall, ClientCallOptions } from "./adminClient.js";
import { unwrap } from "./adminError.js";
import { fittingIn, pageFrom } from "./pageSizes.js";

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
 * It asks for a page when the loop needs it. Where items are so long that a page of them would have too many bytes, pages
 * have fewer items. If the list changes meanwhile, an item may come twice because another was
 * added before it, or be left out because another before it was removed.
 *
 * @throws AdminError if the server answers a failure; otherwise the error with which the call rejects
 */
export async function* eachPage<Input, Data extends ListData>(
  list: ClientCall<Input, Data>,
  input: Omit<Input, "pagination">,
  { showNumber = 100, ...options }: EachOptions = {},
): AsyncGenerator<Data, void, undefined> {
  for (let [offset, most] = [0, showNumber]; ; ) {
    const pagination = pageFrom(offset, most);
    const envelope = await list({ ...input, pagination } as Input, options);
    const fitting = fittingIn(envelope.errDlt);
    if (fitting !== undefined && fitting < pagination.showNumber) {
      most = fitting;
      continue;
    }
    const data = unwrap(envelope);
    const isEmpty = itemsOf(data).length === 0;
    if (offset === 0 || !isEmpty) yield data;
    offset += pagination.showNumber;
    // A list that became shorter ends before its first total.
    if (isEmpty || offset >= data.total) return;
    most = Math.min(showNumber, 2 * pagination.showNumber);
  }
}

/** The items of a page, in the array of any name. */
export function itemsOf<Data extends ListData>(data: Data): ItemOf<Data>[] {
  return Object.values(data).find(Array.isArray) ?? [];
}
