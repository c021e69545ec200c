import type { ClientCall } from "./adminClient.js";
import { type EachOptions, eachPage, type ItemOf, itemsOf, type ListData } from "./eachPage.js";

/**
 * Yields the items of a list one after the other, and asks for the next page when it needs it. If the list does not
 * change meanwhile, it yields each item exactly once; otherwise see {@link eachPage}.
 *
 * @throws AdminError if the server answers a failure; otherwise the error with which the call rejects
 */
export async function* eachItem<Input, Data extends ListData>(
  list: ClientCall<Input, Data>,
  input: Omit<Input, "pagination">,
  options?: EachOptions,
): AsyncGenerator<ItemOf<Data>, void, undefined> {
  for await (const page of eachPage(list, input, options)) yield* itemsOf(page);
}
