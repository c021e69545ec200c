/**
 * Reads records from tables of a host. Each statement that names a table of records gets a common table expression of
 * this name in front, so that no other code knows of a map. The names are looked for in the text, once for each text:
 * most statements are made when the module is loaded, before anybody knows which records are mapped.
 */
import type { RecordName } from "../../../records.js";
import type { StoreCall } from "../../../store.js";
import type { HostTable, Row, Source, SqlDatabase, Statement, Statements } from "../database.js";
import { failing, hasFailed } from "../failing.js";
import { addToKeyConditions } from "../schema/keys.js";
import { ourName, sql } from "../sql.js";

/** What stands in the place of tables of records. */
export type Sources = ReadonlyMap<string, Source>;

/**
 * Returns a function that lets a statement read the SELECTs of these sources. A SELECT becomes a subquery: the names of its own common
 * table expressions are not seen from outside, where a host's tables may have the same names. In other statements, such
 * names begin with `im_admin_`.
 *
 * @param shadow defines what stands in the place of a table of ours, for statements that read it
 */
export function readingFrom(sources: Sources, shadow?: string): (text: string) => string {
  const definitions = Array.from(sources, ([record, { select, keys }]) => {
    const own = ourName(record);
    return { own, keys, pattern: new RegExp(`\\b${own}\\b`), text: `${own} AS NOT MATERIALIZED (${select})` };
  });
  // So SQLite uses the host's index.
  const withHostColumns = (text: string) =>
    addToKeyConditions(text, ({ table, row, column, value }) => {
      const columns = definitions.find(({ own }) => own === table)?.keys[column] ?? [];
      return columns.map(([name, hostValue]) => `${row}.${name} = ${hostValue.replaceAll(":key", value)}`);
    });
  const rewritten = new Map<string, string>();
  return (text) => {
    let result = rewritten.get(text);
    if (result === undefined) {
      const used = definitions.filter(({ pattern }) => pattern.test(text)).map((definition) => definition.text);
      const isShadowed = shadow !== undefined && (used.length > 0 || text.includes(ourName("unreadable")));
      const all = isShadowed ? [shadow, ...used] : used;
      result = all.length === 0 ? text : behind(all.join(", "), withHostColumns(text.trim()));
      rewritten.set(text, result);
    }
    return result;
  };
}

function behind(definitions: string, text: string): string {
  const [, own] = /^WITH (?:RECURSIVE )?([\s\S]*)$/.exec(text) ?? [];
  if (own === undefined) return `WITH ${definitions} ${text}`;
  return /\b(?:UPDATE|INSERT INTO|DELETE FROM) /.test(text)
    ? `WITH ${definitions}, ${own}`
    : `WITH ${definitions} SELECT * FROM (${text})`;
}

/** A database whose statements read these sources. */
export function withSources(database: SqlDatabase, sources: Sources): SqlDatabase {
  if (sources.size === 0) return database;
  const read = readingFrom(sources);
  return rewriting(database, ({ text, values }) => ({ text: read(text), values }));
}

/** A database whose statements are changed before it runs them. */
export function rewriting(database: SqlDatabase, change: (statement: Statement) => Statement): SqlDatabase {
  return {
    ...database,
    read: (statements) => database.read(rewritten(statements, change)),
    write: (statements, call) => database.write(rewritten(statements, change), call),
  };
}

interface Mapping {
  /** The number of the map; undefined if all records are in im-admin's own tables. */
  number: number | undefined;
  database: SqlDatabase;
  /** The same, which leaves out what is known to be unreadable. */
  careful: SqlDatabase;
  /** The sources that leave it out. */
  sources: Sources;
  conversations: HostTable | undefined;
}

export const selectSources = sql`
  SELECT record, source, careful, keys, target, (SELECT id FROM im_admin_table_map) AS number
    FROM im_admin_sources`;

