import * as items from "../../items.js";
import { itemWith } from "../../items.js";
import type { ReceivedGroupRequestsQuery } from "../../store.js";
import { expectEqual, expectTrue } from "../expect.js";
import { allRows, type NamedCases, type StoreUnderTest } from "../storeCase.js";
import { storeWorld } from "../world.js";

const inOrder = ["latest/alone", "readers/Zed", "readers/alone", "writers/alone", "writers/nameless"];

async function list(store: StoreUnderTest, query: Partial<ReceivedGroupRequestsQuery> = {}) {
  const page = await store.listReceivedGroupRequests({ userID: "boss", ...allRows, ...query });
  expectTrue(page !== undefined, "received requests must not be undefined: the user exists");
  return {
    total: page.total,
    requests: page.items.map(({ groupInfo, userInfo }) => `${groupInfo.groupID}/${userInfo.userID}`),
  };
}

export const groupRequestsCases: NamedCases = {
  "received requests are undefined for an unknown user, and empty for a user who manages nothing": async (open) => {
    const store = await open(storeWorld);
    const unknown = await store.listReceivedGroupRequests({ userID: "nobody", ...allRows });
    expectEqual(unknown, undefined, "the received requests of a user who does not exist");
    expectEqual(
      await list(store, { userID: "bob" }),
      { total: 2, requests: ["readers/Zed", "readers/alone"] },
      "of bob, who administers",
    );
    expectEqual(await list(store, { userID: "alone" }), { total: 0, requests: [] }, "of a user who manages nothing");
  },

  "received requests are those for groups where the user has roleLevel 60 or 100, the latest first": async (open) => {
    const store = await open(storeWorld);
    const expected = { total: 5, requests: inOrder };
    expectEqual(await list(store), expected, "order: reqTime descending, groupID, applicant's userID");
    await store.put({ groupMembers: [{ groupID: "quiet", userID: "boss", roleLevel: 20 }] });
    expectEqual(await list(store), expected, "an ordinary member does not manage the group");
    const request = { groupID: "readers", reqTime: 3 };
    await store.put({
      users: [{ userID: "Aaa" }],
      groupRequests: [
        { ...request, userID: "😀" },
        { ...request, userID: "～" },
        { ...request, userID: "Aaa", groupID: "writers" },
      ],
    });
    const ties = ["readers/Zed", "readers/alone", "readers/～", "readers/😀", "writers/Aaa", "writers/alone"];
    const { requests } = await list(store);
    expectEqual(
      requests,
      ["latest/alone", ...ties, "writers/nameless"],
      "order of ties: groupID, then userID, bytewise",
    );
  },

  "received requests are restricted to groups among the managed ones": async (open) => {
    const store = await open(storeWorld);
    const answered = await list(store, { groupIDs: ["writers", "quiet", "unknown"] });
    expectEqual(
      answered,
      { total: 2, requests: ["writers/alone", "writers/nameless"] },
      "requests for writers and quiet",
    );
    const last = await list(store, { groupIDs: ["unknown", "quiet", "writers"] });
    expectEqual(last, answered, "the same groups in another order");
    const none = await list(store, { groupIDs: ["quiet", "unknown"] });
    expectEqual(none, { total: 0, requests: [] }, "requests for groups that the user does not manage");
  },

  "received requests are restricted to results, and total counts what remains": async (open) => {
    const store = await open(storeWorld);
    const pending = { total: 3, requests: ["latest/alone", "readers/alone", "writers/nameless"] };
    expectEqual(await list(store, { handleResults: [0] }), pending, "pending requests");
    const handled = { total: 2, requests: ["readers/Zed", "writers/alone"] };
    expectEqual(await list(store, { handleResults: [-1, 1] }), handled, "accepted and refused requests");
    const both = await list(store, { handleResults: [0], groupIDs: ["writers"] });
    expectEqual(both, { total: 1, requests: ["writers/nameless"] }, "pending requests for writers");
  },

  "received requests are counted whole on every page": async (open) => {
    const store = await open(storeWorld);
    for (const [offset, request] of [...inOrder, undefined].entries()) {
      const { total, requests } = await list(store, { offset, limit: 1 });
      const expected = { total: 5, requests: request === undefined ? [] : [request] };
      expectEqual({ total, requests }, expected, `the page with the one request at ${offset}`);
    }
    const restricted = await list(store, { handleResults: [0], offset: 2, limit: 1 });
    expectEqual(restricted, { total: 3, requests: ["writers/nameless"] }, "the third pending request");
  },

  "received requests have every field, with applicant and group": async (open) => {
    const store = await open(storeWorld);
    const page = await store.listReceivedGroupRequests({ userID: "boss", ...allRows });
    const { groupID: _groupID, userID: _userID, ...fields } = storeWorld.groupRequests[1];
    const expected = {
      ...fields,
      userInfo: itemWith(items.userInfo, { userID: "Zed", nickname: "Zoë É" }),
      groupInfo: { ...storeWorld.groups[0], ownerUserID: "boss", memberCount: 8 },
    };
    expectEqual(page?.items[1], expected, "the request of Zed");
    const pending = itemWith(items.groupRequest, {
      userInfo: itemWith(items.userInfo, { userID: "alone", nickname: "Alone" }),
      groupInfo: expected.groupInfo,
      reqTime: 3,
    });
    expectEqual(page?.items[2], pending, "a request that was not handled");
    expectEqual(page?.items[0]?.groupInfo.memberCount, 1, "members of the group latest");
    expectEqual(
      page?.items[4]?.userInfo,
      itemWith(items.userInfo, { userID: "nameless" }),
      "an applicant whose profile is empty",
    );
  },
};
