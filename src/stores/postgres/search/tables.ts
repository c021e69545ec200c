/**
 * What the database keeps of the members of large groups, so that a keyword is found without a look at all of them: a
 * document for each, with the userID and the nickname that the member is answered with, in small letters. Its key is that
 * of the member in the list of the group. One without words stands for a long nickname, and the member is looked at.
 *
 * Writers make no documents. Who writes a member appends a change to the list, as for its nodes (see nodes/tables.ts):
 * one of nothing where only the nickname is another. Who writes a profile says in `profile_doubts` whose it is. A fold,
 * which has the list for itself, makes the documents of the keys anew whose changes it takes. In every snapshot
 *
 *   documents = members with their profiles, but for keys with pending changes, and for users in doubt,
 *
 * and who searches looks at those members themselves. Doubts are settled by one at a time, who appends a change of nothing
 * for each member whom they are about. He does not see members whose transactions are under way; and a fold that is under
 * way may have made a document from the old profile. So a doubt is settled when every transaction is over that may not
 * have seen it, as those of managers are (see received/tables.ts).
 *
 * A group that grows large gets its documents in the order of the list, some with each fold, up to `documented_before`;
 * until it has them all, its members are looked at.
 */
import { digitsOf } from "../../lists/keyRanges.js";
import { countedLists } from "../nodes/counted.js";
import { literal, raw, type Sql, sql } from "../sql.js";

/** The list whose entries have documents. */
export const members = countedLists.groupMembers;

export const documentTables: readonly Sql[] = [
  sql`
    CREATE TABLE IF NOT EXISTS documents (
      group_id text COLLATE "C" NOT NULL,
      key text COLLATE "C" NOT NULL,
      words text COLLATE "C",
      PRIMARY KEY (group_id, key)
    ) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02)`,
  sql`
    CREATE TABLE IF NOT EXISTS searched_groups (
      group_id text COLLATE "C" PRIMARY KEY,
      documented_before text COLLATE "C" NOT NULL
    )`,
  sql`
    CREATE TABLE IF NOT EXISTS profile_doubts (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      user_ids text[] COLLATE "C" NOT NULL,
      made_by xid8 NOT NULL DEFAULT pg_current_xact_id(),
      is_marked boolean NOT NULL DEFAULT false
    ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`,
  sql`CREATE INDEX IF NOT EXISTS documents_without_words ON documents (group_id, key) WHERE words IS NULL`,
  sql`CREATE INDEX IF NOT EXISTS profile_doubts_marked ON profile_doubts (id) WHERE is_marked`,
  sql`CREATE INDEX IF NOT EXISTS profile_doubts_unmarked ON profile_doubts (id) WHERE NOT is_marked`,
];

/** What stands between the userID and the nickname of a document. */
export const separator = raw("E'\\x1f'");

/** Up to how many bytes a nickname has whose document has words: whoever folds is not to wait until longer ones are indexed. */
const longestNickname = literal(4000);

/** The documents of some of `group_members`. */
export const documentsOf = (selected: Sql): Sql => sql`
  SELECT named.group_id, named.key,
      CASE WHEN octet_length(named.nickname) <= ${longestNickname}
        THEN lower(named.user_id || ${separator} || named.nickname) END AS words
    FROM (
        SELECT member.group_id, member.user_id, ${members.key("member")} AS key,
            CASE member.nickname WHEN '' THEN coalesce(profile.nickname, '') ELSE member.nickname END AS nickname
          FROM (${selected}) member LEFT JOIN users profile ON profile.user_id = member.user_id
      ) named`;

/** The members who are to have documents when none are being made. */
export const membersOfSearched = raw(
  "SELECT * FROM group_members WHERE group_id IN (SELECT group_id FROM searched_groups)",
);

const digitsOfField = (field: string) => String(digitsOf(field)).length;

/** The first digits of a key, which stand for the role level. */
export const levelOf = (key: Sql) => sql`left(${key}, ${literal(digitsOfField("roleLevel"))})`;

/** The userID that a key ends with. */
export const userOf = (key: Sql) =>
  sql`substr(${key}, ${literal(digitsOfField("roleLevel") + digitsOfField("joinTime") + 1)})`;

/**
 * What documents are found by where trigrams do not help: each two characters that are next to each other, and each one
 * beyond ASCII, as Chinese is searched by; some more than once. Of digits next to each other the first and the last one
 * are taken as if they were neighbours: everybody has all pairs of digits, so that nobody need ask for one.
 */
export const gramsRoutine: Sql = sql`
  CREATE OR REPLACE FUNCTION grams(words text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 50
    SET search_path FROM CURRENT
  AS $body$
    DECLARE
      parts text[] := '{}';
      own text;
      previous text;
    BEGIN
      FOREACH own IN ARRAY string_to_array(regexp_replace(words, '([0-9])[0-9]+([0-9])', E'\\\\1\\\\2', 'g'), NULL) LOOP
        IF octet_length(own) > 1 THEN parts := parts || own; END IF;
        IF previous IS NOT NULL THEN parts := parts || (previous || own); END IF;
        previous := own;
      END LOOP;
      RETURN parts;
    END
  $body$`;

/** The grams of a document as they are indexed: bytewise, since the order of a language changes with the system. */
export const gramsOfWords: Sql = raw('(grams(words) COLLATE "C")');

/** The indexes of documents; `operators` is the class of operators that index trigrams, where it can be had. */
export const documentIndexes = (operators: Sql | undefined): Sql[] => [
  sql`CREATE INDEX IF NOT EXISTS documents_grams ON documents USING gin (${gramsOfWords})`,
  ...(operators === undefined
    ? []
    : [sql`CREATE INDEX IF NOT EXISTS documents_trigrams ON documents USING gin (words ${operators})`]),
];

/** The names of those indexes, which may not all be there. */
export const documentIndexNames: readonly string[] = ["documents_grams", "documents_trigrams"];
