import type { ListName } from "./definitions.js";
import { isUnindexed } from "./documents.js";
import { documentContains, hits } from "./hits.js";
import type { Selection } from "./list.js";
import { all, bind, bindCount, type Part, sql } from "./part.js";
import { isList } from "./selections.js";

/** A list whose entries are searched for a keyword. */
export interface Search {
  name: ListName;
  owner: string;
  /** A literal, at least one character. */
  keyword: string;
  /** The condition that an entry also has to meet, given an expression for its key; undefined where there is none. */
  having: ((key: string) => Part) | undefined;
  /** The expressions that the keyword may occur in, and the joins after `entry` that they need. */
  texts: readonly string[];
  joins: string;
}

/** How many hits are sorted without asking whether it is cheaper to walk along the list. */
const fewHits = 20_000;
/** How many documents a page walks along, where as few hits as that are spread evenly. */
const longWalk = 50_000;

/**
 * The entries with the keyword. A list without documents is small: all its entries are looked at. In a large one, hits
 * come from an index. Few are sorted; of many, a page near the start is found by walking along the list.
 */
export function search({ name, owner, keyword, having, texts, joins }: Search): Selection {
  const also = (key: string) => (having === undefined ? [] : [having(key)]);
  const inDocument = all([documentContains(keyword), ...also("document.key")]);
  const small = sql`FROM list CROSS JOIN listEntries entry ON entry.list = list.id ${joins}
    WHERE NOT list.searched AND ${all([contains(keyword, texts), ...also("entry.key")])}`;
  const documents = sql`FROM list CROSS JOIN listDocuments document ON document.list = list.id WHERE list.searched`;
  const { definitions, names } = hits(keyword);
  const hitDocuments = names.map(
    (name) => sql`FROM ${name} CROSS JOIN listDocuments document ON document.id = ${name}.id
    WHERE ${all(also("document.key"))}`,
  );
  const counted = having === undefined ? names.map((name) => sql`FROM ${name}`) : hitDocuments;
  const common = sql`list AS MATERIALIZED (
      SELECT id, total, searched FROM lists WHERE ${isList(name, owner)}
    ), ${definitions}`;

  return {
    total: sql`(WITH ${common} SELECT ${sum([small, ...counted, sql`${documents} AND ${isUnindexed} AND ${inDocument}`])})`,
    page: ({ offset, limit }) => sql`WITH ${common},
        way (walks) AS MATERIALIZED (
          SELECT total * ${bind(offset + limit)} <= ${bind(fewHits * longWalk)} AND ${bind(fewHits)} =
            (SELECT count(*) FROM (SELECT 1 FROM ${names.at(-1) ?? ""} LIMIT ${bindCount(fewHits)})) FROM list
        ),
        page (key) AS MATERIALIZED (
          SELECT entry.key ${small}
          ${unionAll(hitDocuments.map((hits) => sql`${hits} AND NOT (SELECT walks FROM way)`))}
          UNION ALL SELECT document.key ${documents} AND NOT (SELECT walks FROM way) AND ${isUnindexed} AND ${inDocument}
          UNION ALL SELECT document.key ${documents} AND (SELECT walks FROM way) AND ${inDocument}
          ORDER BY 1 LIMIT ${bindCount(limit)} OFFSET ${bindCount(offset)}
        )
      SELECT entry.key, entry.item FROM page
        CROSS JOIN listEntries entry ON entry.list = (SELECT id FROM list) AND entry.key = page.key`,
  };
}

function sum(rows: readonly Part[]): Part {
  return rows.reduce((before, counted) => sql`${before} + (SELECT count(*) ${counted})`, sql`0`);
}

function unionAll(rows: readonly Part[]): Part {
  return rows.reduce((before, hits) => sql`${before} UNION ALL SELECT document.key ${hits}`, sql``);
}

/** The condition that one of the expressions contains the keyword, whatever the case of ASCII letters. */
function contains(keyword: string, texts: readonly string[]): Part {
  // SQLite's lower() leaves all but ASCII letters alone, and instr() knows no wildcards.
  const conditions = texts.map((text) => sql`instr(lower(${text}), lower(${bind(keyword)})) > 0`);
  return sql`(${conditions.reduce((before, condition) => sql`${before} OR ${condition}`)})`;
}
