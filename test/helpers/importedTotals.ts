import { expect } from "vitest";
import type { BundledStore } from "../../src/stores/bundledStore.js";
import type { Totals } from "./hostileDocuments.js";

/** Requires that the lists of a store have these totals. */
export async function expectTotals(store: BundledStore, totals: Totals): Promise<void> {
  const first = { offset: 0, limit: 1 };
  const allOf = async (ids: Iterable<string>, count: (id: string) => Promise<number | undefined>) => {
    const counts = new Map<string, number | undefined>();
    for (const id of ids) counts.set(id, await count(id));
    return counts;
  };
  const { members, blacks, joined, conversations } = totals;
  expect({
    members: await allOf(members.keys(), async (groupID) => {
      return (await store.listGroupMembers({ groupID, keyword: "", ...first }))?.total;
    }),
    blacks: await allOf(blacks.keys(), async (ownerUserID) => {
      return (await store.listBlacks({ ownerUserID, ...first }))?.total;
    }),
    joined: await allOf(joined.keys(), async (userID) => (await store.listJoinedGroups({ userID, ...first }))?.total),
    conversations: await allOf(conversations.keys(), async (userID) => (await store.conversations(userID)).length),
  }).toEqual({ members, blacks, joined, conversations });
}
