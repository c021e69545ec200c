import { gram, isDocumentOf } from "./documents.js";
import { bind, bindAll, type Part, sql } from "./part.js";

/** What an index finds, as common table expressions over `list`. */
export interface Hits {
  definitions: Part;
  /** The expressions with an `id` for each document that is found, once in one of them; common keywords are in the last. */
  names: readonly [string, ...string[]];
}

/** Looks a keyword up in an index, in which not all documents are. */
export function hits(keyword: string): Hits {
  const { length } = [...keyword];
  const literal = sql`lower(${bind(keyword)})`;
  const found = (definition: Part): Hits => ({ definitions: sql`hits (id) AS (${definition})`, names: ["hits"] });
  if (keyword.includes("\0")) return found(sql`SELECT NULL WHERE false`);
  if (length < 3) return found(matches("listGrams", gram(literal, sql`list.id`)));
  if (length === 3) return found(matches("listTrigrams", literal));
  const withRarest = matches("listTrigrams", sql`(SELECT trigram FROM rarest)`);
  return {
    definitions: sql`${rarestTrigram(literal, length)},
      hitsByTrigram (id) AS (
        SELECT match.id FROM rarest CROSS JOIN (${withRarest}) match
          CROSS JOIN listDocuments document ON document.id = match.id
          WHERE isRare AND ${documentContains(keyword)}
      ),
      hitsByPhrase (id) AS (
        SELECT match.id FROM rarest CROSS JOIN (${matches("listTrigrams", literal)}) match WHERE NOT isRare
      )`,
    names: ["hitsByTrigram", "hitsByPhrase"],
  };
}

/** The condition that a document contains the keyword; documents have been folded to lower case. */
export function documentContains(keyword: string): Part {
  const literal = sql`lower(${bind(keyword)})`;
  return sql`(instr(document.userID, ${literal}) > 0 OR instr(document.nickname, ${literal}) > 0)`;
}

/** The documents in which an index finds a phrase, of a list with documents. */
function matches(index: string, phrase: Part): Part {
  return sql`SELECT rowid AS id FROM list CROSS JOIN ${index}
    WHERE list.searched AND ${index} MATCH '"' || replace(${phrase}, '"', '""') || '"'
      AND ${isDocumentOf("rowid", "list.id")}`;
}

/** How many documents are looked at to tell rare trigrams from common ones. */
const sampleSize = 100;
/** In how many of them a rare one is, at most. */
const rare = 2;
/** How many trigrams of a keyword are tried. */
const triedTrigrams = 12;

/**
 * The trigram of a keyword that the fewest of some documents have. An index takes long to find a phrase of which each
 * trigram is common, such as a userID where all begin alike; looking at all documents with its rarest one is faster.
 */
function rarestTrigram(literal: Part, length: number): Part {
  const step = Math.max(1, (length - 2) / triedTrigrams);
  const positions = Array.from(
    { length: Math.min(length - 2, triedTrigrams) },
    (_, index) => 1 + Math.floor(index * step),
  );
  const steps = Array.from({ length: sampleSize }, (_, index) => index);
  return sql`bounds (least, greatest) AS MATERIALIZED (
      SELECT (SELECT min(id) FROM listDocuments WHERE ${isDocumentOf("id", "list.id")}),
        (SELECT max(id) FROM listDocuments WHERE ${isDocumentOf("id", "list.id")}) FROM list WHERE list.searched
    ),
    sample (text) AS MATERIALIZED (
      SELECT userID || ' ' || nickname FROM bounds CROSS JOIN json_each(${bindAll(steps)}) step
        CROSS JOIN listDocuments document ON document.id =
          (SELECT min(id) FROM listDocuments WHERE id >= least + step.value * (greatest - least) / ${String(sampleSize)})
    ),
    rarest (trigram, isRare) AS MATERIALIZED (
      SELECT trigram, min(found) <= ${String(rare)} FROM (
        SELECT trigram, (SELECT count(*) FROM sample WHERE instr(text, trigram) > 0) AS found
        FROM (SELECT substr(${literal}, value, 3) AS trigram FROM json_each(${bindAll(positions)}))
      )
    )`;
}
