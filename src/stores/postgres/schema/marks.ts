/**
 * Marks of rows, which tell when something is over: whoever has a later number than the transaction that has marked a row
 * began to write after that. When all others are over, nobody is left who may not have seen the row.
 */
import { type Sql, sql } from "../sql.js";

/** Marks rows by an UPDATE, in a block of its own: so they get a transaction number that is new by now. */
export const marked = (update: Sql): Sql => sql`
  BEGIN
    ${update};
  EXCEPTION WHEN assert_failure THEN
    NULL;
  END;`;

/**
 * Whether each transaction is over that is not later than the one that has written a row last, by the row's xmin as a
 * number. The numbers of rows begin anew after 2^32: one is less than another that is at most 2^31 ahead of it.
 */
export const isMarkOld = (number: Sql): Sql => sql`
  ((pg_snapshot_xmin(pg_current_snapshot())::text::bigint - ${number}) & 4294967295 BETWEEN 1 AND 2147483648)`;
