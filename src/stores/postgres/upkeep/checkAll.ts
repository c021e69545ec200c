/** Compares the kept data of all lists with the rows of the tables. */
import type { Finding, OnCheck } from "../../finding.js";
import { type PostgresPool, type Queryable, run, transaction, useSchema } from "../database.js";
import { schemaVersion, triggers } from "../schema/migration.js";
import { raw, type Sql, sql } from "../sql.js";

/** A query for wrong rows. */
interface Comparison {
  problem: string;
  /** A SELECT of one column, which names each wrong row. */
  wrong: Sql;
}

/** Lists that are read from their trees. */
const trusted = sql`
  SELECT kept.list, kept.owner, tree.since, tree.unfinished FROM lists kept
    CROSS JOIN LATERAL kept_list(kept.list, kept.owner) tree WHERE tree.total IS NOT NULL`;

/** The keys of all trees with pending changes, as lists answer them. */
const answered = sql`
  SELECT found.list, found.owner, found.key FROM (
      SELECT node.list, node.owner, entry.key, 1 AS change FROM list_nodes node
        CROSS JOIN LATERAL unnest(node.entries) entry (key)
        WHERE node.level = 1 AND NOT EXISTS (
          SELECT FROM list_doubts doubt WHERE doubt.list = node.list AND doubt.owner IN (node.owner, chr(1)))
      UNION ALL
      SELECT kept.list, kept.owner, appended.key, appended.change FROM (${trusted}) kept
        CROSS JOIN LATERAL pending(kept.list, kept.owner, kept.since, kept.unfinished) appended
    ) found GROUP BY found.list, found.owner, found.key HAVING sum(found.change) <> 0`;

const expected = sql`
  SELECT listed.list, listed.owner, listed.key FROM list_rows listed
    JOIN (${trusted}) kept ON kept.list = listed.list AND kept.owner = listed.owner`;

