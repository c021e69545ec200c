import { expect, it } from "vitest";
import type { Page } from "../../src/index.js";
import type { ListMethod } from "../../src/store.js";
import type { OpenStore, StoreCases, StoreUnderTest } from "../../src/testing/index.js";
import { openExampleStore } from "./exampleStore.js";

/** Replaces methods of a store by ones that have a bug. */
export type Breakage = (store: StoreUnderTest) => Partial<StoreUnderTest>;
export type Item = Record<string, unknown>;

/** Changes what a list method answers. */
export function answer(
  method: ListMethod,
  change: (page: Page<Item>, query: Record<string, unknown>) => unknown,
): Breakage {
  return (store) => ({
    [method]: async (query: never) => {
      const page = await store[method](query);
      return page && change(page as unknown as Page<Item>, query);
    },
  });
}

/** Changes what a list method is asked. */
export function ask(method: ListMethod, change: object): Breakage {
  return (store) => ({ [method]: (query: never) => store[method](Object.assign({}, query, change) as never) });
}

/** Lists only some items, and counts only these. */
export function only(method: ListMethod, isListed: (item: Item) => boolean): Breakage {
  return answer(method, ({ items }) => {
    const listed = items.filter(isListed);
    return { total: listed.length, items: listed };
  });
}

/** Writes without being asked to, or before it has checked. */
export const set =
  (change: (store: StoreUnderTest, call: Parameters<StoreUnderTest["setConversations"]>[0]) => unknown): Breakage =>
  (store) => ({
    setConversations: async (call) => {
      const result = await change(store, call);
      return (result ?? (await store.setConversations(call))) as never;
    },
  });

/** Tests that there is a bug for each case, and that each case catches its bug. */
export function testBreakages(cases: StoreCases, breakages: Record<string, Breakage>): void {
  it("has a bug for each case", () => {
    expect(Object.keys(breakages)).toEqual(Object.keys(cases));
  });

  it.each(Object.entries(breakages))("catches a bug by: %s", async (sentence, breakage) => {
    const open: OpenStore = async (records) => {
      const store = await openExampleStore({});
      const broken = { ...store, ...breakage(store) };
      await broken.put(records);
      return broken;
    };
    await expect(cases[sentence]?.(open)).rejects.toThrow(/expected .*, and got |must /);
  });
}