function mappingOf(rows: readonly Row[], database: SqlDatabase): Mapping {
  const target = rows.find(({ record }) => record === ("conversations" satisfies RecordName))?.["target"];
  const sources = (column: "source" | "careful"): Sources =>
    new Map(
      rows.map((row) => [
        String(row["record"]),
        { select: String(row[column]), keys: JSON.parse(String(row["keys"])) as Source["keys"] },
      ]),
    );
  return {
    number: rows.length === 0 ? undefined : Number(rows[0]?.["number"]),
    database: withSources(database, sources("source")),
    careful: withSources(database, sources("careful")),
    sources: sources("careful"),
    conversations: typeof target === "string" ? (JSON.parse(target) as HostTable) : undefined,
  };
}

const otherMap = "im_admin_map";

/** A statement that fails if the map has another number. */
function requireMap(number: number): Statement {
  return sql`
    SELECT CASE WHEN coalesce((SELECT id FROM im_admin_table_map), 0) <> ${number} THEN ${failing(otherMap)} END`;
}

/** The failures of a statement that was made for another map. */
export const isOutdated = (error: unknown) =>
  /no such (?:table|column)/.test(String(error)) || hasFailed(otherMap, error);

/** A database that reads what its map says. */
export interface MappedDatabase extends SqlDatabase {
  /** Reads the map anew at the next call, because it may have changed. */
  forgetMap(): void;
  /** The same database, which leaves out what is known to be unreadable. */
  careful: SqlDatabase;
  /** The database without its map, and the sources that leave out what cannot be read. */
  mapping(): Promise<{ direct: SqlDatabase; careful: Sources }>;
}

interface MapOptions {
  /** Whether the caller notices other maps, and then calls `forgetMap`. */
  isWatched: boolean;
  /** The rows of {@link selectSources}. */
  rows: readonly Row[];
}

/** @param options for an engine that has read the map already */
export function mappedDatabase(database: SqlDatabase, options?: MapOptions): MappedDatabase {
  let known = options && mappingOf(options.rows, database);

  async function load(): Promise<Mapping> {
    const [rows = []] = await database.read([selectSources]);
    known = mappingOf(rows, database);
    return known;
  }

  function forgetMap(): void {
    known = undefined;
  }

  type Which = "database" | "careful";

  async function runWith(
    mapping: Mapping,
    which: Which,
    kind: "read" | "write",
    statements: Statements,
    call?: StoreCall,
  ) {
    const { number, [which]: database } = mapping;
    // A write for another map would be wrong for ever.
    if (number === undefined || (options?.isWatched && kind === "read")) return database[kind](statements, call);
    const guarded = (function* () {
      yield requireMap(number);
      return yield* statements as Iterable<Statement>;
    })();
    return (await database[kind](guarded, call)).slice(1);
  }

  async function run(which: Which, kind: "read" | "write", statements: Statements, call?: StoreCall): Promise<Row[][]> {
    // Without a pause where the map is known, so that writes begin in the order of the calls.
    const mapping = known ?? (await load());
    try {
      return await runWith(mapping, which, kind, statements, call);
    } catch (error) {
      if (!isOutdated(error)) throw error;
      forgetMap();
      const iterator: unknown = statements[Symbol.iterator]();
      // The statements of a generator cannot be made again: the next call reads the new map.
      if (iterator === statements) throw error;
      return runWith(await load(), which, kind, statements, call);
    }
  }

  const running = (which: Which): SqlDatabase => ({
    ...database,
    read: (statements) => run(which, "read", statements),
    write: (statements, call) => run(which, "write", statements, call),
  });

  return {
    ...running("database"),
    careful: running("careful"),
    direct: database,
    isMapped: () => known?.number !== undefined,
    mapping: async () => ({ direct: database, careful: (known ?? (await load())).sources }),
    conversationTable: () =>
      known === undefined ? load().then(({ conversations }) => conversations) : known.conversations,
    forgetMap,
  };
}

function rewritten(statements: Statements, change: (statement: Statement) => Statement): Statements {
  if (Array.isArray(statements)) return statements.map(change);
  return {
    *[Symbol.iterator]() {
      const iterator = statements[Symbol.iterator]();
      try {
        let rows: Row[] | undefined;
        for (let next = iterator.next(); !next.done; next = iterator.next(rows)) rows = yield change(next.value);
      } finally {
        iterator.return?.();
      }
    },
  };
}
