/** The large group, in which 16 writers give members other join times, one row a transaction. */
import type pg from "pg";
import { createPostgresStore } from "../../../src/stores/postgres/index.js";
import { measureCalls } from "../../measure.js";
import { seededRandom } from "../../random.js";
import { largeGroup, type Scale, userID } from "../../scale.js";
import type { Trial } from "../../trial.js";
import { pageOffsets } from "../../trials/reads.js";
import { overHost, poolOf, warm } from "../build.js";
import { memberColumns } from "../offset.js";

const limit = 20;
const writers = 16;

/** Writes until it is told to end; gives how many rows it has written. */
export async function keepWriting(pool: pg.Pool, schema: string, scale: Scale, isOver: () => boolean, seed: number) {
  const random = seededRandom(seed);
  let written = 0;
  while (!isOver()) {
    await pool.query(`UPDATE ${schema}.group_members SET join_time = $1 WHERE group_id = $2 AND user_id = $3`, [
      Date.UTC(2020, 0, 1) + random.below(scale.members) * 60_000,
      largeGroup,
      userID(random.below(scale.members)),
    ]);
    written += 1;
  }
  return written;
}

type Read = (pool: pg.Pool, schema: string, offset: number) => Promise<unknown>;

const ours: Read = (pool, schema, offset) =>
  createPostgresStore({ pool, schema }).listGroupMembers({ groupID: largeGroup, keyword: "", offset, limit });

/** The most that a page can be fast: without a total, from the beginning of an index on. */
const firstByKey: Read = (pool, schema) => {
  const text = `SELECT ${memberColumns} FROM ${schema}.group_members page
    LEFT JOIN ${schema}.users profile ON profile.user_id = page.user_id WHERE page.group_id = $1 AND page.role_level = 20
    ORDER BY page.join_time, page.user_id LIMIT ${limit}`;
  return pool.query({ name: "page", text, values: [largeGroup] });
};

const contestants: Readonly<Record<string, { read: Read; schema: string; writers: number }>> = {
  "first page by its key": { read: firstByKey, schema: "plain", writers: 0 },
  "im-admin": { read: ours, schema: "im_admin", writers: 0 },
  "im-admin, over a host's tables": { read: ours, schema: overHost.schema, writers: 0 },
  "first page by its key, while 16 write": { read: firstByKey, schema: "plain", writers },
  "im-admin, while 16 write": { read: ours, schema: "im_admin", writers },
};

export const loadTrial: Trial = {
  name: `random page of ${limit} members with the total`,
  contestants: Object.keys(contestants),
  databases: [],
  unit: "ms",
  async measure(contestant, { postgres = "", scale, milliseconds }) {
    const { read, schema, writers } = contestants[contestant] ?? { read: ours, schema: "im_admin", writers: 0 };
    const pool = poolOf(postgres, "written");
    await warm(pool, schema);
    const writing = poolOf(postgres, "written", 16);
    const offsets = pageOffsets("random", scale.members, limit);
    let isOver = false;
    const written = Promise.all(
      Array.from({ length: writers }, (_, seed) => keepWriting(writing, schema, scale, () => isOver, seed)),
    );
    const call = (index: number) => read(pool, schema, offsets[index % offsets.length] ?? 0);
    const measurement = await measureCalls(call, 3 * milliseconds);
    isOver = true;
    await written;
    await Promise.all([pool.end(), writing.end()]);
    // The rows are others each time.
    return { ...measurement, answers: "" };
  },
};
