import * as v from "valibot";
import { groupRequestSchema } from "../answers/items.js";
import type { receivedGroupApplicationListSchema } from "../answers/lists.js";
import type { CallOptions } from "../call.js";
import type { Envelope } from "../envelope.js";
import { notFound } from "../errors.js";
import { type InputOf, id, ids, list, object, oneOf } from "../fields.js";
import { type Limits, limited } from "../limits.js";
import { envelopeOf, listOperation } from "../operation.js";
import { pageRange, pagination } from "../pagination.js";
import type { Store } from "../store.js";

/** How many entries `handleResults` may have. There are only three results, but a caller may repeat them. */
const mostResults = 100;

const schema = limited((limits) =>
  object({
    /** The user who owns or administers the groups. */
    fromUserID: id(limits),
    /** Only requests for these groups; null and `[]` are no restriction. */
    groupIDs: groupIDs(limits),
    /** Only requests with these results: 0 pending, 1 accepted, -1 refused; null and `[]` are no restriction. */
    handleResults: v.nullish(
      list(
        oneOf([0, 1, -1], "must be 0 (pending), 1 (accepted) or -1 (refused)"),
        { max: mostResults },
        "must be an array of 0, 1 and -1",
        `must be an array of at most ${mostResults} entries`,
      ),
    ),
    /** Which page. */
    pagination: pagination(limits),
  }),
);

function groupIDs(limits: Limits) {
  const max = limits.userIDs;
  return v.nullish(ids(limits, { max }, `must be an array of at most ${max} group IDs`));
}

/** The input of {@link getReceivedGroupApplicationList}. */
export type GetReceivedGroupApplicationListInput = InputOf<typeof schema>;

/** The data that {@link getReceivedGroupApplicationList} answers. */
export type ReceivedGroupApplicationList = v.InferOutput<typeof receivedGroupApplicationListSchema>;

export const receivedGroupApplicationList = listOperation({
  name: "getReceivedGroupApplicationList",
  schema,
  list: "listReceivedGroupRequests",
  itemSchema: groupRequestSchema,
  query: ({ fromUserID, groupIDs, handleResults, pagination }) => ({
    userID: fromUserID,
    ...(groupIDs?.length && { groupIDs: [...new Set(groupIDs)] }),
    ...(handleResults?.length && { handleResults: [...new Set(handleResults)] }),
    ...pageRange(pagination),
  }),
  missing: ({ fromUserID }) => notFound("user", [fromUserID]),
  data: (total, groupRequests): ReceivedGroupApplicationList => ({ total, groupRequests }),
});

/**
 * Lists the join requests, handled or not, for the groups that a user owns or administers, the latest first.
 *
 * Errors: 1001 for bad input, 1004 if the user does not exist.
 */
export function getReceivedGroupApplicationList(
  store: Store,
  input: GetReceivedGroupApplicationListInput,
  options?: CallOptions,
): Promise<Envelope<ReceivedGroupApplicationList>> {
  return envelopeOf(receivedGroupApplicationList, store, input, options);
}
