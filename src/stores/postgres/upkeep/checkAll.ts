/** Compares the kept data of all lists with the rows of the tables. */
import { type Finding, mostExamples, unchecked } from "../../finding.js";
import type { OnStep } from "../../steps.js";
import { isOfRow, type PostgresPool, type Queryable, run, transaction, useSchema } from "../database.js";
import { allLists, type ListSql } from "../map/listSql.js";
import { distributedTables, undistribute } from "../schema/citus.js";
import { literal, raw, type Sql, sql } from "../sql.js";
import { schemaVersion, triggers } from "./migration.js";

/** A query for wrong rows. */
interface Comparison {
  problem: string;
  /** A SELECT of one column, which names each wrong row. */
  wrong: Sql;
}

/**
 * Names what is in one of two sides and not in the other. `sides` selects the columns and a change: 1 for a row that
 * should be there, -1 for a row that is there. It reads each side once, and spills to the disk where it needs memory.
 */
function difference(sides: Sql, columns: Sql, named: Sql): Sql {
  return sql`SELECT DISTINCT ${named} FROM (${sides}) sides GROUP BY ${columns} HAVING sum(change) <> 0`;
}

/** Names a list. U+0001 stands before the value by which lists are divided. */
const listName = sql`list || ' ' || translate(owner, chr(1), ' ')`;

/**
 * Compares the keys and words that lists answer, from their trees and the pending changes, with those of the rows.
 * Lists without a tree are read from their rows. Words that may have changed are not compared.
 */
function contents({ list, name }: ListSql): Comparison {
  const of = literal(list);
  // Many changes may be pending. A join spills to the disk, where a subquery would look at all of them for each row.
  const words = sql`
    SELECT found.owner, id, found.key, CASE WHEN changed.key IS NULL AND renamed.key IS NULL THEN words END AS words, change
      FROM found
        LEFT JOIN (SELECT DISTINCT owner, key FROM pending) changed ON changed.owner = found.owner AND changed.key = found.key
        LEFT JOIN (
          SELECT key FROM list_changes WHERE list = 'changed_names' UNION SELECT first FROM touched WHERE record = 'users'
          UNION SELECT unnest(firsts) FROM packed_changes WHERE record = 'users'
        ) renamed ON renamed.key = found.id`;
  const withoutWords = sql`SELECT owner, id, key, NULL, change FROM found`;
  return {
    problem: `lists of ${list} are not what the rows say`,
    wrong: sql`
      WITH kept AS MATERIALIZED (
        SELECT lists.owner, tree.* FROM lists CROSS JOIN LATERAL kept_list(list, owner) tree
          WHERE lists.list = ${of} AND tree.total IS NOT NULL
      ), pending AS MATERIALIZED (
        SELECT kept.owner, waiting.key, waiting.change
          FROM kept CROSS JOIN LATERAL waiting(${of}, kept.owner, kept.since, kept.unfinished, kept.touched, kept.is_packed) waiting
      ), found AS (
        SELECT listed.owner, listed.id, listed.key, searched_words(listed.id, listed.name) AS words, 1 AS change
          FROM list_rows listed JOIN kept ON kept.owner = listed.owner WHERE listed.list = ${of}
        UNION ALL
        SELECT node.owner, key_id(${of}, entry.key), entry.key, coalesce(entry.words, ''), -1
          FROM list_nodes node JOIN kept ON kept.owner = node.owner
            CROSS JOIN LATERAL unnest(node.entries, string_to_array(node.words, chr(10))) entry (key, words)
          WHERE node.list = ${of} AND node.level = 1
      )
      ${difference(
        sql`
          SELECT ${of} AS list, listed.* FROM (${name === undefined ? withoutWords : words}) listed (owner, id, key, words, change)
          UNION ALL SELECT ${of}, owner, key_id(${of}, key), key, NULL, -change FROM pending`,
        sql`list, owner, id, key, words`,
        sql`${listName} || coalesce(': ' || id, '')`,
      )}`,
  };
}

