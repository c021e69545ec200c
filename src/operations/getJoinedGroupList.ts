import { type CallOptions, call } from "../call.js";
import type { Envelope } from "../envelope.js";
import { nameRecords, OperationError } from "../errors.js";
import { type InputOf, id, object } from "../fields.js";
import { limited } from "../limits.js";
import type { Group } from "../model.js";
import { pageRange, pagination } from "../pagination.js";
import type { Store } from "../store.js";

const schema = limited((limits) => object({ fromUserID: id(limits), pagination: pagination(limits) }));

/** The input of {@link getJoinedGroupList}: whose groups, and which page. */
export type GetJoinedGroupListInput = InputOf<typeof schema>;

/** The data that {@link getJoinedGroupList} answers. */
export interface JoinedGroupList {
  /** Groups on all pages. */
  total: number;
  groups: Group[];
}

/**
 * Lists the groups that a user has joined, the latest joined first.
 *
 * Errors: 1001 for bad input, 1004 where the user does not exist.
 */
export function getJoinedGroupList(
  store: Store,
  input: GetJoinedGroupListInput,
  options?: CallOptions,
): Promise<Envelope<JoinedGroupList>> {
  return call("getJoinedGroupList", schema, input, options, async ({ fromUserID, pagination }) => {
    const page = await store.listJoinedGroups({ userID: fromUserID, ...pageRange(pagination) });
    if (page === undefined) throw new OperationError("RecordNotFoundError", nameRecords("user", [fromUserID]));
    return { total: page.total, groups: page.items };
  });
}
