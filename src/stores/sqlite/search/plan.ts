/** Estimates from the indexes how common a keyword is, and chooses how to search for it. */
import type { GroupMembersQuery } from "../../../store.js";
import type { PageReader } from "../pages/readPage.js";
import { isDocumentOf } from "../schema/documents.js";
import { literal, our, type Sql, sql } from "../sql.js";
import { matching, type Words, wordsOf } from "./keyword.js";

/** How to search in a group that has documents. */
export interface Way {
  /**
   * `counted` takes the total from the index, which is exact, and reads documents in order up to the page. `look` reads
   * all documents. With the name of an index, verify and sort the members that it finds.
   */
  kind: "counted" | "look" | Words["index"];
  list: number;
  /** The query of the index. */
  match: string | null;
}

// Measured in groups of 300,000 and 1,000,000: finding an entry of an index takes 0.1 µs, reading a document in a look
// 0.13 µs, and verifying a candidate 4 to 5 µs.

/** How many documents with a word are read to estimate how close to each other they are: 12 words take 0.6 ms. */
const sampleSize = 500;
/** The most candidates that are verified one by one: counting them takes 2 ms, verifying them 0.1 s. */
const mostCandidates = 20_000;
/** How many documents a look reads in the time that verifying one candidate takes. */
const walkedPerCandidate = 40;
/** So many candidates are verified at once, in 1 to 2 ms. If there are more, further words of the keyword narrow them. */
const fewCandidates = 300;
/** How many times as common as the rarest word a further word may be: reading its entries then takes 0.5 µs a candidate. */
const similar = 5;
/** For one userID among a million, no further word takes 12 ms, one 2.4, two 1.3, and three 1.25. */
const furtherWords = 2;

interface MeasuredWord {
  word: string;
  /** How many documents have the word, up to the size of the sample. */
  found: number;
  /** How far apart these are, by their ids. */
  span: number;
}

/** Reads the list of the group, the words from the rarest on, and how many documents have the rarest, up to a limit. */
function measure(index: Words["index"]): Sql {
  const documents = (word: Sql, limit: Sql) => sql`
    SELECT hit.rowid AS id FROM ${word} word CROSS JOIN ${our(index)} hit
      WHERE ${our(index)} MATCH word.match AND ${isDocumentOf(sql`hit.rowid`, sql`list.id`)} LIMIT ${limit}`;
  return sql`
    WITH request (owner, words, most) AS MATERIALIZED (VALUES (?, ?, ?)),
    list AS MATERIALIZED (
      SELECT id, total FROM im_admin_lists
        WHERE name = 'groupMembers' AND owner = (SELECT owner FROM request) AND has_documents
    ),
    measured AS MATERIALIZED (
      SELECT word.value ->> 0 AS word, word.value ->> 1 AS match, (
        SELECT json_array(count(*), coalesce(max(id) - min(id), 0)) FROM (
          ${documents(sql`(SELECT word.value ->> 1 AS match)`, literal(sampleSize))}
        )) AS sample
      FROM list CROSS JOIN json_each((SELECT words FROM request)) word
    ),
    sorted AS MATERIALIZED (
      SELECT word, match, sample ->> 0 AS found, sample ->> 1 AS span FROM measured ORDER BY 3, 4 DESC
    )
    SELECT list.id AS list, list.total,
      (SELECT json_group_array(json_object('word', word, 'found', found, 'span', span)) FROM sorted) AS words,
      (SELECT count(*) FROM (
        ${documents(sql`(SELECT match FROM sorted LIMIT 1)`, sql`(SELECT most FROM request)`)}
      )) AS candidates
    FROM list`;
}

const measures = { documentTrigrams: measure("documentTrigrams").text, documentGrams: measure("documentGrams").text };

/** Chooses how to search for a keyword in a group; undefined if it has no documents. All ways find the same members. */
export async function chooseWay({ run }: PageReader, query: GroupMembersQuery): Promise<Way | undefined> {
  const { groupID, keyword, roleLevels, offset, limit } = query;
  const { index, words, areExact } = wordsOf(keyword);
  const pairs = JSON.stringify(words.map((word) => [word, matching([word])]));
  const [row] = await run({ text: measures[index], values: [groupID, pairs, mostCandidates + 1] });
  if (row === undefined) return undefined;
  const list = Number(row["list"]);
  const sorted = JSON.parse(String(row["words"])) as MeasuredWord[];
  const [rarest] = sorted;
  const look: Way = { kind: "look", list, match: null };
  if (rarest === undefined) return look;
  const candidates = Number(row["candidates"]);
  const total = Number(row["total"]);
  // An index knows no levels. Where it gives the total, a search reads only up to the page, from the nearer end.
  const isCounted = areExact && roleLevels === undefined;
  const walked = isCounted ? Math.min(total / 2, ((offset + limit) * total) / candidates) : total;
  if (candidates > Math.min(mostCandidates, walked / walkedPerCandidate)) {
    return isCounted ? { kind: "counted", list, match: matching(words) } : look;
  }
  const further = sorted
    .slice(1, 1 + furtherWords)
    .filter(({ found, span }) => candidates > fewCandidates && found === rarest.found && span * similar > rarest.span);
  return { kind: index, list, match: matching([rarest, ...further].map(({ word }) => word)) };
}
