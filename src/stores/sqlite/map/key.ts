/** The key of a record, as SQL over the columns of a host's table. */

import type { AlsoTable, KeyColumns, MappedRecord } from "../../../tables/map.js";
import type { KeyColumns as KeyValues } from "../database.js";
import { join, literal, raw, type Sql, sql } from "../sql.js";
import { columnsIn, overRow, type Piece, piecesIn, quoted } from "./sqlWords.js";

type Key = MappedRecord["key"] | AlsoTable["key"];

/** What a map says of a part of a key; undefined where a second table does not have it. */
export function partOf(key: Key, field: string): KeyColumns | undefined {
  return (key as Readonly<Record<string, KeyColumns | undefined>>)[field];
}

/**
 * The text of a part of a key, which compares byte by byte, whatever types and collations the columns have. An index has
 * the same expression, where the row has no name.
 */
export function keyText(part: KeyColumns, separator: string, row?: string): Sql {
  const named = (column: string) => raw(row === undefined ? quoted(column) : `${row}.${quoted(column)}`);
  const columns = typeof part === "string" ? [part] : part;
  const text =
    "sql" in columns
      ? sql`(${raw(overRow(columns.sql, row))})`
      : join(columns.map(named), ` || ${literal(separator).text} || `);
  return sql`CAST(${text} AS TEXT) COLLATE BINARY`;
}

/**
 * The columns of a key with their values, each as SQL over the key, for which `:key` stands: what a host's index finds a
 * row by. A value may contain the text behind it only if that is the last one. Undefined for an expression of which the
 * columns cannot be told.
 */
export function valuesOfKey(part: KeyColumns, separator: string): KeyValues | undefined {
  const pieces = piecesOf(part, separator);
  const values: [string, string][] = [];
  let rest = ":key";
  for (const [index, piece] of pieces.entries()) {
    if ("text" in piece) {
      rest = `substr(${rest}, ${charactersOf(piece.text) + 1})`;
      continue;
    }
    const [next, afterNext] = pieces.slice(index + 1);
    let value = rest;
    if (next !== undefined) {
      if (!("text" in next)) return undefined;
      const place =
        afterNext === undefined
          ? `length(${rest}) - ${charactersOf(next.text) - 1}`
          : `instr(${rest}, ${literal(next.text).text})`;
      value = `substr(${rest}, 1, ${place} - 1)`;
      rest = `substr(${rest}, ${place})`;
    }
    values.push([quoted(piece.column), piece.isHex ? `unhex(${value})` : value]);
  }
  return values.length === 0 ? undefined : values;
}

/** How many characters SQLite counts. */
function charactersOf(text: string): number {
  return [...text].length;
}

/** The columns of a part of a key, and the texts around them. */
function piecesOf(part: KeyColumns, separator: string): readonly Piece[] {
  if (typeof part === "object" && "sql" in part) return piecesIn(part.sql) ?? [];
  const columns = typeof part === "string" ? [part] : part;
  return columns.flatMap((column, index) => [...(index === 0 ? [] : [{ text: separator }]), { column, isHex: false }]);
}

/** The columns on which a key depends. */
export function columnsOfKey(key: Key): string[] {
  return Object.values<KeyColumns>(key).flatMap((part) => {
    if (typeof part === "string") return [part];
    return "sql" in part ? columnsIn(part.sql) : part;
  });
}
