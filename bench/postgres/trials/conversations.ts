/** Sets one conversation for 10,000 users, who all have it already, to another value each time. */
import type pg from "pg";
import { createPostgresStore } from "../../../src/stores/postgres/index.js";
import { measureCalls } from "../../measure.js";
import { largeGroup, userID } from "../../scale.js";
import type { Trial } from "../../trial.js";
import { poolOf } from "../build.js";

const conversation = {
  userIDs: Array.from({ length: 10_000 }, (_, number) => userID(number * 7)),
  conversationID: `sg_${largeGroup}`,
  conversationType: 3 as const,
  userID: "",
  groupID: largeGroup,
};

type Set = (pool: pg.Pool, burnDuration: number) => Promise<unknown>;

const contestants: Readonly<Record<string, Set>> = {
  async "im-admin"(pool, burnDuration) {
    const result = await createPostgresStore({ pool }).setConversations({ ...conversation, fields: { burnDuration } });
    return result.outcome === "done" ? result.changedUserIDs.length : result.outcome;
  },
  /** Neither users nor contradictions are looked for. */
  async "one upsert"(pool, burnDuration) {
    const { userIDs, conversationID, groupID } = conversation;
    const { rows } = await pool.query(
      `INSERT INTO plain.conversations AS stored (owner_user_id, conversation_id, conversation_type, group_id, burn_duration)
        SELECT id, $2, 3, $3, $4 FROM unnest($1::text[]) AS owners (id) ORDER BY id
        ON CONFLICT (owner_user_id, conversation_id) DO UPDATE SET burn_duration = excluded.burn_duration
        RETURNING owner_user_id`,
      [userIDs, conversationID, groupID, burnDuration],
    );
    return rows.length;
  },
};

export const conversationsTrial: Trial = {
  name: "a conversation is set for 10,000 users",
  contestants: Object.keys(contestants),
  databases: [],
  unit: "ms",
  async measure(contestant, { postgres = "", milliseconds }) {
    const set = contestants[contestant];
    if (set === undefined) throw new Error(`there is no contestant ${contestant}`);
    const pool = poolOf(postgres, "written");
    const first = Math.floor(Date.now() / 1000) % 10 ** 9;
    const measurement = await measureCalls((index) => set(pool, first + index), 3 * milliseconds);
    await pool.end();
    return measurement;
  },
};
