/** Single rows, one in a transaction, by one connection and by several, in one group and in sixteen. */

import type pg from "pg";
import { settlePostgres } from "../../../src/stores/postgres/index.js";
import { type Random, seededRandom } from "../../random.js";
import { largeGroup, userID } from "../../scale.js";
import type { Trial } from "../../trial.js";
import { overHost, poolOf } from "../build.js";

/** A plain table has the indexes that pages by OFFSET need. */
const contestants: Readonly<Record<string, { schema: string; settle?: (pool: pg.Pool) => Promise<unknown> }>> = {
  plain: { schema: "plain" },
  "im-admin": { schema: "im_admin", settle: settlePostgres },
  "im-admin, over a host's tables": { schema: "host", settle: (pool) => settlePostgres(pool, overHost) },
};

type Write = (schema: string, writer: number, number: number, random: Random) => { text: string; values: unknown[] };

const join =
  (groupOf: (writer: number) => string): Write =>
  (schema, writer, number, random) => ({
    text: `INSERT INTO ${schema}.group_members (group_id, user_id, role_level, join_time) VALUES ($1, $2, 20, $3)`,
    values: [groupOf(writer), `joins-${writer}-${number}`, Date.UTC(2020, 0, 1) + random.below(10 ** 9)],
  });

const move =
  (members: number): Write =>
  (schema, _writer, _number, random) => ({
    text: `UPDATE ${schema}.group_members SET join_time = $1 WHERE group_id = $2 AND user_id = $3`,
    values: [Date.UTC(2020, 0, 1) + random.below(10 ** 9), largeGroup, userID(random.below(members))],
  });

const rename =
  (members: number): Write =>
  (schema, _writer, number, random) => ({
    text: `UPDATE ${schema}.users SET nickname = $1 WHERE user_id = $2`,
    values: [`Name ${number}`, userID(random.below(members))],
  });

interface WriteTrial {
  name: string;
  writers: number;
  writeOf(members: number): Write;
}

const trials: readonly WriteTrial[] = [
  { name: "members join a large group, 1 writer", writers: 1, writeOf: () => join(() => largeGroup) },
  { name: "members join a large group, 8 writers", writers: 8, writeOf: () => join(() => largeGroup) },
  { name: "members join 16 groups, 16 writers", writers: 16, writeOf: () => join((writer) => `joined${writer}`) },
  { name: "members of a large group get other places, 8 writers", writers: 8, writeOf: move },
  { name: "users get other nicknames, 8 writers", writers: 8, writeOf: rename },
];

export const writeTrials: Trial[] = trials.map(({ name, writers, writeOf }) => ({
  name,
  contestants: Object.keys(contestants),
  databases: [],
  unit: "requests/s",
  async measure(contestant, { postgres = "", scale, milliseconds }) {
    const { schema, settle } = contestants[contestant] ?? { schema: "plain", settle: undefined };
    const pool = poolOf(postgres, "written", writers);
    const writeOne = writeOf(scale.members);
    const took: number[] = [];
    // Sessions of a pool live long, so do not count the planning of the first calls.
    const start = performance.now() + 2 * milliseconds;
    const end = start + 5 * milliseconds;
    const write = async (writer: number) => {
      const random = seededRandom(writer);
      for (let number = 0; performance.now() < end; number += 1) {
        const began = performance.now();
        await pool.query({ name: schema, ...writeOne(schema, writer, number, random) });
        if (began >= start) took.push(performance.now() - began);
      }
    };
    await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
    const value = (1000 * took.length) / (performance.now() - start);
    await pool.query(`DELETE FROM ${schema}.group_members WHERE user_id LIKE 'joins-%'`);
    await settle?.(pool);
    await pool.end();
    const sorted = took.toSorted((left, right) => left - right);
    const p99 = sorted[Math.floor(took.length * 0.99)] ?? 0;
    const details = { p999: sorted[Math.floor(took.length * 0.999)] ?? 0 };
    return { value, mean: value, p99, calls: took.length, answers: "", details };
  },
}));
