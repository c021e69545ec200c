/** Compares all that a schema keeps for the lists with the rows of its tables. */
import type { Finding, OnCheck } from "../../finding.js";
import { type PostgresPool, run, transaction, useSchema } from "../database.js";
import { type Comparison, nodeComparisons } from "../nodes/check.js";
import { receivedComparisons } from "../received/check.js";
import { schemaVersion } from "../schema/migrate.js";
import { triggerNames } from "../schema/schema.js";
import { documentComparisons } from "../search/check.js";
import { raw, type Sql, sql } from "../sql.js";

const comparisons: readonly Comparison[] = [
  {
    problem: "triggers are missing or disabled",
    wrong: sql`
      SELECT expected.name FROM unnest(${triggerNames}::text[]) AS expected (name)
        WHERE NOT EXISTS (
          SELECT FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
            WHERE tgname = expected.name AND tgenabled IN ('O', 'A') AND relnamespace = current_schema()::regnamespace)`,
  },
  ...nodeComparisons,
  ...receivedComparisons,
  ...documentComparisons,
];

/**
 * Looks at everything, in one snapshot: empty where all of it is right. It writes nothing, and others may write
 * meanwhile.
 */
export async function checkLists(pool: PostgresPool, schema: Sql, onCheck: OnCheck = () => {}): Promise<Finding[]> {
  return transaction(
    pool,
    async (connection) => {
      const [found] = await run(
        connection,
        sql`SELECT to_regclass(${`${schema.text}.schema_version`})::text AS version`,
      );
      if (found?.["version"] === null) {
        const advice = "migrate it, or name the schema that has the tables";
        return [unmendable(`the schema ${schema.text} has no tables of im-admin`, advice)];
      }
      await useSchema(connection, schema);
      const [row] = await run(connection, sql`SELECT version::text FROM schema_version`);
      const version = Number(row?.["version"]);
      if (version !== schemaVersion) {
        const problem = `the schema has version ${version}, and this im-admin checks version ${schemaVersion}`;
        return [{ kind: "unchecked", problem, count: 1 }];
      }
      const findings: Finding[] = [];
      for (const [index, { problem, wrong }] of comparisons.entries()) {
        const [result] = await run(
          connection,
          sql`SELECT count(*)::text AS count, min(named) AS example FROM (${wrong}) AS wrong (named)`,
        );
        const count = Number(result?.["count"]);
        if (count > 0) findings.push({ kind: "wrong", problem, count, example: String(result?.["example"]) });
        onCheck(index + 1, comparisons.length);
      }
      return findings;
    },
    raw("REPEATABLE READ READ ONLY"),
  );
}

function unmendable(problem: string, advice: string): Finding {
  return { kind: "unmendable", problem, count: 1, advice };
}
