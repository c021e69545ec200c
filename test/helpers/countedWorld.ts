/** A database with tiny nodes that others write with SQL of their own, and what is wrong in it. */
import BetterSqlite3 from "better-sqlite3";
import type { Sizes } from "../../src/stores/sqlite/schema/sizes.js";
import { createSqlStore } from "../../src/stores/sqlite/store.js";
import { checkLists } from "../../src/stores/sqlite/upkeep/checkAll.js";
import { putInBulk } from "../../src/stores/sqlite/upkeep/putInBulk.js";
import { repairLists } from "../../src/stores/sqlite/upkeep/repair.js";
import { groupIDs, userIDs } from "./foreignStatements.js";
import { accounts, blacksOf, compareList, filtered, groupsOf, membersOf, readRows, requestsFor } from "./listsModel.js";
import { openSqliteDatabase } from "./stores.js";

/** Nodes so small that forty rows have three levels of them. */
const tiny: Sizes = { uncounted: 3, leaf: 8, fanout: 2 };

/** Every list, with every filter; the keywords are of one, two, and three characters. */
const keywords = ["n", "Nn", "ANN", "芳", "芳u1", "u1", "王芳", '%"', "b"];
const lists = {
  ...named(groupIDs, (groupID) => ({
    ...filtered(`members of ${groupID}`, "listGroupMembers", (filters) => membersOf(groupID, filters)),
    [`owners of ${groupID}`]: membersOf(groupID, { roleLevels: [100] }),
    [`others of ${groupID}`]: membersOf(groupID, { roleLevels: [0, 60, 20] }),
  })),
  ...named(keywords, (keyword) => ({
    [`members with ${keyword}`]: membersOf("g1", { keyword }),
    [`administrators with ${keyword}`]: membersOf("g2", { keyword, roleLevels: [60] }),
    [`accounts with ${keyword}`]: accounts({ keyword }),
    [`robots with ${keyword}`]: accounts({ keyword, appMangerLevel: 4 }),
  })),
  ...named(userIDs, (userID) => ({
    [`groups of ${userID}`]: groupsOf(userID),
    [`blacks of ${userID}`]: blacksOf(userID),
    ...filtered(`requests for ${userID}`, "listReceivedGroupRequests", (filters) => requestsFor(userID, filters)),
    [`pending requests for ${userID}`]: requestsFor(userID, { handleResults: [0] }),
  })),
  ...filtered("accounts", "listNotificationAccounts", accounts),
};

function named<Value, List>(values: readonly Value[], lists: (value: Value) => Record<string, List>) {
  return Object.assign({}, ...values.map(lists)) as Record<string, List>;
}

/** An IM server that writes the tables with SQL of its own, next to a store that answers. */
export async function openWorld(path: string, hostTriggers: readonly { sql: string; isFirst: boolean }[] = []) {
  const database = openSqliteDatabase({ path });
  const store = createSqlStore(database, putInBulk(tiny), tiny);
  const server = new BetterSqlite3(path);
  server.pragma("synchronous = OFF");
  for (const { sql, isFirst } of hostTriggers) if (isFirst) server.exec(sql);
  await repairLists(database, tiny);
  for (const { sql, isFirst } of hostTriggers) if (!isFirst) server.exec(sql);
  for (const groupID of groupIDs) server.prepare("INSERT INTO im_admin_groups (group_id) VALUES (?)").run(groupID);
  for (const userID of userIDs) server.prepare("INSERT INTO im_admin_users (user_id) VALUES (?)").run(userID);
  return {
    server,
    store,
    /** What is not as the rows say, in any list and any of what is kept. */
    async problems() {
      // A list is only answered where the user exists.
      for (const userID of userIDs)
        server.prepare("INSERT OR IGNORE INTO im_admin_users (user_id) VALUES (?)").run(userID);
      const rows = readRows(server);
      const problems: Record<string, unknown> = {};
      for (const [name, list] of Object.entries(lists)) {
        const problem = await compareList(store, rows, list, 7);
        if (problem !== undefined) problems[name] = problem;
      }
      for (const { problem, examples } of await checkLists(database, tiny)) problems[problem] = examples;
      for (const [needless, found] of Object.entries(needlessParts)) {
        const [part] = server.prepare(found).raw().all();
        if (part !== undefined) problems[needless] = part;
      }
      return problems;
    },
    async close() {
      server.close();
      await store.close();
    },
  };
}

/** What would not make an answer wrong, but slow. */
const needlessParts = {
  "a list is higher than it has to be": `SELECT * FROM im_admin_lists WHERE
    total < CASE height WHEN 1 THEN 2 WHEN 2 THEN 4 WHEN 3 THEN 8 WHEN 4 THEN 16 ELSE owner <> '' AND name NOT LIKE 'groupRequests%' END`,
  "an empty node is kept": `SELECT * FROM im_admin_list_nodes node WHERE total = 0 AND start <> '' AND NOT EXISTS (
    SELECT 1 FROM im_admin_list_nodes parent
      WHERE parent.list = node.list AND parent.level = node.level + 1 AND parent.start = node.start)`,
};
