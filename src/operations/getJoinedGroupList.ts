import type * as v from "valibot";
import { groupSchema } from "../answers/items.js";
import type { joinedGroupListSchema } from "../answers/lists.js";
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
    /** The user whose groups are listed. */
    fromUserID: id(limits),
    /** Which page. */
    pagination: pagination(limits),
  }),
);

/** The input of {@link getJoinedGroupList}: a user and a page. */
export type GetJoinedGroupListInput = InputOf<typeof schema>;

/** The data that {@link getJoinedGroupList} answers. */
export type JoinedGroupList = v.InferOutput<typeof joinedGroupListSchema>;

export const joinedGroupList = listOperation({
  name: "getJoinedGroupList",
  schema,
  list: "listJoinedGroups",
  itemSchema: groupSchema,
  query: ({ fromUserID, pagination }) => ({ userID: fromUserID, ...pageRange(pagination) }),
  missing: ({ fromUserID }) => notFound("user", [fromUserID]),
  data: (total, groups): JoinedGroupList => ({ total, groups }),
});

/**
 * Lists the groups that a user has joined, the latest joined first.
 *
 * Errors: 1001 for bad input, 1004 if the user does not exist.
 */
export function getJoinedGroupList(
  store: Store,
  input: GetJoinedGroupListInput,
  options?: CallOptions,
): Promise<Envelope<JoinedGroupList>> {
  return envelopeOf(joinedGroupList, store, input, options);
}
