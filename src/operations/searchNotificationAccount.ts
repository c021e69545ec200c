import * as v from "valibot";
import { notificationAccountSchema } from "../answers/items.js";
import type { notificationAccountListSchema } from "../answers/lists.js";
import type { CallOptions } from "../call.js";
import type { Envelope } from "../envelope.js";
import { type InputOf, keyword, object, oneOf } from "../fields.js";
import { limited } from "../limits.js";
import { envelopeOf, listOperation } from "../operation.js";
import { pageRange, pagination } from "../pagination.js";
import type { Store } from "../store.js";

const schema = limited((limits) =>
  object({
    /** Part of an account's userID or nickname. */
    keyword: keyword(limits),
    /** Only accounts of this level: 3 (notification) or 4 (robot). */
    appManagerLevel: v.nullish(oneOf([3, 4], "must be 3 or 4")),
    /** Which page. */
    pagination: pagination(limits),
  }),
);

/** The input of {@link searchNotificationAccount}. */
export type SearchNotificationAccountInput = InputOf<typeof schema>;

/** The data that {@link searchNotificationAccount} answers. */
export type NotificationAccountList = v.InferOutput<typeof notificationAccountListSchema>;

export const notificationAccountList = listOperation({
  name: "searchNotificationAccount",
  schema,
  list: "listNotificationAccounts",
  itemSchema: notificationAccountSchema,
  query: ({ keyword, appManagerLevel, pagination }) => ({
    keyword: keyword ?? "",
    ...(appManagerLevel && { appMangerLevel: appManagerLevel }),
    ...pageRange(pagination),
  }),
  data: (total, notificationAccounts): NotificationAccountList => ({ total, notificationAccounts }),
});

/**
 * Lists the system notification accounts by userID. With `keyword`, it lists only matching accounts.
 *
 * Errors: 1001 for bad input.
 */
export function searchNotificationAccount(
  store: Store,
  input: SearchNotificationAccountInput,
  options?: CallOptions,
): Promise<Envelope<NotificationAccountList>> {
  return envelopeOf(notificationAccountList, store, input, options);
}
