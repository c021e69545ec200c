import { expectEqual } from "../expect.js";
import { allRows, type StoreCases } from "../storeCase.js";
import { storeWorld } from "../world.js";

export const blacksCases: StoreCases = {
  "a blacklist is undefined for an unknown user, and empty for one who has none": async (open) => {
    const store = await open(storeWorld);
    const unknown = await store.listBlacks({ ownerUserID: "gone", ...allRows });
    expectEqual(unknown, undefined, "the blacklist of a user who does not exist");
    const none = await store.listBlacks({ ownerUserID: "alone", ...allRows });
    expectEqual(none, { total: 0, items: [] }, "the blacklist of a user who blocks nobody");
  },

  "a blacklist has the newest entry first, then by blocked userID, with times in milliseconds": async (open) => {
    const store = await open(storeWorld);
    const rest = { addSource: 0, operatorUserID: "", ex: "" };
    expectEqual(
      await store.listBlacks({ ownerUserID: "ann", ...allRows }),
      {
        total: 3,
        items: [
          {
            ownerUserID: "ann",
            createTime: 1_688_460_626_999,
            blackUserInfo: { userID: "gone", nickname: "", faceURL: "", ex: "" },
            addSource: 2,
            operatorUserID: "admin",
            ex: "why",
          },
          {
            ownerUserID: "ann",
            createTime: 5_000,
            blackUserInfo: { userID: "Zed", nickname: "Zoë É", faceURL: "", ex: "" },
            ...rest,
          },
          {
            ownerUserID: "ann",
            createTime: 5_000,
            blackUserInfo: { userID: "bob", nickname: "Bob", faceURL: "", ex: "" },
            ...rest,
          },
        ],
      },
      "the blacklist of ann",
    );
  },

  "a blacklist is counted whole on every page": async (open) => {
    const store = await open(storeWorld);
    for (const [offset, userID] of [
      [0, "gone"],
      [1, "Zed"],
      [2, "bob"],
      [3, undefined],
    ] as const) {
      const page = await store.listBlacks({ ownerUserID: "ann", offset, limit: 1 });
      expectEqual(page?.total, 3, `total of the page at ${offset}: it counts the whole blacklist`);
      expectEqual(page?.items[0]?.blackUserInfo.userID, userID, `the entry at ${offset}`);
    }
  },
};
