/**
 * Ways to write what the planner may otherwise turn around. It goes by what it knows of a table, which may be from a time
 * when there was nothing in it; it would then compare each row of one with each row of another.
 */
import { raw, type Sql, sql } from "../sql.js";

/** What belongs to each row of what stands before it, looked up for that row. It may end with what is to be locked. */
export const eachOf = (select: Sql, end: Sql = raw("OFFSET 0")): Sql => sql`LATERAL (
  ${select} ${end})`;

/** One of some values, which are looked up once, to find rows by them in an index. */
export const anyOf = (select: Sql): Sql => sql`ANY (ARRAY (${select}))`;
