import * as items from "../../items.js";
import { itemWith } from "../../items.js";
import { expectEqual } from "../expect.js";
import { allRows, type NamedCases } from "../storeCase.js";
import { storeWorld } from "../world.js";

export const blacksCases: NamedCases = {
  "a blacklist is undefined for an unknown user, and empty for a user without entries": async (open) => {
    const store = await open(storeWorld);
    const unknown = await store.listBlacks({ ownerUserID: "nobody", ...allRows });
    expectEqual(unknown, undefined, "the blacklist of a user who does not exist");
    const capital = await store.listBlacks({ ownerUserID: "ANN", ...allRows });
    expectEqual(capital, undefined, "the blacklist of ANN, where only ann exists");
    const none = await store.listBlacks({ ownerUserID: "alone", ...allRows });
    expectEqual(none, { total: 0, items: [] }, "the blacklist of a user who blocks nobody");
  },

  "a blacklist has the newest entry first, then by blocked userID, with times in milliseconds": async (open) => {
    const store = await open(storeWorld);
    const { blackUserID, ...whole } = storeWorld.blacks[1];
    const older = (userID: string, nickname: string) =>
      itemWith(items.black, {
        ownerUserID: "ann",
        createTime: 5_000,
        blackUserInfo: itemWith(items.userInfo, { userID, nickname }),
      });
    expectEqual(
      await store.listBlacks({ ownerUserID: "ann", ...allRows }),
      {
        total: 3,
        items: [
          { ...whole, blackUserInfo: itemWith(items.userInfo, { userID: blackUserID }) },
          older("Zed", "Zoë É"),
          older("bob", "Bob"),
        ],
      },
      "the blacklist of ann",
    );
    const black = { ownerUserID: "ann", createTime: 5_000 };
    await store.put({
      users: [{ userID: "zzz" }],
      blacks: [
        { ...black, blackUserID: "😀" },
        { ...black, blackUserID: "～" },
        { ...black, blackUserID: "zzz", createTime: 5_001 },
      ],
    });
    const page = await store.listBlacks({ ownerUserID: "ann", ...allRows });
    const userIDs = page?.items.map(({ blackUserInfo }) => blackUserInfo.userID);
    expectEqual(
      userIDs,
      ["nameless", "zzz", "Zed", "bob", "～", "😀"],
      "order: milliseconds descending, userID bytewise",
    );
  },

  "a blacklist is counted whole on every page": async (open) => {
    const store = await open(storeWorld);
    for (const [offset, userID] of [
      [0, "nameless"],
      [1, "Zed"],
      [2, "bob"],
      [3, undefined],
    ] as const) {
      const page = await store.listBlacks({ ownerUserID: "ann", offset, limit: 1 });
      expectEqual(page?.total, 3, `total of the page at ${offset}: it counts the whole blacklist`);
      const userIDs = page?.items.map(({ blackUserInfo }) => blackUserInfo.userID);
      expectEqual(userIDs, userID === undefined ? [] : [userID], `the one entry at ${offset}`);
    }
  },
};
