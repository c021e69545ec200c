import type { GroupMembersQuery } from "../../store.js";
import { expectEqual, expectTrue } from "../expect.js";
import { allRows, type NamedCases, type StoreUnderTest } from "../storeCase.js";
import { storeWorld } from "../world.js";

const inOrder = ["boss", "bob", "王芳", "Zed", "ann", "～", "😀", "nameless"];

async function list(store: StoreUnderTest, query: Partial<GroupMembersQuery> = {}) {
  const page = await store.listGroupMembers({ groupID: "readers", keyword: "", ...allRows, ...query });
  expectTrue(
    page !== undefined,
    `the members of ${query.groupID ?? "readers"} must not be undefined: the group exists`,
  );
  return page;
}

async function userIDs(store: StoreUnderTest, query: Partial<GroupMembersQuery> = {}) {
  const { total, items } = await list(store, query);
  expectEqual(total, items.length, "total must be the number of members listed, where one page holds them all");
  return items.map(({ userID }) => userID);
}

export const groupMembersCases: NamedCases = {
  "members are undefined for an unknown group": async (open) => {
    const store = await open(storeWorld);
    const page = await store.listGroupMembers({ groupID: "unknown", keyword: "", ...allRows });
    expectEqual(page, undefined, "the members of a group that does not exist must be undefined");
    const capital = await store.listGroupMembers({ groupID: "READERS", keyword: "", ...allRows });
    expectEqual(capital, undefined, "the members of READERS, where only readers exists");
  },

  "members are an empty list for a group that has none": async (open) => {
    const store = await open(storeWorld);
    expectEqual(await list(store, { groupID: "quiet" }), { total: 0, items: [] }, "a group without members");
  },

  "members are ordered by roleLevel descending, joinTime, userID by code point": async (open) => {
    const store = await open(storeWorld);
    expectEqual(await userIDs(store), inOrder, "order of members: roleLevel descending, joinTime, userID bytewise");
  },

  "members have every field, as stored": async (open) => {
    const { items } = await list(await open(storeWorld), { offset: 1, limit: 1 });
    const expected = { ...storeWorld.groupMembers[1], appMangerLevel: 0 };
    expectEqual(items, [expected], "the fields of a member");
  },

  "members without a nickname or avatar in the group have the profile's": async (open) => {
    const { items } = await list(await open(storeWorld));
    const answered = items.map(({ userID, nickname, faceURL, appMangerLevel }) => [
      userID,
      nickname,
      faceURL,
      appMangerLevel,
    ]);
    expectEqual(answered[4], ["ann", "Ann", "ann.jpg", 1], "nickname, avatar and level of the profile");
    expectEqual(answered[7], ["nameless", "", "", 0], "nickname, avatar and level of an empty profile");
  },

  "members are counted whole on every page, and a page past the end is empty": async (open) => {
    const store = await open(storeWorld);
    for (const limit of [1, 2, 3, 7, 8]) {
      const paged: string[] = [];
      for (let offset = 0; offset < 8; offset += limit) {
        const { total, items } = await list(store, { offset, limit });
        expectEqual(total, 8, `total of the page at ${offset}, ${limit} rows: it counts the whole list`);
        paged.push(...items.map(({ userID }) => userID));
      }
      expectEqual(paged, inOrder, `the pages of ${limit} rows together: none skipped, none repeated`);
    }
    for (const offset of [8, 9, 2_147_483_646_000]) {
      const page = await list(store, { offset, limit: 1000 });
      expectEqual(page, { total: 8, items: [] }, `the page at ${offset}, past the end`);
    }
  },

  "members are restricted to roleLevels, and total counts what remains": async (open) => {
    const store = await open(storeWorld);
    expectEqual(await userIDs(store, { roleLevels: [60] }), ["bob"], "administrators");
    expectEqual(await userIDs(store, { roleLevels: [100, 60] }), ["boss", "bob"], "owner and administrators");
    const ordinary = await list(store, { roleLevels: [20], offset: 1, limit: 1 });
    expectEqual([ordinary.total, ordinary.items[0]?.userID], [6, "Zed"], "the second ordinary member");
    expectEqual(await userIDs(store, { roleLevels: [1] }), [], "members of a level that nobody has");
  },

  "members are found by a part of their userID, in any case of ASCII letters": async (open, { userID }) => {
    const store = await open(storeWorld);
    for (const name of ["Zed", "bob", "王芳"]) {
      const id = userID(name);
      for (const keyword of [id, id.toUpperCase(), id.toLowerCase(), id.slice(1)]) {
        expectEqual(await userIDs(store, { keyword }), [name], `members that contain "${keyword}"`);
      }
    }
  },

  "members are found by a part of their nickname, in any case of ASCII letters": async (open) => {
    const store = await open(storeWorld);
    expectEqual(await userIDs(store, { keyword: "NN" }), ["ann"], 'members that contain "NN"');
    expectEqual(await userIDs(store, { keyword: "oss" }), ["boss"], 'members that contain "oss"');
    expectEqual(await userIDs(store, { keyword: "THE GR" }), ["bob"], 'members that contain "THE GR"');
    expectEqual(await userIDs(store, { keyword: "nobody" }), [], 'members that contain "nobody"');
    expectEqual(await userIDs(store, { keyword: " " }), ["bob", "Zed", "😀"], "members that contain a space");
  },

  "members are found by the nickname in the group, not by the hidden nickname of the profile": async (open) => {
    const store = await open(storeWorld);
    await store.put({ users: [{ userID: "bob", nickname: "Hidden" }] });
    expectEqual(await userIDs(store, { keyword: "in the group" }), ["bob"], "the nickname in the group");
    expectEqual(await userIDs(store, { keyword: "hidden" }), [], "a profile's nickname that another one hides");
    await store.put({ users: [{ userID: "ann", nickname: "Renamed" }] });
    expectEqual(await userIDs(store, { keyword: "renamed" }), ["ann"], "a profile's nickname after it changed");
  },

  "members are found by one, two and three Chinese characters": async (open) => {
    const store = await open(storeWorld);
    for (const keyword of ["去", "霍", "去病", "霍去病"]) {
      expectEqual(await userIDs(store, { keyword }), ["王芳"], `members that contain ${keyword}`);
    }
    expectEqual(
      await userIDs(store, { keyword: "霍病" }),
      [],
      "members that contain 霍病, which do not stand together",
    );
  },

  "members are found by % and _, which are no wildcards": async (open) => {
    const store = await open(storeWorld);
    for (const keyword of ["%", "_", "\\", "*", "[", "]", ".", "100%_\\*[a]."]) {
      expectEqual(await userIDs(store, { keyword }), ["～"], `members that contain ${keyword}`);
    }
    for (const keyword of ["%%", "A_n", ".*", "a|b", "^", '"', "'", "?"]) {
      expectEqual(await userIDs(store, { keyword }), [], `members that contain ${keyword}`);
    }
  },

  "members are found with no folding of letters beyond ASCII": async (open) => {
    const store = await open(storeWorld);
    expectEqual(await userIDs(store, { keyword: "É" }), ["Zed"], 'members that contain "É"');
    expectEqual(await userIDs(store, { keyword: "é" }), [], 'members that contain "é", where only "É" is there');
    expectEqual(await userIDs(store, { keyword: "zoe" }), [], 'members that contain "zoe", where only "Zoë" is there');
  },

  "members are found by a character beyond the basic plane": async (open) => {
    const store = await open(storeWorld);
    expectEqual(await userIDs(store, { keyword: "😀" }), ["😀"], "members that contain 😀");
    expectEqual(await userIDs(store, { keyword: "😁" }), [], "members that contain 😁");
  },

  "members found by keyword are paged and counted like any others": async (open) => {
    const store = await open(storeWorld);
    const { total, items } = await list(store, { keyword: "o", roleLevels: [100, 60], offset: 1, limit: 1 });
    expectEqual([total, items[0]?.userID], [2, "bob"], 'the second manager that contains "o", and how many there are');
  },

  "members keep texts and times exactly": async (open) => {
    const store = await open(storeWorld);
    const ex = '𠮷😀\u{10ffff} "\\\n\t é e\u0301 \u202e';
    // The last millisecond that the time types of all databases can hold.
    const joinTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
    const exact = { joinTime, muteEndTime: 1, ex };
    await store.put({ groupMembers: [{ groupID: "quiet", userID: "ann", roleLevel: 20, ...exact }] });
    const [member] = (await list(store, { groupID: "quiet" })).items;
    const answered = { joinTime: member?.joinTime, muteEndTime: member?.muteEndTime, ex: member?.ex };
    expectEqual(answered, exact, "joinTime, muteEndTime and ex");
  },
};
