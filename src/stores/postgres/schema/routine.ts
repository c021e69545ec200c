import { join, name, raw, type Sql, sql } from "../sql.js";

/**
 * What each function runs with, whoever calls it: names are looked up in the schema alone, and policies by which rows are
 * hidden from some users are an error, since totals and positions are those of all rows.
 */
const ownSettings = "SET search_path FROM CURRENT SET row_security = off";

/** A function of the schema, in PL/pgSQL. */
export interface Routine {
  name: string;
  /** Its parameters, those that it answers with among them, as `CREATE FUNCTION` has them. */
  parameters?: Sql;
  /** What it returns, where that is not said by its parameters. */
  returns?: Sql;
  /** `STABLE` for what reads: all that it reads is of one snapshot, that of the statement that calls it. */
  kind?: "STABLE" | "VOLATILE" | "SECURITY DEFINER";
  /** Settings at work in it, beside those that each has. */
  settings?: readonly string[];
  /** Whether only other functions call it, within their path and their settings: to set them again takes a while. */
  isInner?: boolean;
  body: Sql;
}

/** One plan for all calls, which walks indexes: lists are long, and what is known of their values is often old. */
export const indexPlans = [
  "plan_cache_mode = force_generic_plan",
  "enable_seqscan = off",
  "enable_bitmapscan = off",
  "enable_hashjoin = off",
  "enable_mergejoin = off",
  "jit = off",
] as const;

/**
 * A plan for each call, of whatever kind, within a function that has {@link indexPlans}: what it reads may be a whole list.
 * That is shared out among processes, although it may seem that they would have to hand over most of it.
 */
export const freePlans = [
  "plan_cache_mode = force_custom_plan",
  "enable_seqscan = on",
  "enable_bitmapscan = on",
  "enable_hashjoin = on",
  "enable_mergejoin = on",
  "random_page_cost = 1.1",
  "parallel_tuple_cost = 0.001",
] as const;

export function routine({
  name: own,
  parameters = raw(""),
  returns,
  kind = "VOLATILE",
  settings = [],
  isInner = false,
  body,
}: Routine) {
  const lines = [
    sql`CREATE OR REPLACE FUNCTION ${name(own)}(${parameters})`,
    ...(returns === undefined ? [] : [sql`  RETURNS ${returns}`]),
    raw(`  LANGUAGE plpgsql ${kind}${isInner ? "" : ` ${ownSettings}`}`),
    ...settings.map((setting) => raw(`  SET ${setting}`)),
    // Hosts add columns to our tables, which may be called as a variable is.
    sql`AS $body$${raw("\n#variable_conflict use_variable\n")}${body}${raw("\n")}$body$`,
  ];
  return join(lines, "\n");
}

/** A function that a trigger calls, with the rights of the schema's owner, whoever writes. */
export function triggerRoutine({ name: own, body, settings = [] }: Pick<Routine, "name" | "body" | "settings">): Sql {
  return routine({ name: own, returns: raw("trigger"), kind: "SECURITY DEFINER", settings, body });
}
