import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { receivedGroupRequests } from "../../../src/stores/lists/groupRequests.js";
import type { SqlDatabase } from "../../../src/stores/sqlite/database.js";
import { betweenKeys } from "../../../src/stores/sqlite/pages/betweenKeys.js";
import { pageText, readPage } from "../../../src/stores/sqlite/pages/readPage.js";
import { oneByOne, received, withResults } from "../../../src/stores/sqlite/pages/receivedRequests.js";
import { pageReader } from "../../../src/stores/sqlite/reads.js";
import { createSqlStore } from "../../../src/stores/sqlite/store.js";
import { putInBulk } from "../../../src/stores/sqlite/upkeep/putInBulk.js";
import { repairLists } from "../../../src/stores/sqlite/upkeep/repair.js";
import { type Random, randomOf, rounds, seed } from "../../helpers/chance.js";
import { openSqliteDatabase, temporaryFolder } from "../../helpers/stores.js";

/** Nodes so small that forty rows have three levels of them. */
const tiny = { uncounted: 3, leaf: 8, fanout: 2 };

const managers = ["u1", "u2", "managing nothing", "managing no requests"];

function records(random: Random) {
  const below = (end: number) => Math.floor(random() * end);
  // Few times, so that many requests have the same.
  const times = 1 + below(400);
  const groups = Array.from({ length: 12 }, (_, index) => `g${index}`);
  const lengths = groups.map(() => [0, 1, 2, 7, 30, 90][below(6)] ?? 0);
  return {
    users: managers.map((userID) => ({ userID })),
    groupMembers: [
      ...groups.flatMap((groupID) => [
        { groupID, userID: "u1", roleLevel: [20, 60, 100][below(3)] ?? 60 },
        { groupID, userID: "u2", roleLevel: 100 },
        { groupID, userID: "managing nothing", roleLevel: 20 },
      ]),
      { groupID: "without requests", userID: "managing no requests", roleLevel: 100 },
    ],
    groupRequests: groups.flatMap((groupID, group) =>
      Array.from({ length: lengths[group] ?? 0 }, (_, index) => ({
        groupID,
        userID: `w${index}`,
        // Each group has its own time, which overlaps with those of some others.
        reqTime: group * below(2) * 100 + below(times),
        handleResult: below(3) - 1,
      })),
    ),
  };
}

const ways = {
  "one by one": [oneByOne(received), oneByOne(withResults)],
  "between keys": [betweenKeys(received), betweenKeys(withResults)],
} as const;

/** A function that reads a page in one of the ways. */
function reader(database: SqlDatabase, way: keyof typeof ways, results: readonly number[] | undefined) {
  const [all, some] = ways[way];
  const text = pageText(receivedGroupRequests, results === undefined ? all : some);
  const filter = results === undefined ? null : JSON.stringify(results);
  return async (owner: string, skip: number, size: number) => {
    const page = await readPage(pageReader(database), text, { offset: skip, limit: size }, { owner, filter });
    const items = JSON.parse(String(page?.items)) as { groupInfo: { groupID: string }; userInfo: { userID: string } }[];
    return [page?.total, ...items.map(({ groupInfo, userInfo }) => `${userInfo.userID} to ${groupInfo.groupID}`)];
  };
}

it.each([
  ["one by one", undefined],
  ["one by one", [0]],
  ["one by one", [1, -1]],
  ["between keys", undefined],
  ["between keys", [0]],
  ["between keys", [1, -1]],
] as const)("finds each page as a plain SELECT does, %s, of the results %s", async (way, results) => {
  for (let round = 0; round < rounds(12); round += 1) {
    const path = join(temporaryFolder(), "im.db");
    const database = openSqliteDatabase({ path });
    const store = createSqlStore(database, putInBulk(tiny), tiny);
    const connection = new BetterSqlite3(path);
    onTestFinished(async () => {
      connection.close();
      await store.close();
    });
    await repairLists(database, tiny);
    await store.put(records(randomOf(seed + round)));
    const page = reader(database, way, results);
    for (const manager of managers) {
      const expected = connection
        .prepare(`
          SELECT user_id || ' to ' || group_id FROM im_admin_group_requests
            WHERE group_id IN (
              SELECT group_id FROM im_admin_group_members WHERE user_id = ? AND role_level IN (60, 100)
            ) ${results ? `AND handle_result IN (${results})` : ""}
            ORDER BY req_time DESC, group_id, user_id`)
        .pluck()
        .all(manager);
      for (const size of [1, 7]) {
        for (let skip = 0; skip <= expected.length + size; skip += size) {
          const found = await page(manager, skip, size);
          expect([manager, skip, ...found]).toEqual([
            manager,
            skip,
            expected.length,
            ...expected.slice(skip, skip + size),
          ]);
        }
      }
    }
  }
});
