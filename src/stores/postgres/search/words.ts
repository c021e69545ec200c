/**
 * The indexes that find keywords. Trigrams, where the extension pg_trgm can be had, find what has three letters or digits
 * of ASCII next to each other; grams of our own, one or two characters beyond ASCII, find names in Chinese. What an index
 * finds is looked at again, so that it need not be exact.
 */
import { raw, type Sql, sql } from "../sql.js";

/** What is indexed of a member, and of a profile, which stands for a member without a nickname. */
export const memberWords = (alias = "") => sql`lower(${raw(alias)}user_id || E'\\x1f' || ${raw(alias)}nickname)`;
export const profileWords = (alias = "") => sql`lower(${raw(alias)}nickname)`;

const indexed = [
  { table: "group_members", words: memberWords() },
  { table: "users", words: profileWords() },
] as const;

/** The characters beyond ASCII of a text, and each two that are next to each other; some more than once. */
export const gramsRoutine: Sql = sql`
  CREATE OR REPLACE FUNCTION grams(words text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path FROM CURRENT
  AS $body$
    DECLARE
      found text[] := '{}';
      own text;
      previous text := '';
    BEGIN
      IF octet_length(words) = length(words) THEN RETURN found; END IF;
      FOREACH own IN ARRAY string_to_array(words, NULL) LOOP
        IF octet_length(own) > 1 THEN
          found := found || own;
          IF octet_length(previous) > 1 THEN found := found || (previous || own); END IF;
        END IF;
        previous := own;
      END LOOP;
      RETURN found;
    END
  $body$`;

export const gramIndexes: readonly Sql[] = indexed.map(
  ({ table, words }) =>
    sql`CREATE INDEX IF NOT EXISTS ${raw(table)}_grams ON ${raw(table)} USING gin (grams(${words}))`,
);

/** The indexes of trigrams; `operators` is the extension's class of operators. */
export const trigramIndexes = (operators: Sql): Sql[] =>
  indexed.map(
    ({ table, words }) =>
      sql`CREATE INDEX IF NOT EXISTS ${raw(table)}_trigrams ON ${raw(table)} USING gin (${words} ${operators})`,
  );

/** The names of the indexes of a table, which may not all be there. */
export function searchIndexes(table: string): string[] {
  return indexed.filter((one) => one.table === table).flatMap(() => [`${table}_grams`, `${table}_trigrams`]);
}
