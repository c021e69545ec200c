/** The filters of all lists. Tests that try each filter take them from here, so that they try a new one, too. */
import type { PageRange } from "../../src/pagination.js";
import type { ListMethod, Store } from "../../src/store.js";

type QueryOf<Method extends ListMethod> = Parameters<Store[Method]>[0];

/** What a query may ask for, beside the page and the group or user of the list. */
export type FiltersOf<Method extends ListMethod> = Omit<
  QueryOf<Method>,
  keyof PageRange | "groupID" | "userID" | "ownerUserID"
>;

/** A value for each filter. The compiler reports one that is missing. */
const values: { readonly [Method in ListMethod]: Required<FiltersOf<Method>> } = {
  listGroupMembers: { keyword: "an", roleLevels: [20, 100] },
  listBlacks: {},
  listJoinedGroups: {},
  listReceivedGroupRequests: { groupIDs: ["g1", "g2"], handleResults: [0, -1] },
  listNotificationAccounts: { keyword: "an", appMangerLevel: 3 },
};

/** What a query asks for that has no filter, though the field is required. */
const nothing: { readonly [Method in ListMethod]: FiltersOf<Method> } = {
  listGroupMembers: { keyword: "" },
  listBlacks: {},
  listJoinedGroups: {},
  listReceivedGroupRequests: {},
  listNotificationAccounts: { keyword: "" },
};

export const listMethods = Object.keys(values) as ListMethod[];

/** Each filter of a list alone and beside any others, and none of them. */
export function filterings<Method extends ListMethod>(method: Method): FiltersOf<Method>[] {
  let some: FiltersOf<Method>[] = [nothing[method]];
  for (const [name, value] of Object.entries(values[method])) {
    some = some.flatMap((filters) => [filters, { ...filters, [name]: value }]);
  }
  return some;
}

/** The names of the filters that a query has. */
export function filtersIn(method: ListMethod, query: object): string[] {
  const none: Record<string, unknown> = nothing[method];
  const asked: Record<string, unknown> = { ...query };
  return Object.keys(values[method]).filter((name) => asked[name] !== undefined && asked[name] !== none[name]);
}
