/**
 * The tables of the records. Whoever writes them with own SQL finds the same checks here that `put` makes, as far as an
 * order, a total or a search depends on them.
 *
 * There are no foreign keys: members, requests and entries may name a user or a group that is not there. Text is
 * compared and folded bytewise, whatever the language of the database.
 */
import type { Kind } from "../../../recordKinds.js";
import { type RecordName, recordFields, recordKeys, recordNames } from "../../../records.js";
import { snake } from "../names.js";
import { join, type Sql, sql } from "../sql.js";

export const recordTables: readonly Sql[] = recordNames.map(
  (table) => sql`
    CREATE TABLE ${snake(table)} (
      ${join([...definitionsOf(table)], ",\n")}
    )`,
);

function* definitionsOf(table: RecordName): Generator<Sql> {
  for (const [field, kind] of recordFields[table]) yield column(snake(field), kind);
  yield sql`PRIMARY KEY (${join(recordKeys[table].map(snake))})`;
}

function column(named: Sql, { name: kind }: Kind): Sql {
  switch (kind) {
    case "key":
      // Less than any character of an identifier is what stands between two of them in a key.
      return sql`${named} text COLLATE "C" NOT NULL CHECK (${named} <> '' AND strpos(${named}, E'\\x01') = 0)`;
    case "text":
      return sql`${named} text COLLATE "C" NOT NULL DEFAULT ''`;
    case "integer":
      return sql`${named} integer NOT NULL DEFAULT 0`;
    case "level":
      return sql`${named} integer NOT NULL DEFAULT 0 CHECK (${named} BETWEEN 0 AND 999)`;
    case "time":
      return sql`${named} bigint NOT NULL DEFAULT 0 CHECK (${named} BETWEEN 0 AND 9999999999999999)`;
    case "flag":
      return sql`${named} boolean NOT NULL DEFAULT false`;
  }
}
