/** Files that are no databases of im-admin, as other programs make, leave and lose them. */
import { createHash, randomBytes } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import BetterSqlite3 from "better-sqlite3";

/** Makes a file by SQL. */
export function makeFile(path: string, sql: string): void {
  const connection = new BetterSqlite3(path);
  connection.exec(sql);
  connection.close();
}

/** Makes a file by SQL, and leaves it and what is beside it as a process does that is killed at this moment. */
export function makeUnfinishedFile(path: string, sql: string): void {
  const connection = new BetterSqlite3(path);
  connection.exec(sql);
  const files = ["", "-journal", "-wal", "-shm"].map((suffix) => path + suffix).filter(existsSync);
  for (const file of files) copyFileSync(file, `${file}.killed`);
  connection.close();
  for (const file of files) renameSync(`${file}.killed`, file);
}

const django = `
  CREATE TABLE django_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, app TEXT NOT NULL, name TEXT NOT NULL);
  CREATE TABLE auth_user (id INTEGER PRIMARY KEY AUTOINCREMENT, username TEXT NOT NULL UNIQUE);
  CREATE INDEX auth_user_name ON auth_user (username);
  INSERT INTO auth_user (username) VALUES ('ann');`;

/** More than SQLite keeps in memory, so that the transaction has begun to write the file. */
const unfinished = `
  PRAGMA cache_size = 1;
  BEGIN;
  WITH RECURSIVE numbers (number) AS (VALUES (1) UNION ALL SELECT number + 1 FROM numbers WHERE number < 20000)
    INSERT INTO host SELECT 'text of a host ' || number FROM numbers;`;

const ofAnother = (what: string) => `it is no database of im-admin, but of another program, with the ${what}`;

/** How each file is made, and the sentence by which it is refused. */
export const foreignFiles: Record<string, [make: (path: string) => void, sentence: string]> = {
  "of Django": [(path) => makeFile(path, django), ofAnother("table django_migrations and 1 more")],
  "of Rails, in WAL mode": [
    (path) =>
      makeFile(path, "PRAGMA journal_mode = WAL; CREATE TABLE schema_migrations (version TEXT NOT NULL PRIMARY KEY)"),
    ofAnother("table schema_migrations"),
  ],
  "of Prisma": [
    (path) => makeFile(path, "CREATE TABLE users (id INTEGER PRIMARY KEY, email TEXT)"),
    ofAnother("table users"),
  ],
  "that has only a view": [
    (path) => makeFile(path, "CREATE VIEW answers AS SELECT 42 AS answer"),
    ofAnother("view answers"),
  ],
  "that has only an application_id": [
    (path) => makeFile(path, "PRAGMA application_id = 252006674"),
    "it is no database of im-admin, but of another program",
  ],
  "that has only a user_version": [
    (path) => makeFile(path, "PRAGMA user_version = 7"),
    "it is no database of im-admin, but of another program",
  ],
  "with changes that a killed program has left in its -wal": [
    (path) => makeUnfinishedFile(path, "PRAGMA journal_mode = WAL; CREATE TABLE host (name TEXT)"),
    ofAnother("table host"),
  ],
  "with a write that a killed program has left unfinished": [
    (path) => {
      makeFile(path, "CREATE TABLE host (name TEXT)");
      makeUnfinishedFile(path, unfinished);
    },
    "-journal has a write that a program left unfinished when it ended: open the database with that program once",
  ],
};

const noDatabase = "it is no SQLite database, or it is encrypted, or its first page is damaged";

/** How files are made that are no databases, or no longer, and the sentence by which they are refused. */
export const brokenFiles: Record<string, [make: (path: string) => void, sentence: string]> = {
  "a letter": [(path) => writeFileSync(path, "Dear reader"), noDatabase],
  "random bytes, as an encrypted database has": [(path) => writeFileSync(path, randomBytes(65_536)), noDatabase],
  "a database of which the first page was cut": [
    (path) => {
      makeFile(path, django);
      truncateSync(path, 300);
    },
    "its pages are damaged",
  ],
  "a database whose pages are random bytes after the header": [
    (path) => {
      makeFile(path, django);
      const content = readFileSync(path);
      writeFileSync(path, Buffer.concat([content.subarray(0, 100), randomBytes(content.length - 100)]));
    },
    "its pages are damaged",
  ],
};

/** The files of a folder: the bits of what may be done with each, and what stands for its content. */
export function stateOf(folder: string): Record<string, string> {
  const states = readdirSync(folder).map((name) => {
    const path = `${folder}/${name}`;
    // SQLite makes a -shm anew whenever it likes: it holds nothing that is not in the -wal.
    const content = name.endsWith("-shm") ? "" : createHash("sha256").update(readFileSync(path)).digest("hex");
    return [name, `${(statSync(path).mode & 0o777).toString(8)} ${content}`];
  });
  return Object.fromEntries(states);
}
