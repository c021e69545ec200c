/** The functions that find a keyword in the documents of a group. */

import { endOfKeys } from "../nodes/keys.js";
import { pendingChanges, totalOf } from "../nodes/read.js";
import { freePlans, indexPlans, routine } from "../schema/routine.js";
import { literal, raw, type Sql, sql } from "../sql.js";
import { gramsOfWords, levelOf, members, separator } from "./tables.js";
import { hasLetters, memberHasWord } from "./words.js";

/** The most members that are looked at themselves, because their documents may be wrong; with more, all are. */
const mostDoubtful = literal(10_000);

/** In how many places of a list it is looked how common a keyword is, and at how many documents in each. */
const places = 5;
const documentsOfPlace = 40;

/** How many documents of a group are looked at in the time that it takes to look at one of those that an index finds. */
const lookedAtInstead = literal(3);

/** How many documents are passed on the way along the list in the time that it takes to find one otherwise, and sort it. */
const walkedInstead = literal(4);

/** Fewer hits are all fetched at once, where the keyword may be a rare one. */
const manyHits = literal(20_000);

/** How many members a group has at most whose documents are all looked at. */
const fewDocuments = literal(10_000);

/** The documents that are asked for, but for those of members who are looked at themselves. */
const isToBeFound = sql`
  group_id = asked_group AND (asked_levels IS NULL OR ${levelOf(raw("key"))} = ANY (asked_levels))
    AND (doubtful = '{}' OR key <> ALL (doubtful))`;

/** Plans that walk indexes, made for the values: what is in doubt is looked up faster where it is known. */
const walkPlans = [...indexPlans, "plan_cache_mode = force_custom_plan"];

/**
 * The documents that have the keyword, in the way that is chosen. The plan is made for the values: what is NULL
 * is left out. No index has the collation of what is looked for.
 */
const hits = sql`
  SELECT key FROM documents
    WHERE ${isToBeFound} AND (asked_grams IS NULL OR ${gramsOfWords} @> asked_grams)
      AND (asked_pattern IS NULL OR words LIKE asked_pattern) AND (is_exact OR strpos(words, keyword) > 0)
      AND (looked_for IS NULL OR words COLLATE "POSIX" LIKE looked_for)`;

/** Plans for the values. Processes that share the work among them would take longer to begin than most searches take. */
const searchPlans = [...freePlans, "max_parallel_workers_per_gather = 0", "gin_fuzzy_search_limit = 0"];

const hitParameters = raw(
  "asked_group text, asked_levels text[], doubtful text[], keyword text, asked_grams text[], asked_pattern text, is_exact boolean, looked_for text",
);

const count = routine({
  name: "documents_count",
  parameters: hitParameters,
  returns: raw("bigint"),
  kind: "STABLE",
  settings: searchPlans,
  body: sql`
    BEGIN
      RETURN (
        SELECT count(*) FROM (
          ${hits}
        ) hit);
    END`,
});

/** Some of the documents; all, where they are less than `most`. */
const some = routine({
  name: "documents_some",
  parameters: sql`${hitParameters}, most bigint`,
  returns: raw("text[]"),
  kind: "STABLE",
  settings: searchPlans,
  body: sql`
    BEGIN
      RETURN ARRAY(
        ${hits}
          LIMIT most);
    END`,
});

/** A page of documents and of other keys, `live`. */
const sorted = routine({
  name: "documents_sorted",
  parameters: sql`${hitParameters}, live text[], skip bigint, size bigint`,
  returns: raw("text[]"),
  kind: "STABLE",
  settings: searchPlans,
  body: sql`
    BEGIN
      RETURN ARRAY(
        SELECT key FROM (
          ${hits}
          UNION ALL SELECT unnest(live)
        ) hit ORDER BY key COLLATE "C" LIMIT size OFFSET skip);
    END`,
});

/** The same, found on the way along the list, from its beginning or from its end. */
const walk = ({ name: own, direction }: { name: string; direction: "ASC" | "DESC" }) =>
  routine({
    name: own,
    parameters: raw(
      "asked_group text, asked_levels text[], doubtful text[], asked_pattern text, live text[], skip bigint, size bigint",
    ),
    returns: raw("text[]"),
    kind: "STABLE",
    settings: walkPlans,
    body: sql`
      BEGIN
        RETURN ARRAY(
          SELECT key FROM (
            (SELECT key FROM documents WHERE ${isToBeFound} AND words LIKE asked_pattern
              ORDER BY key ${raw(direction)} LIMIT skip + size)
            UNION ALL SELECT unnest(live)
          ) hit ORDER BY key COLLATE "C" ${raw(direction)} LIMIT size OFFSET skip);
      END`,
  });

const walks: readonly Sql[] = [
  walk({ name: "documents_from_first", direction: "ASC" }),
  walk({ name: "documents_from_last", direction: "DESC" }),
];

const id = literal(members.id);

/**
 * The total, and the keys of a page in any order, of the members who have a keyword; nothing where that is to be found
 * out without documents.
 */
