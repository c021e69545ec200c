/**
 * Each way of searching for a keyword in SQLite, whichever the store would choose. The figures stand beside the numbers
 * of src/stores/sqlite/search/plan.ts, and in docs/performance.md.
 */
import { betterSqlite3 } from "../../src/stores/drivers/betterSqlite3.js";
import { openFileDatabase } from "../../src/stores/drivers/fileDatabase.js";
import type { Row, SqlDatabase } from "../../src/stores/sqlite/database.js";
import { pageReader } from "../../src/stores/sqlite/reads.js";
import { searchGroupMembers } from "../../src/stores/sqlite/search/members.js";
import { measureCalls } from "../measure.js";
import { largeGroup, userID } from "../scale.js";
import type { Trial } from "../trial.js";
import { pathOf } from "../world.js";

/** What the store learns of a keyword before it chooses a way, and the levels of the search. */
interface Forced {
  learned(row: Row, keyword: string): Row[];
  roleLevels?: number[];
}

const ways: Readonly<Record<string, Forced>> = {
  /** Few enough candidates to verify them. Of a keyword with trigrams there are enough that further words narrow them. */
  candidates: { learned: (row, keyword) => [{ ...row, candidates: keyword.length < 3 ? 1 : 301 }] },
  /** Too many candidates: the total comes from the index if that is exact. */
  counted: { learned: (row) => [{ ...row, candidates: 1e9 }] },
  /** Too many candidates, and levels, which the index does not know. */
  look: { learned: (row) => [{ ...row, candidates: 1e9 }], roleLevels: [20, 60, 100] },
  /** No documents. */
  rows: { learned: () => [] },
};

/** The database, which tells a search something else about its keyword. */
function forcing(database: SqlDatabase, { learned }: Forced, keyword: string): SqlDatabase {
  return {
    ...database,
    async read(statements) {
      const [rows = [], ...others] = await database.read(statements);
      const [row] = rows;
      return row !== undefined && "candidates" in row ? [learned(row, keyword), ...others] : [rows, ...others];
    },
  };
}

const keywords = [
  ["2000", "everybody", ["look", "candidates", "rows"]],
  ["王", "one character, common", ["counted", "look", "candidates", "rows"]],
  ["晓东", "two characters", ["candidates", "look", "rows"]],
  [userID(12_345), "one userID", ["candidates", "look", "rows"]],
] as const;

export const searchWayTrials: Trial[] = keywords.map(([keyword, finds, contestants]) => ({
  name: `ways to find "${keyword}" (${finds}): first page of 20`,
  contestants,
  databases: ["imAdmin orderly"],
  unit: "ms",
  async measure(contestant, world) {
    const way = ways[contestant];
    if (way === undefined) throw new Error(`there is no way ${contestant}`);
    const { roleLevels } = way;
    const query = { groupID: largeGroup, keyword, offset: 0, limit: 20, ...(roleLevels && { roleLevels }) };
    const database = forcing(openFileDatabase(betterSqlite3, { path: pathOf(world, "imAdmin orderly") }), way, keyword);
    return measureCalls(() => searchGroupMembers(pageReader(database), query), world.milliseconds);
  },
}));
