import type { ClientCall } from "./adminClient.js";
import { type EachOptions, eachPage, type ItemOf, itemsOf, type ListData } from "./eachPage.js";

/**
 * Gives one item of a list after the other, and asks for the next page when it is wanted. It neither repeats nor leaves
 * out an item of a list that does not change meanwhile; for one that does, see {@link eachPage}.
 *
 * @throws AdminError where the server answers a failure; otherwise what the call rejects with
 */
export async function* eachItem<Input, Data extends ListData>(
  list: ClientCall<Input, Data>,
  input: Omit<Input, "pagination">,
  options?: EachOptions,
): AsyncGenerator<ItemOf<Data>, void, undefined> {
  for await (const page of eachPage(list, input, options)) yield* itemsOf(page);
}
