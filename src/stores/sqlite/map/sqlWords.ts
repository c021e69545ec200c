/** The words of a map's SQL: the columns and tables that it names. */

/** SQLite takes any character beyond ASCII for a letter. */
const word = String.raw`(?:"(?:[^"]|"")+"|${"`[^`]+`"}|\[[^\]]+\]|[A-Za-z_\P{ASCII}][\w$\P{ASCII}]*)`;
const words = new RegExp(word, "gu");
const dotted = String.raw`${word}(?:\s*\.\s*${word})*`;

/** The name of a table or column without its quotes. */
export function plainName(own: string): string {
  return own.replace(/^["`[]|["`\]]$/g, "").replaceAll('""', '"');
}

/** All words that may name a column. */
export function wordsOf(texts: readonly string[]): string[] {
  return texts.flatMap((text) => Array.from(withoutTexts(text).matchAll(words), ([own]) => plainName(own)));
}

/** The SQL with empty texts. A quoted name may contain an apostrophe. */
function withoutTexts(sql: string): string {
  return sql.replace(/("[^"]*"|`[^`]*`|\[[^\]]*\])|'[^']*'/g, (_, name?: string) => name ?? "''");
}

/** Texts, numbers, types, collations, and names; a function has a parenthesis behind its name. */
const parts = new RegExp(
  String.raw`[xX]?'[^']*'|\.?\d[\w.]*|\b(?:as|collate)\s+${word}|(?<column>${dotted})(?![\w$\P{ASCII}]|\s*[.(])|${word}`,
  "giu",
);

/** The words of expressions that are no columns. */
const keywords = new Set(
  `and as between case cast collate current_date current_time current_timestamp distinct else end escape false from glob in
    is isnull like match not notnull null or regexp then true when`.split(/\s+/),
);

/** Changes the names of the columns in an expression that reads one row. */
function withColumns(sql: string, change: (column: string) => string): string {
  return sql.replace(parts, (...given) => {
    const { column } = given.at(-1) as { column?: string };
    if (column === undefined || keywords.has(column.toLowerCase())) return given[0] as string;
    return change(plainName(column.match(words)?.at(-1) ?? ""));
  });
}

/** The columns that an expression over one row reads. */
export function columnsIn(sql: string): string[] {
  const columns: string[] = [];
  withColumns(sql, (column) => {
    columns.push(column);
    return column;
  });
  return columns;
}

/** A column as SQL names it. It may be called like a keyword, such as "group". */
export function quoted(column: string): string {
  return `"${column.replaceAll('"', '""')}"`;
}

/** The expression over a row of another name, such as NEW; undefined for a place where the row has no name. */
export function overRow(sql: string, row: string | undefined): string {
  return withColumns(sql, (column) => (row === undefined ? quoted(column) : `${row}.${quoted(column)}`));
}

/** The items behind FROM or JOIN. `IS DISTINCT FROM` compares. */
const sources =
  /(?<!\bdistinct\s+)\b(?:from|join)\b(.*?)(?=\b(?:where|group|order|limit|having|window|union|except|intersect|join|from)\b|$)/gis;
const source = new RegExp(String.raw`^\s*(${dotted})\s*(\{)?`, "u");
const defined = new RegExp(String.raw`(${word})\s*(?:\([^()]*\)\s*)?\bas\s+(?:(?:not\s+)?materialized\s*)?\(`, "giu");

/** The tables and views that a text names to read them. Functions and common table expressions are neither. */
export function tablesIn(sql: string): string[] {
  const tables: string[] = [];
  let rest = withoutTexts(sql);
  const own = new Set(Array.from(rest.matchAll(defined), ([, name = ""]) => name.toLowerCase()));
  for (let isInner = true; isInner; ) {
    const [inner, content = rest] = /\(([^()]*)\)/.exec(rest) ?? [];
    for (const [, items = ""] of content.matchAll(sources)) {
      for (const item of items.split(",")) {
        const [, name, call] = source.exec(item) ?? [];
        if (name !== undefined && call === undefined) tables.push(plainName(name.match(words)?.at(-1) ?? ""));
      }
    }
    isInner = inner !== undefined;
    // What stood in parentheses is read, and leaves a mark.
    if (inner !== undefined) rest = rest.replace(inner, "{}");
  }
  return tables.filter((table) => !own.has(table.toLowerCase()));
}

/** A constant text, or a column, which may have bytes whose text is their hexadecimal digits. */
export type Piece = { text: string } | { column: string; isHex: boolean };

const digits = String.raw`hex\s*\(\s*(${dotted})\s*\)`;
const piece = new RegExp(
  String.raw`^\s*(?:'((?:[^']|'')*)'|${digits}|lower\s*\(\s*${digits}\s*\)|(${dotted}))\s*(?:\|\||$)`,
  "iu",
);

/** The pieces of an expression that joins constant texts and columns; undefined for any other expression. */
export function piecesIn(sql: string): Piece[] | undefined {
  const pieces: Piece[] = [];
  for (let rest = sql, isFirst = true; isFirst || rest.trim() !== ""; isFirst = false) {
    const [found, text, digits, small, column] = piece.exec(rest) ?? [];
    if (found === undefined) return undefined;
    const last = pieces.at(-1);
    if (text === undefined) {
      const name = (digits ?? small ?? column ?? "").match(words)?.at(-1) ?? "";
      pieces.push({ column: plainName(name), isHex: column === undefined });
    } else if (last !== undefined && "text" in last) {
      last.text += text.replaceAll("''", "'");
    } else if (text !== "") {
      pieces.push({ text: text.replaceAll("''", "'") });
    }
    rest = rest.slice(found.length);
  }
  return pieces;
}