const trees: readonly Comparison[] = [
  {
    // What a list says of its root, and a node of its children, beside what these are.
    problem: "lists and nodes do not count what is below them",
    wrong: difference(
      sql`
        SELECT list, owner, height AS level, '' AS start, total, 1 AS change FROM lists
        UNION ALL
        SELECT node.list, node.owner, node.level - 1, child.start, child.total, 1
          FROM list_nodes node CROSS JOIN LATERAL unnest(node.entries, node.totals) child (start, total) WHERE node.level > 1
        UNION ALL
        SELECT list, owner, level, start, coalesce((SELECT sum(total) FROM unnest(totals) total), cardinality(entries)), -1
          FROM list_nodes`,
      sql`list, owner, level, start, total`,
      listName,
    ),
  },
  {
    problem: "keys are not in their order",
    wrong: sql`
      SELECT DISTINCT ${listName} FROM (
          SELECT found.*, lead(found.start) OVER (PARTITION BY found.list, found.owner, found.level ORDER BY found.start) AS stop
            FROM list_nodes found
        ) node
        WHERE EXISTS (
          SELECT FROM (
              SELECT entry, lag(entry) OVER (ORDER BY place) AS before FROM unnest(node.entries) WITH ORDINALITY entries (entry, place)
            ) entries
            WHERE entry <= before OR entry < node.start OR entry >= node.stop)`,
  },
];

const comparisons: readonly Comparison[] = [
  {
    problem: "triggers are missing or disabled",
    wrong: sql`
      SELECT expected.relation || ': ' || expected.name
        FROM unnest(${triggers.map(({ table }) => table)}::text[], ${triggers.map(({ trigger }) => trigger)}::text[])
          AS expected (relation, name)
          JOIN pg_class stored ON stored.relname = expected.relation AND stored.relkind = 'r'
            AND stored.relnamespace = quote_ident(current_schema())::regnamespace
        WHERE NOT EXISTS (
          SELECT FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
            WHERE tgname = expected.name AND tgenabled IN ('O', 'A') AND relname = expected.relation
              AND relnamespace = quote_ident(current_schema())::regnamespace)`,
  },
  {
    problem: "records cannot be looked up, and their lists fail",
    wrong: sql`SELECT concat_ws(' ', record, first, second) || ': ' || problem FROM touched WHERE problem IS NOT NULL`,
  },
  {
    problem: "functions look for their tables in a schema that was called otherwise, and writes fail",
    wrong: sql`
      SELECT proname FROM pg_proc WHERE pronamespace = quote_ident(current_schema())::regnamespace
        AND EXISTS (
          SELECT FROM unnest(proconfig) setting
            WHERE starts_with(setting, 'search_path=') AND setting <> 'search_path=' || quote_ident(current_schema()) || ', pg_temp')`,
  },
  ...allLists.map(contents),
  ...trees,
];

/**
 * Runs all checks in one snapshot; without problems, it returns an empty array. It writes nothing, and others may write
 * meanwhile.
 */
export async function checkLists(pool: PostgresPool, schema: Sql, onCheck: OnStep = () => {}): Promise<Finding[]> {
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
      const distributed = await distributedTables(connection, schema);
      if (distributed !== undefined) return [unmendable(distributed, undistribute)];
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
        await run(connection, sql`SAVEPOINT comparison`);
        try {
          const rows = await run(
            connection,
            sql`
              SELECT (count(*) OVER ())::text AS count, named FROM (${wrong}) AS wrong (named)
                ORDER BY named LIMIT ${mostExamples}`,
          );
          const examples = rows.map(({ named }) => String(named));
          if (rows.length > 0) findings.push({ kind: "wrong", problem, count: Number(rows[0]?.["count"]), examples });
        } catch (error) {
          // An expression of a map may fail for a row. Whatever else fails keeps all comparisons from being right.
          if (!isOfRow(error)) throw error;
          await run(connection, sql`ROLLBACK TO SAVEPOINT comparison`);
          const { code } = error as { code?: unknown };
          findings.push(
            unchecked(`the check whether ${problem}`, new Error(`a row cannot be read (SQLSTATE ${code})`)),
          );
        }
        onCheck(index + 1, comparisons.length);
      }
      return findings;
    },
    raw("REPEATABLE READ READ ONLY"),
  );
}

/** Finds what the installed map must not read, because it is not as it was when the map was installed. */
export async function changedObjects(queryable: Queryable, schema: Sql): Promise<Finding[]> {
  const rows = await run(
    queryable,
    sql`
      SELECT name, problem FROM ${schema}.changed_objects() UNION SELECT name, problem FROM ${schema}.changed_columns()
        ORDER BY name`,
  );
  return rows.map(({ name, problem }) => unmendable(`${name} ${problem}`, "install a map anew: im-admin tables"));
}

function unmendable(problem: string, advice: string): Finding {
  return { kind: "unmendable", problem, count: 1, advice };
}
