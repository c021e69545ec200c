import type { Sql } from "../sql.js";
import { migrationsAfter } from "./migrations.js";

/** The statements that give a table of an earlier version each column that it lacks, by the names of both. */
export const columnAdditions: ReadonlyMap<string, Sql> = new Map(
  migrationsAfter(1)
    .flat()
    .flatMap((statement) => {
      const [, table, column] = /^ALTER TABLE (\w+) ADD COLUMN (\w+)/.exec(statement.text) ?? [];
      return table === undefined ? [] : [[`${table}.${column}`, statement] as const];
    }),
);
