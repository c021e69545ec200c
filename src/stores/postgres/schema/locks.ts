import { raw, type Sql, sql } from "../sql.js";

/**
 * Locks tables, or ends the function with an answer where others have locked them. Who truncates or repairs several tables
 * may have one and wait for us with the next: what is to be done is left to others then.
 */
export const lockedOrReturn = (tables: Sql, mode: "ACCESS SHARE" | "ROW EXCLUSIVE", answer: Sql): Sql => sql`
  BEGIN
    LOCK TABLE ${tables} IN ${raw(mode)} MODE NOWAIT;
  EXCEPTION WHEN lock_not_available THEN
    RETURN ${answer};
  END;`;
