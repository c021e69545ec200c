/** Statements that write very many rows: their time, and how long what they appended takes to settle. */
import { settlePostgres } from "../../../src/stores/postgres/index.js";
import { largeGroup } from "../../scale.js";
import type { Trial } from "../../trial.js";
import { poolOf } from "../build.js";

const statements: readonly [name: string, (schema: string) => string][] = [
  ["all users get other nicknames", (schema) => `UPDATE ${schema}.users SET nickname = nickname || '.'`],
  [
    "all members of a large group get other places",
    (schema) => `UPDATE ${schema}.group_members SET join_time = join_time + 1 WHERE group_id = '${largeGroup}'`,
  ],
  [
    "a tenth of a large group get other places",
    (schema) =>
      `UPDATE ${schema}.group_members SET join_time = join_time + 1 WHERE group_id = '${largeGroup}' AND user_id LIKE '%7'`,
  ],
];

export const statementTrials: Trial[] = statements.map(([name, statementOf]) => ({
  name,
  contestants: ["plain", "im-admin", "to settle it"],
  databases: [],
  unit: "ms",
  async measure(contestant, { postgres = "" }) {
    const schema = contestant === "plain" ? "plain" : "im_admin";
    const pool = poolOf(postgres, "written");
    await pool.query(`VACUUM ${schema}.users; `.trim());
    const written = performance.now();
    await pool.query(statementOf(schema));
    const settled = performance.now();
    if (schema === "im_admin") await settlePostgres(pool);
    const end = performance.now();
    await pool.end();
    const value = contestant === "to settle it" ? end - settled : settled - written;
    return { value, mean: value, p99: value, calls: 1, answers: "" };
  },
}));
