import * as v from "valibot";
import { groupMemberSchema } from "../answers/items.js";
import type { groupMemberListSchema } from "../answers/lists.js";
import type { CallOptions } from "../call.js";
import type { Envelope } from "../envelope.js";
import { notFound } from "../errors.js";
import { type InputOf, id, keyword, object, oneOf } from "../fields.js";
import { limited } from "../limits.js";
import { envelopeOf, listOperation } from "../operation.js";
import { pageRange, pagination } from "../pagination.js";
import type { Store } from "../store.js";

const schema = limited((limits) =>
  object({
    /** The group whose members are listed. */
    groupID: id(limits),
    /** Part of a member's userID or nickname. */
    keyword: keyword(limits),
    /** 0 all, 1 owner, 2 administrators, 3 ordinary members, 4 administrators and ordinary members, 5 owner and administrators. */
    filter: v.nullish(oneOf([0, 1, 2, 3, 4, 5], "must be an integer from 0 to 5")),
    /** Which page. */
    pagination: pagination(limits),
  }),
);

/** The input of {@link getGroupMemberList}. */
export type GetGroupMemberListInput = InputOf<typeof schema>;

/** The data that {@link getGroupMemberList} answers. */
export type GroupMemberList = v.InferOutput<typeof groupMemberListSchema>;

const owner = 100;
const administrator = 60;
const ordinary = 20;

/** The levels that each `filter` lets through. */
const filteredLevels = [
  undefined,
  [owner],
  [administrator],
  [ordinary],
  [administrator, ordinary],
  [owner, administrator],
] as const;

export const groupMemberList = listOperation({
  name: "getGroupMemberList",
  schema,
  list: "listGroupMembers",
  itemSchema: groupMemberSchema,
  query({ groupID, keyword, filter, pagination }) {
    const roleLevels = filteredLevels[filter ?? 0];
    return { groupID, keyword: keyword ?? "", ...(roleLevels && { roleLevels }), ...pageRange(pagination) };
  },
  missing: ({ groupID }) => notFound("group", [groupID]),
  data: (total, members): GroupMemberList => ({ total, members }),
});

/**
 * Lists the members of a group: owner first, then administrators, then ordinary members, each by the time of joining.
 * With `keyword`, it lists only matching members.
 *
 * Errors: 1001 for bad input, 1004 if the group does not exist.
 */
export function getGroupMemberList(
  store: Store,
  input: GetGroupMemberListInput,
  options?: CallOptions,
): Promise<Envelope<GroupMemberList>> {
  return envelopeOf(groupMemberList, store, input, options);
}
