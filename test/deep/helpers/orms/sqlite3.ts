/** The part of the package sqlite3 that Sequelize uses, over better-sqlite3: it installs without a compiler. */
import BetterSqlite3 from "better-sqlite3";

type Done = (this: { lastID?: number; changes?: number }, error: Error | null, rows?: unknown[]) => void;

class Database {
  readonly filename: string;
  readonly #connection: BetterSqlite3.Database;

  constructor(filename: string, _mode: number, done: Done) {
    this.filename = filename;
    this.#connection = new BetterSqlite3(filename);
    setImmediate(() => done.call({}, null));
  }

  serialize(next: () => void): void {
    next();
  }

  run(sql: string, values: unknown[] | object, done: Done = () => {}): this {
    return this.#call(sql, values, done);
  }

  all(sql: string, values: unknown[] | object, done: Done): this {
    return this.#call(sql, values, done);
  }

  close(done: Done): void {
    this.#connection.close();
    setImmediate(() => done.call({}, null));
  }

  #call(sql: string, values: unknown[] | object, done: Done): this {
    try {
      const statement = this.#connection.prepare<unknown[]>(sql);
      const given = Array.isArray(values) ? values : [];
      const rows = statement.reader ? statement.all(...given) : [];
      const { lastInsertRowid = 0, changes = 0 } = statement.reader ? {} : statement.run(...given);
      setImmediate(() => done.call({ lastID: Number(lastInsertRowid), changes }, null, rows));
    } catch (error) {
      setImmediate(() => done.call({}, error as Error));
    }
    return this;
  }
}

export const sqlite3 = {
  verbose() {
    return sqlite3;
  },
  Database,
  OPEN_READWRITE: 2,
  OPEN_CREATE: 4,
  OPEN_READONLY: 1,
  OPEN_FULLMUTEX: 0x1_0000,
};
