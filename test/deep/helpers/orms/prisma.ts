/**
 * The statements that `prisma migrate` writes. Its own engine is a program that its installation downloads.
 */
import BetterSqlite3 from "better-sqlite3";
import pg from "pg";
import type { Orm, Target } from "./host.js";

/** Prisma makes a table of SQLite again for each change but a new column. */
const redefined = (columns: string, kept: string) => `
  PRAGMA defer_foreign_keys=ON;
  PRAGMA foreign_keys=OFF;
  CREATE TABLE "new_person" (${columns});
  INSERT INTO "new_person" (${kept}) SELECT ${kept} FROM "person";
  DROP TABLE "person";
  ALTER TABLE "new_person" RENAME TO "person";
  CREATE INDEX "person_name_idx" ON "person"("name");
  PRAGMA foreign_keys=ON;
  PRAGMA defer_foreign_keys=OFF;`;

const own = '"id" INTEGER NOT NULL PRIMARY KEY, "name" TEXT, "level" INTEGER';

const inSqlite = [
  ["adds a column", 'ALTER TABLE "person" ADD COLUMN "seen" INTEGER;'],
  [
    "changes a column",
    redefined(`${own}, "note" TEXT DEFAULT '', "seen" TEXT`, '"id", "name", "level", "note", "seen"'),
  ],
  ["drops a column", redefined(`${own}, "note" TEXT`, '"id", "name", "level", "note"')],
] as const;

const inPostgres = [
  ["adds a column", 'ALTER TABLE "chat"."person" ADD COLUMN "seen" INTEGER;'],
  [
    "changes a column",
    'ALTER TABLE "chat"."person" ALTER COLUMN "seen" SET DATA TYPE TEXT, ALTER COLUMN "note" SET DEFAULT \'\';',
  ],
  ["drops a column", 'ALTER TABLE "chat"."person" DROP COLUMN "seen";'],
] as const;

export function prisma({ engine, place }: Target): Orm {
  const isFile = engine === "sqlite";
  const schema = isFile ? "" : '"chat".';
  const file = isFile ? new BetterSqlite3(place) : undefined;
  const pool = isFile ? undefined : new pg.Pool({ connectionString: place });
  const run = async (statements: string) => file?.exec(statements) ?? pool?.query(statements);
  return {
    create: () =>
      run(`
        CREATE TABLE ${schema}"person" ("id" INTEGER NOT NULL PRIMARY KEY, "name" TEXT, "level" INTEGER, "note" TEXT);
        CREATE TABLE ${schema}"room" ("id" TEXT NOT NULL PRIMARY KEY, "title" TEXT);
        CREATE TABLE ${schema}"membership" ("room_id" TEXT NOT NULL, "person_id" INTEGER NOT NULL, "role" TEXT,
          "joined_at" BIGINT, PRIMARY KEY ("room_id", "person_id"))`),
    migrations: (isFile ? inSqlite : inPostgres).map(([what, statements]) => [what, () => run(statements)] as const),
    close: async () => {
      file?.close();
      await pool?.end();
    },
  };
}
