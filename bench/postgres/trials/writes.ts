/** Members who join, one row a transaction, by one connection and by sixteen, in one group and in sixteen. */
import { seededRandom } from "../../random.js";
import { largeGroup } from "../../scale.js";
import type { Trial } from "../../trial.js";
import { type DatabaseName, poolOf } from "../build.js";

const contestants: Readonly<Record<string, { database: DatabaseName; schema: string }>> = {
  "without upkeep": { database: "written", schema: "plain" },
  upkeep: { database: "unsearched", schema: "im_admin" },
  "upkeep and search": { database: "written", schema: "im_admin" },
};

interface WriteTrial {
  name: string;
  writers: number;
  groupOf(writer: number): string;
}

const trials: readonly WriteTrial[] = [
  { name: "members join a large group, 1 writer", writers: 1, groupOf: () => largeGroup },
  { name: "members join a large group, 16 writers", writers: 16, groupOf: () => largeGroup },
  { name: "members join 16 groups, 16 writers", writers: 16, groupOf: (writer) => `joined${writer}` },
];

export const writeTrials: Trial[] = trials.map(({ name, writers, groupOf }) => ({
  name,
  contestants: Object.keys(contestants),
  databases: [],
  unit: "requests/s",
  isHeadline: true,
  async measure(contestant, { postgres = "", milliseconds }) {
    const { database, schema } = contestants[contestant] ?? { database: "written", schema: "plain" };
    const pool = poolOf(postgres, database, writers);
    const insert = (groupID: string, userID: string, joinTime: number) =>
      pool.query(
        `INSERT INTO ${schema}.group_members (group_id, user_id, role_level, join_time) VALUES ($1, $2, 20, $3)`,
        [groupID, userID, joinTime],
      );
    const took: number[] = [];
    // Sessions of a pool live long: what each plans at first is not counted.
    const start = performance.now() + 2 * milliseconds;
    const end = start + 5 * milliseconds;
    const write = async (writer: number) => {
      const random = seededRandom(writer);
      for (let number = 0; performance.now() < end; number += 1) {
        const began = performance.now();
        await insert(groupOf(writer), `joins-${writer}-${number}`, Date.UTC(2020, 0, 1) + random.below(10 ** 9));
        if (began >= start) took.push(performance.now() - began);
      }
    };
    await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
    const value = (1000 * took.length) / (performance.now() - start);
    await pool.query(`DELETE FROM ${schema}.group_members WHERE user_id LIKE 'joins-%' AND group_id = ANY ($1)`, [
      Array.from({ length: writers }, (_, writer) => groupOf(writer)),
    ]);
    await pool.end();
    const p99 = took.toSorted((left, right) => left - right)[Math.floor(took.length * 0.99)] ?? 0;
    return { value, mean: value, p99, calls: took.length, answers: "" };
  },
}));
