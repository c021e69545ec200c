import type pg from "pg";
import { recordNames } from "../../../src/records.js";
import { quoted } from "../../../src/stores/postgres/sql.js";
import { migration } from "../../../src/stores/postgres/upkeep/migration.js";
import { snakeCase } from "../../../src/stores/snakeCase.js";

/** Settings of a host's sessions, roles or database that change the meaning of statements. */
export const oddSettings =
  `array_nulls=off check_function_bodies=off DateStyle=German from_collapse_limit=1 geqo_threshold=2
  jit_above_cost=0 join_collapse_limit=1 min_parallel_table_scan_size=0
  parallel_setup_cost=0 parallel_tuple_cost=0 plan_cache_mode=force_custom_plan
  plpgsql.extra_errors=all plpgsql.variable_conflict=use_column search_path=elsewhere
  standard_conforming_strings=off transform_null_equals=on work_mem=64kB`.replace(/\S+=/g, "-c $&");

/** Words that our own statements use for columns, parameters, tables and aliases. */
export const someWords = `asked_owner levels key keyword item items piece total list owner start stop
  version pending kept place member entry entries profile settled user_id nickname`.split(/\s+/);

const systemColumns = ["ctid", "tableoid", "xmin", "xmax"];

/** All words that our own statements consist of. */
export function allWords(): string[] {
  const statements = migration(quoted("im_admin")).text;
  return [...new Set(statements.match(/\b[a-z_]+\b/g))].filter((word) => !systemColumns.includes(word));
}

/** Gives each table a column for each of some words, whose meaning that might change. */
export async function addOddColumns(pool: pg.Pool, words: readonly string[]): Promise<void> {
  const columns = words.map((word) => `ADD COLUMN IF NOT EXISTS "${word}" text DEFAULT 'odd'`);
  for (const table of recordNames.map(snakeCase)) await pool.query(`ALTER TABLE im_admin.${table} ${columns}`);
}
