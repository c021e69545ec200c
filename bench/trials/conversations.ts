/** Sets one conversation for 10,000 users, who all have it already, to another value each time. */
import { openSqliteStore } from "../../src/stores/drivers/sqlite.js";
import { setByHand } from "../contestants/conversationSql.js";
import { listDatabases } from "../contestants/open.js";
import { type Call, measureCalls } from "../measure.js";
import { openConnection } from "../plain.js";
import { largeGroup, userID } from "../scale.js";
import type { Trial } from "../trial.js";
import { pathOf, type World } from "../world.js";

const conversation = {
  userIDs: Array.from({ length: 10_000 }, (_, number) => userID(number * 7)),
  conversationID: `sg_${largeGroup}`,
  groupID: largeGroup,
};

/** The stored conversations. Trials of heavy calls store others for the same users, so that each call changes them. */
const firstDuration = 2;

const contestants: Readonly<Record<string, (world: World) => Call>> = {
  "im-admin"(world) {
    const store = openSqliteStore({ path: pathOf(world, "imAdmin orderly") });
    return async (index) => {
      const fields = { burnDuration: firstDuration + index };
      const result = await store.setConversations({ ...conversation, conversationType: 3, userID: "", fields });
      return result.outcome === "done" ? result.changedUserIDs.length : result.outcome;
    };
  },
  "better-sqlite3"(world) {
    const set = setByHand(openConnection(pathOf(world, "plain orderly")), conversation);
    return (index) => set(firstDuration + index);
  },
};

export const conversationsTrial: Trial = {
  name: "a conversation is set for 10,000 users",
  contestants: Object.keys(contestants),
  databases: listDatabases("orderly"),
  unit: "ms",
  async measure(contestant, world) {
    const call = contestants[contestant]?.(world);
    if (call === undefined) throw new Error(`there is no contestant ${contestant}`);
    return measureCalls(call, world.milliseconds);
  },
};