const comparisons: readonly Comparison[] = [
  {
    problem: "triggers are missing or disabled",
    wrong: sql`
      SELECT expected.relation || ': ' || expected.name
        FROM unnest(${triggers.map(({ table }) => table)}::text[], ${triggers.map(({ trigger }) => trigger)}::text[])
          AS expected (relation, name)
          JOIN pg_class stored ON stored.relname = expected.relation AND stored.relkind = 'r'
            AND stored.relnamespace = current_schema()::regnamespace
        WHERE NOT EXISTS (
          SELECT FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
            WHERE tgname = expected.name AND tgenabled IN ('O', 'A') AND relname = expected.relation
              AND relnamespace = current_schema()::regnamespace)`,
  },
  {
    problem: "triggers could not tell what was written, and lists are read slowly",
    wrong: sql`SELECT problem FROM list_doubts WHERE problem IS NOT NULL`,
  },
  {
    problem: "functions look for their tables in a schema that was called otherwise, and writes fail",
    wrong: sql`
      SELECT proname FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
        AND EXISTS (
          SELECT FROM unnest(proconfig) setting
            WHERE starts_with(setting, 'search_path=') AND setting <> 'search_path=' || quote_ident(current_schema()) || ', pg_temp')`,
  },
  {
    problem: "lists are not what the rows say",
    wrong: sql`
      SELECT owner FROM (
          (${answered} EXCEPT ALL ${expected})
          UNION ALL (${expected} EXCEPT ALL ${answered})
        ) different`,
  },
  {
    problem: "lists have a wrong total",
    wrong: sql`
      SELECT kept.owner FROM lists kept LEFT JOIN (
          SELECT list, owner, sum(cardinality(entries)) AS total FROM list_nodes WHERE level = 1 GROUP BY list, owner
        ) leaves ON leaves.list = kept.list AND leaves.owner = kept.owner
        WHERE kept.total IS DISTINCT FROM leaves.total`,
  },
  {
    problem: "nodes do not count what is below them",
    wrong: sql`
      SELECT coalesce(node.owner, child.owner) FROM (
          SELECT above.list, above.owner, above.level, child.start, child.total
            FROM list_nodes above CROSS JOIN LATERAL unnest(above.entries, above.totals) child (start, total) WHERE above.level > 1
        ) child FULL JOIN (
          SELECT below.*, coalesce((SELECT sum(total) FROM unnest(below.totals) total), cardinality(below.entries)) AS total
            FROM list_nodes below
            WHERE below.level < coalesce((
              SELECT kept.height FROM lists kept WHERE kept.list = below.list AND kept.owner = below.owner), 0)
        ) node ON node.list = child.list AND node.owner = child.owner AND node.level = child.level - 1 AND node.start = child.start
        WHERE node.total IS DISTINCT FROM child.total`,
  },
  {
    problem: "keys are not in their order",
    wrong: sql`
      SELECT node.owner FROM (
          SELECT found.*, lead(found.start) OVER (PARTITION BY found.list, found.owner, found.level ORDER BY found.start) AS stop
            FROM list_nodes found
        ) node
        WHERE EXISTS (
          SELECT FROM (
              SELECT entry, lag(entry) OVER (ORDER BY place) AS before FROM unnest(node.entries) WITH ORDINALITY entries (entry, place)
            ) entries
            WHERE entry <= before OR entry < node.start OR entry >= node.stop)`,
  },
  {
    problem: "trees belong to no list, or have more than one root",
    wrong: sql`
      SELECT coalesce(root.owner, kept.owner) FROM lists kept FULL JOIN (
          SELECT list, owner, max(level) AS height, (array_agg(count ORDER BY level DESC))[1] AS count, bool_or(start = '') AS begins FROM (
              SELECT list, owner, level, min(start) AS start, count(*) AS count FROM list_nodes GROUP BY list, owner, level
            ) levels GROUP BY list, owner
        ) root ON root.list = kept.list AND root.owner = kept.owner AND root.height = kept.height
        WHERE (root.count = 1 AND kept.height >= 1 AND root.begins) IS NOT TRUE`,
  },
  {
    problem: "words are not what members, profiles and accounts say",
    wrong: sql`
      SELECT different.owner FROM (
          SELECT node.list, node.owner, entry.key, coalesce(entry.words, '')
            FROM list_nodes node CROSS JOIN LATERAL unnest(node.entries, string_to_array(node.words, chr(10))) entry (key, words)
            WHERE node.level = 1 AND is_searched(node.list)
          EXCEPT
          SELECT listed.list, listed.owner, listed.key, searched_words(listed.id, listed.name) FROM list_rows listed
            WHERE is_searched(listed.list)
        ) different
          JOIN (${trusted}) kept ON kept.list = different.list AND kept.owner = different.owner
        WHERE NOT EXISTS (
            SELECT FROM list_changes pending
              WHERE pending.list = different.list AND pending.owner = different.owner AND pending.key = different.key)
          AND NOT EXISTS (
            SELECT FROM list_changes doubt
              WHERE doubt.list = 'changed_names' AND doubt.owner = '' AND doubt.key = key_id(different.list, different.key))`,
  },
];

/**
 * Runs all checks in one snapshot; without problems, it returns an empty array. It writes nothing, and others may write
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
      const [row] = await run(connection, sql`SELECT max(version)::text AS version FROM schema_version`);
      const version = Number(row?.["version"]);
      if (version !== schemaVersion) {
        const problem = `the schema has version ${version}, and this im-admin checks version ${schemaVersion}`;
        return [{ kind: "unchecked", problem, count: 1 }];
      }
      const changed = await changedObjects(connection, schema);
      if (changed.length > 0) return changed;
      const findings: Finding[] = [];
      for (const [index, { problem, wrong }] of comparisons.entries()) {
        const [result] = await run(
          connection,
          sql`SELECT count(*)::text AS count, min(named) AS example FROM (${wrong}) AS wrong (named)`,
        );
        const count = Number(result?.["count"]);
        if (count > 0) findings.push({ kind: "wrong", problem, count, examples: [String(result?.["example"])] });
        onCheck(index + 1, comparisons.length);
      }
      return findings;
    },
    raw("REPEATABLE READ READ ONLY"),
  );
}

/** Finds what the installed map must not read, because it is not as it was when the map was installed. */
export async function changedObjects(queryable: Queryable, schema: Sql): Promise<Finding[]> {
  const rows = await run(queryable, sql`SELECT DISTINCT name, problem FROM ${schema}.changed_objects() ORDER BY name`);
  return rows.map(({ name, problem }) => unmendable(`${name} ${problem}`, "install a map anew: im-admin tables"));
}

function unmendable(problem: string, advice: string): Finding {
  return { kind: "unmendable", problem, count: 1, advice };
}
