/** The store cases for hosts whose IDs are of another kind, and who lack some fields. */
import { describe, expect, it } from "vitest";
import { type HostRecords, type OpenStore, type StoreUnderTest, storeCasesFor } from "../../../src/testing/index.js";
import { number, uuid } from "../../helpers/hostIDs.js";
import { memoryStore } from "../../helpers/stores.js";

const fields = {
  users: ["faceURL", "ex"],
  groups: ["introduction", "creatorUserID", "notificationUpdateTime"],
  groupMembers: ["faceURL", "muteEndTime", "inviterUserID"],
  blacks: ["operatorUserID"],
  groupRequests: ["handleMsg", "joinSource"],
} as const;

const hosts: Record<string, { ids: RegExp; host: HostRecords }> = {
  uuids: { ids: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, host: { userID: uuid, groupID: uuid } },
  "numbers for users and groups, and fewer fields": {
    ids: /^\d{18}$/,
    host: { userID: number, groupID: number, fields },
  },
};

/** A store that takes no other IDs than these, and has no such fields. */
function strict(store: StoreUnderTest, ids: RegExp, missing: HostRecords["fields"] = {}): StoreUnderTest {
  function look(value: unknown, field = ""): void {
    if (typeof value === "object" && value !== null) {
      for (const [name, inner] of Object.entries(value)) look(inner, Array.isArray(value) ? field : name);
    } else if (typeof value === "string" && value !== "" && /(user|group)IDs?$/i.test(field)) {
      expect(value, field).toMatch(ids);
    }
  }
  const looking = Object.entries(store).map(([name, method]) => [
    name,
    (given: object | string) => {
      look(given, "userID");
      return (method as (given: object | string) => unknown)(given);
    },
  ]);
  return {
    ...Object.fromEntries(looking),
    put(records) {
      look(records);
      for (const [kind, names] of Object.entries(missing)) {
        for (const record of records[kind as keyof typeof records] ?? []) {
          for (const name of names ?? []) expect(record).not.toHaveProperty(name);
        }
      }
      return store.put(records);
    },
  };
}

describe.each(Object.entries(hosts))("a host with %s", (_kind, { ids, host }) => {
  const open: OpenStore = async (records) => {
    const store = strict(memoryStore(), ids, host.fields);
    await store.put(records);
    return store;
  };
  it.each(Object.entries(storeCasesFor(host)))("%s", (_sentence, storeCase) => storeCase(open));
});

it("finds what a store of such a host does wrong", async () => {
  const cases = storeCasesFor({ userID: uuid, groupID: uuid, fields });
  const failures = async (change: (store: StoreUnderTest) => Partial<StoreUnderTest>) => {
    const open: OpenStore = async (records) => {
      const store = memoryStore();
      await store.put(records);
      return { ...store, ...change(store) };
    };
    const run = Object.entries(cases).map(([sentence, storeCase]) =>
      storeCase(open).then(
        () => [],
        () => [sentence],
      ),
    );
    return (await Promise.all(run)).flat();
  };
  expect(await failures(() => ({}))).toEqual([]);
  const reversed = await failures((store) => ({
    listBlacks: async (query) => {
      const page = await store.listBlacks(query);
      return page && { ...page, items: page.items.toReversed() };
    },
  }));
  expect(reversed).toEqual([
    "a blacklist has the newest entry first, then by blocked userID, with times in milliseconds",
  ]);
  const invented = await failures((store) => ({
    listGroupMembers: async (query) => {
      const page = await store.listGroupMembers(query);
      return page && { ...page, items: page.items.map((item) => ({ ...item, muteEndTime: 1 })) };
    },
  }));
  expect(invented).toContain("members have every field, as stored");
});

it.each([
  ["groupMembers", "roleLevel"],
  ["users", "nickname"],
  ["conversations", "ex"],
])("refuses to leave out %s.%s, which is not only shown", (kind, field) => {
  expect(() => storeCasesFor({ userID: uuid, groupID: uuid, fields: { [kind]: [field] } })).toThrow(
    new TypeError(`fields.${kind} must not have ${field}: it is not only shown`),
  );
});
