import { expectEqual } from "../expect.js";
import type { NamedCases } from "../storeCase.js";
import { storeWorld } from "../world.js";

export const namesCases: NamedCases = {
  "if the store tells names, it tells those of the groups and users that exist": async (open) => {
    const store = await open(storeWorld);
    if (store.names === undefined) return;
    const query = { groupIDs: ["writers", "nowhere", "readers"], userIDs: ["王芳", "nameless", "nobody", "ann"] };
    const { groups, users } = await store.names(query);
    const named = groups.map(({ groupID, groupName, status, createTime }) => [groupID, groupName, status, createTime]);
    expectEqual(
      named.sort(),
      [
        ["readers", "读书会 Readers", 0, 1_687_760_000_001],
        ["writers", "Writers", 0, 0],
      ],
      "the groups readers and writers, in any order",
    );
    expectEqual(
      users.map(({ userID, nickname }) => [userID, nickname]).sort(),
      [
        ["ann", "Ann"],
        ["nameless", ""],
        ["王芳", "霍去病"],
      ],
      "the users ann, nameless and 王芳, in any order",
    );
    expectEqual(await store.names({ groupIDs: [], userIDs: [] }), { groups: [], users: [] }, "no names");
  },
};
