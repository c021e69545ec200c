import type { NotificationAccountsQuery } from "../../store.js";
import { expectEqual } from "../expect.js";
import { allRows, type NamedCases, type StoreUnderTest } from "../storeCase.js";
import { storeWorld } from "../world.js";

async function userIDs(store: StoreUnderTest, query: Partial<NotificationAccountsQuery> = {}) {
  const { total, items } = await store.listNotificationAccounts({ keyword: "", ...allRows, ...query });
  return [total, ...items.map(({ userID }) => userID)];
}

export const notificationAccountsCases: NamedCases = {
  "notification accounts are an empty list where there are none": async (open) => {
    const store = await open({});
    const page = await store.listNotificationAccounts({ keyword: "", ...allRows });
    expectEqual(page, { total: 0, items: [] }, "the notification accounts of an empty store");
  },

  "notification accounts are users with appMangerLevel 3 or above, by userID": async (open) => {
    const store = await open(storeWorld);
    expectEqual(
      await store.listNotificationAccounts({ keyword: "", ...allRows }),
      {
        total: 3,
        items: [
          { userID: "SysAlert", faceURL: "", nickName: "Alerts 50%" },
          { userID: "bot", faceURL: "", nickName: "Welcome" },
          { userID: "sysNews", faceURL: "news.jpg", nickName: "系统通知" },
        ],
      },
      "the notification accounts",
    );
    await store.put({
      users: [
        { userID: "😀", nickname: "A", appMangerLevel: 3 },
        { userID: "～", nickname: "B", appMangerLevel: 3 },
      ],
    });
    const ordered = [5, "SysAlert", "bot", "sysNews", "～", "😀"];
    expectEqual(await userIDs(store), ordered, "total and accounts, by userID bytewise");
  },

  "notification accounts are restricted to a level": async (open) => {
    const store = await open(storeWorld);
    expectEqual(await userIDs(store, { appMangerLevel: 4 }), [1, "bot"], "total and accounts of level 4");
    expectEqual(
      await userIDs(store, { appMangerLevel: 3 }),
      [2, "SysAlert", "sysNews"],
      "total and accounts of level 3",
    );
  },

  "notification accounts are found by a literal part of their userID": async (open, { userID }) => {
    const store = await open(storeWorld);
    for (const name of ["SysAlert", "bot", "sysNews"]) {
      const id = userID(name);
      for (const keyword of [id, id.toUpperCase(), id.slice(1)]) {
        expectEqual(await userIDs(store, { keyword }), [1, name], `accounts that contain "${keyword}"`);
      }
    }
  },

  "notification accounts are found by a literal part of their nickname": async (open) => {
    const store = await open(storeWorld);
    expectEqual(await userIDs(store, { keyword: "S 5" }), [1, "SysAlert"], 'accounts that contain "S 5"');
    for (const keyword of ["s.s", "s_s", "s%s", "\\"]) {
      expectEqual(await userIDs(store, { keyword }), [0], `accounts that contain "${keyword}"`);
    }
    expectEqual(await userIDs(store, { keyword: " " }), [1, "SysAlert"], "accounts that contain a space");
    expectEqual(await userIDs(store, { keyword: "通" }), [1, "sysNews"], "accounts that contain 通");
    expectEqual(await userIDs(store, { keyword: "%" }), [1, "SysAlert"], 'accounts that contain "%"');
    expectEqual(await userIDs(store, { keyword: "e", appMangerLevel: 4 }), [1, "bot"], 'robots that contain "e"');
  },

  "notification accounts are counted whole on every page": async (open) => {
    const store = await open(storeWorld);
    expectEqual(await userIDs(store, { offset: 1, limit: 1 }), [3, "bot"], "total and the second account");
    expectEqual(await userIDs(store, { offset: 3, limit: 1 }), [3], "total of the page past the end");
    expectEqual(await userIDs(store, { keyword: "l", offset: 1, limit: 5 }), [2, "bot"], "total and the second hit");
  },

  "notification accounts fill a page as long as is asked for": async (open) => {
    const users = Array.from({ length: 130 }, (_, index) => ({ userID: `n${1000 + index}`, appMangerLevel: 3 }));
    const store = await open({ users });
    const listed = [130, ...users.map(({ userID }) => userID)];
    expectEqual(await userIDs(store, { limit: 1000 }), listed, "total and accounts of a page of 1,000");
    expectEqual(await userIDs(store, { limit: 120 }), listed.slice(0, 121), "total and accounts of a page of 120");
  },
};