const find = (hasTrigrams: boolean) =>
  routine({
    name: "documents_find",
    parameters: raw(
      "asked_group text, asked_levels text[], keyword text, skip bigint, size bigint, OUT total bigint, OUT keys text[]",
    ),
    kind: "STABLE",
    settings: indexPlans,
    body: sql`
      DECLARE
        ${hasLetters}
        pattern text := '%' || regexp_replace(keyword, '([%_]|' || E'\\\\\\\\' || ')', E'\\\\\\\\\\\\1', 'g') || '%';
        is_ascii boolean := octet_length(keyword) = char_length(keyword);
        doubted text[];
        doubtful text[];
        live text[];
        listed bigint;
        sample record;
        asked_grams text[];
        asked_pattern text;
        is_exact boolean := true;
        looked_for text := pattern;
        is_met_soon boolean;
      BEGIN
        IF strpos(keyword, ${separator}) > 0 OR NOT EXISTS (
          SELECT FROM searched_groups WHERE group_id = asked_group AND documented_before = ${literal(endOfKeys)})
        THEN RETURN; END IF;
        doubted := ARRAY(SELECT unnest(user_ids) FROM profile_doubts LIMIT ${mostDoubtful});
        doubtful := ARRAY(
          SELECT pending.key FROM (
            ${pendingChanges(id, raw("asked_group"))}
          ) pending GROUP BY pending.key
          UNION SELECT key FROM documents WHERE group_id = asked_group AND words IS NULL
          LIMIT ${mostDoubtful});
        IF ${mostDoubtful} IN (cardinality(doubted), cardinality(doubtful)) THEN RETURN; END IF;
        doubtful := doubtful || ARRAY(
          SELECT ${members.key("entry")} FROM group_members entry
            WHERE entry.group_id = asked_group AND entry.user_id = ANY (doubted) AND entry.nickname = '');
        live := ARRAY(
          SELECT ${members.key("entry")} FROM group_members entry LEFT JOIN users profile ON profile.user_id = entry.user_id
            WHERE entry.group_id = asked_group AND ${members.key("entry")} = ANY (doubtful)
              AND (asked_levels IS NULL OR ${levelOf(members.key("entry"))} = ANY (asked_levels)) AND ${memberHasWord});

        listed := ${totalOf(members, raw("asked_group"))};
        SELECT count(*) FILTER (WHERE place.hits > 0) AS places, sum(place.hits) AS hits INTO sample FROM (
            SELECT (
                SELECT count(*) FROM (
                  SELECT words FROM documents WHERE group_id = asked_group AND key >= found.start
                    ORDER BY key LIMIT ${literal(documentsOfPlace)}
                ) near WHERE words LIKE pattern
              ) AS hits
              FROM generate_series(0, ${literal(places - 1)}) number
                CROSS JOIN LATERAL list_seek(${id}, asked_group, listed * number / ${literal(places)}) found
          ) place;
        -- On the way along the list, where it is in so many places.
        is_met_soon := asked_levels IS NULL AND sample.places * 2 > ${literal(places)};
        IF listed > ${fewDocuments} AND sample.hits * ${lookedAtInstead} * greatest(listed, (
            SELECT reltuples FROM pg_class WHERE oid = 'documents'::regclass
          )) < listed * ${literal(places * documentsOfPlace)}
        THEN
          IF ${raw(hasTrigrams ? `is_ascii AND keyword COLLATE "C" ~ '[a-z0-9]{3}'` : "false")} THEN
            looked_for := NULL;
            -- What numbers begin with, many have in common, as where they are given in their order.
            is_exact := keyword COLLATE "C" !~ '^[0-9]{7,}$';
            asked_pattern := CASE WHEN is_exact THEN pattern ELSE '%' || right(keyword, 6) || '%' END;
          ELSE
            asked_grams := ARRAY(
              SELECT DISTINCT gram FROM unnest(grams(keyword)) gram
                -- Those with characters beyond ASCII are the rare ones; nobody has pairs of digits.
                WHERE CASE WHEN is_ascii THEN gram COLLATE "C" !~ '^[0-9]{2}$' ELSE octet_length(gram) > char_length(gram) END);
            IF asked_grams = '{}' THEN
              asked_grams := NULL;
            ELSE
              looked_for := NULL;
              is_exact := char_length(keyword) <= 2;
            END IF;
          END IF;
        END IF;
        IF NOT is_met_soon THEN
          keys := live || documents_some(
            asked_group, asked_levels, doubtful, keyword, asked_grams, asked_pattern, is_exact, looked_for, ${manyHits});
          IF cardinality(keys) < ${manyHits} THEN
            total := cardinality(keys);
            keys := ARRAY(SELECT key FROM unnest(keys) key ORDER BY key COLLATE "C" LIMIT size OFFSET skip);
            RETURN;
          END IF;
        END IF;
        total := cardinality(live)
          + documents_count(asked_group, asked_levels, doubtful, keyword, asked_grams, asked_pattern, is_exact, looked_for);

        size := least(size, greatest(total - skip, 0));
        keys := CASE
          WHEN skip >= total THEN '{}'
          WHEN NOT is_met_soon OR least(skip + size, total - skip) * listed > ${walkedInstead} * total * total
          THEN documents_sorted(
            asked_group, asked_levels, doubtful, keyword, asked_grams, asked_pattern, is_exact, looked_for, live, skip, size)
          WHEN skip + size < total - skip
          THEN documents_from_first(asked_group, asked_levels, doubtful, pattern, live, skip, size)
          ELSE documents_from_last(
            asked_group, asked_levels, doubtful, pattern, live, total - skip - size, size)
        END;
      END`,
  });

export const findRoutines = (hasTrigrams: boolean): Sql[] => [count, some, sorted, ...walks, find(hasTrigrams)];
