/**
 * The triggers of tables of which more than one thing is kept. Each trigger of a table takes time with every statement that
 * writes it, and its condition more than all else: so there is one for each event.
 */
import { join, literal, name, raw, type Sql, sql } from "../sql.js";
import { indexPlans, triggerRoutine } from "./routine.js";

/** What is done about rows that have come, or that have gone, in PL/pgSQL. */
export interface RowsUpkeep {
  /** About the row of a statement that wrote one, as mostly: it is in a variable. */
  one(row: string): Sql;
  /** About all the rows of a statement, or of a table, at once. */
  all(rows: Sql): Sql;
}

/** What is kept of a table, and what is to be done for that when the table is written. */
export interface Upkeep {
  table: string;
  inserted?: RowsUpkeep;
  deleted?: RowsUpkeep;
  /** About a row, `old`, that is now `new`, where one of some columns has changed, of which others may be. */
  updated?: { columns: readonly string[]; body: Sql };
  /** Where there are no rows any more. */
  truncated?: Sql;
}

const events = ["insert", "delete", "update", "truncate"] as const;

export const triggerNamesOf = (table: string): string[] => events.map((event) => `${table}_${event}`);

/** The triggers of all tables of which something is kept. */
export function tableTriggers(upkeeps: readonly Upkeep[]): Sql[] {
  return [...new Set(upkeeps.map(({ table }) => table))].flatMap((table) => {
    const own = upkeeps.filter((upkeep) => upkeep.table === table);
    return [
      ...rowsTrigger({
        table,
        event: "insert",
        transition: "NEW",
        kept: own.flatMap(({ inserted = [] }) => inserted),
      }),
      ...rowsTrigger({ table, event: "delete", transition: "OLD", kept: own.flatMap(({ deleted = [] }) => deleted) }),
      ...updateTrigger(
        table,
        own.flatMap(({ updated = [] }) => updated),
      ),
      ...trigger(table, "truncate", raw("FOR EACH STATEMENT"), lines(own.flatMap(({ truncated = [] }) => truncated))),
    ];
  });
}

/** Whether one of some columns has changed. */
export function differ(columns: readonly string[]): Sql {
  const of = (row: string) => join(columns.map((column) => sql`${raw(row)}.${name(column)}`));
  return sql`(${of("old")}) IS DISTINCT FROM (${of("new")})`;
}

const lines = (statements: readonly Sql[]) => join(statements, "\n");

interface RowsTrigger {
  table: string;
  event: "insert" | "delete";
  transition: "NEW" | "OLD";
  kept: readonly RowsUpkeep[];
}

/** For the rows of a statement together, which is faster than row by row; where it is one, to look at just that is faster still. */
function rowsTrigger({ table, event, transition, kept }: RowsTrigger): Sql[] {
  return trigger(
    table,
    event,
    raw(`REFERENCING ${transition} TABLE AS written FOR EACH STATEMENT`),
    sql`
      IF EXISTS (SELECT FROM written OFFSET 1) THEN
        ${lines(kept.map(({ all }) => all(raw("written"))))}
        RETURN NULL;
      END IF;
      SELECT * INTO own FROM written;
      IF FOUND THEN
        ${lines(kept.map(({ one }) => one("own")))}
      END IF;`,
    sql`own ${name(table)};`,
  );
}

/** Row by row, so that rows in which nothing of interest changes, which are most of those updated, cost nothing. */
function updateTrigger(table: string, kept: readonly NonNullable<Upkeep["updated"]>[]): Sql[] {
  const columns = [...new Set(kept.flatMap((updated) => updated.columns))];
  return trigger(
    table,
    "update",
    sql`FOR EACH ROW WHEN (${differ(columns)})`,
    lines(
      kept.map(
        ({ columns: changed, body }) => sql`
          IF ${differ(changed)} THEN
            ${body}
          END IF;`,
      ),
    ),
  );
}

/** The tables that triggers read, now and then, whichever of them is written. */
const readTables = ["users", "group_members", "blacks", "group_requests"];

/**
 * Has all writes fail where policies hide rows from the tables' owner, with whose rights triggers run, and not just those
 * that happen to read.
 */
export const refuseHiddenRows: Sql = sql`
  IF ${join(
    readTables.map((table) => sql`row_security_active(${literal(table)}::regclass)`),
    " OR ",
  )} THEN
    RAISE 'im-admin counts all rows of ${raw(readTables.join(", "))}, and their owner is not shown all of them'
      USING HINT = 'Run ALTER TABLE ... NO FORCE ROW LEVEL SECURITY.';
  END IF;`;

function trigger(
  table: string,
  event: (typeof events)[number],
  each: Sql,
  statements: Sql,
  declarations = raw(""),
): Sql[] {
  const own = name(`${table}_${event}`);
  const body = sql`
    DECLARE
      ${declarations}
    BEGIN
      ${refuseHiddenRows}
      ${statements}
      RETURN NULL;
    END`;
  return [
    triggerRoutine({ name: `${table}_${event}`, settings: indexPlans, body }),
    sql`
      CREATE OR REPLACE TRIGGER ${own} AFTER ${raw(event.toUpperCase())} ON ${name(table)}
        ${each} EXECUTE FUNCTION ${own}()`,
  ];
}
