import { openSqliteStore } from "../../../../src/stores/drivers/sqlite.js";

/** The number of members of the group `big`. */
export const bigGroupMembers = 200_000;

/** Fills a database with a group so large that its list is taller than an element may be. */
export async function fillBigGroup(path: string, rows = bigGroupMembers): Promise<void> {
  const store = openSqliteStore({ path });
  const groups = [{ groupID: "big", groupName: "Everybody" }];
  await store.put({ users: users(rows), groups, groupMembers: members(rows) });
  await store.close();
}

/** The ID of the member in a row, from 1: `u000001` and so on. */
export function memberInRow(row: number): string {
  return `u${String(row).padStart(6, "0")}`;
}

function* users(rows: number) {
  yield { userID: "imAdmin", appMangerLevel: 2 };
  for (let row = 1; row <= rows; row++) {
    yield { userID: memberInRow(row), nickname: row % 1_000 === 0 ? `李 ${row}` : `Member ${row}` };
  }
}

/** One owner, ten administrators, and members, in the order of their joining. */
function* members(rows: number) {
  for (let row = 1; row <= rows; row++) {
    const roleLevel = row === 1 ? 100 : row <= 11 ? 60 : 20;
    yield { groupID: "big", userID: memberInRow(row), roleLevel, joinTime: 1_700_000_000_000 + row };
  }
}
