import type * as v from "valibot";
import { blackSchema } from "../answers/items.js";
import type { blackListSchema } from "../answers/lists.js";
import type { CallOptions } from "../call.js";
import type { Envelope } from "../envelope.js";
import { notFound } from "../errors.js";
import { type InputOf, id, object } from "../fields.js";
import { limited } from "../limits.js";
import { envelopeOf, listOperation } from "../operation.js";
import { pageRange, pagination } from "../pagination.js";
import type { Store } from "../store.js";

const schema = limited((limits) =>
  object({
    /** The user whose blacklist is listed. */
    userID: id(limits),
    /** Which page. */
    pagination: pagination(limits),
  }),
);

/** The input of {@link getBlackList}: a user and a page. */
export type GetBlackListInput = InputOf<typeof schema>;

/** The data that {@link getBlackList} answers. */
export type BlackList = v.InferOutput<typeof blackListSchema>;

export const blackList = listOperation({
  name: "getBlackList",
  schema,
  list: "listBlacks",
  itemSchema: blackSchema,
  query: ({ userID, pagination }) => ({ ownerUserID: userID, ...pageRange(pagination) }),
  missing: ({ userID }) => notFound("user", [userID]),
  item: (black) => ({ ...black, createTime: Math.floor(black.createTime / 1000) }),
  data: (total, blacks): BlackList => ({ blacks, total }),
});

/**
 * Lists a user's blacklist, the newest entry first.
 *
 * Errors: 1001 for bad input, 1004 if the user does not exist.
 */
export function getBlackList(
  store: Store,
  input: GetBlackListInput,
  options?: CallOptions,
): Promise<Envelope<BlackList>> {
  return envelopeOf(blackList, store, input, options);
}
