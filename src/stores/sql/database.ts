/** A value that every engine can bind. */
export type Value = string | number | null;

/** An SQL statement with `?` for each of its values. */
export interface Statement {
  sql: string;
  values: readonly Value[];
}

/** A row of a result, by the names of its columns. */
export type Row = Record<string, Value>;

/**
 * All that the SQL of a bundled store needs of its engine. Both methods run all statements and return the rows of
 * each; no statement depends on a result of another, so that engines without interactive transactions serve too.
 */
export interface SqlDatabase {
  /** Runs statements that only read, against one consistent view. */
  read(statements: readonly Statement[]): Promise<Row[][]>;
  /** Runs statements in one transaction: all of them take effect or none. An engine may take them one by one as they run. */
  write(statements: Iterable<Statement>): Promise<Row[][]>;
  close(): Promise<void>;
}
