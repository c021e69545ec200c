import type { SqlDatabase } from "../database.js";
import { readingFrom, rewriting, type Sources } from "./mapped.js";
import { type Known, type Mark, shadows } from "./marks.js";

/** Databases with careful sources, which leave out what is marked. */
export function carefulDatabases(database: SqlDatabase, sources: Sources) {
  const reading = { given: readingFrom(sources, shadows.given), known: readingFrom(sources, shadows.known) };
  return (marks: readonly Mark[], known: Known): SqlDatabase => {
    const bound = JSON.stringify(marks);
    return rewriting(database, ({ text, values }) => {
      const result = reading[known](text);
      return { text: result, values: result.startsWith(`WITH ${shadows[known]}`) ? [bound, ...values] : values };
    });
  };
}
