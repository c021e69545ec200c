/** The words of the index for short keywords beyond ASCII. */
import { literal, type Sql, sql } from "../sql.js";

/**
 * A long text is split into chunks of so many characters first, since finding single characters in a long text is slow.
 */
const chunkLength = 64;

/** Characters with which texts often begin and end. They are trimmed first, which is fast. */
const oftenAscii = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_- ";

/** The characters of a text beyond ASCII, and pairs of them, as words; "" if there are none. */
export function gramsOf(text: Sql): Sql {
  const isBeyond = (character: Sql) => sql`unicode(${character}) > 127`;
  return sql`
    coalesce((
      WITH RECURSIVE chunks (chunk, rest) AS (
        SELECT '', trim(${text}, ${literal(oftenAscii)})
        UNION ALL
        SELECT substr(rest, 1, ${literal(chunkLength + 1)}), substr(rest, ${literal(chunkLength + 1)})
          FROM chunks WHERE rest <> ''
      ), pairs (pair, rest) AS (
        SELECT substr(chunk, 1, 2), substr(chunk, 2) FROM chunks
        UNION ALL
        SELECT substr(rest, 1, 2), substr(rest, 2) FROM pairs WHERE rest <> ''
      )
      SELECT group_concat(CASE WHEN ${isBeyond(sql`substr(pair, 2)`)}
          THEN substr(pair, 1, 1) || ' ' || pair ELSE substr(pair, 1, 1) END, ' ')
        FROM pairs WHERE ${isBeyond(sql`pair`)}
    ), '')`;
}

/** Whether a document has characters beyond ASCII. */
export const isBeyondAscii = sql`length(text) <> length(CAST(text AS BLOB))`;
