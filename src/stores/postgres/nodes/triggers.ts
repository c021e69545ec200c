/** The triggers that append a change for each entry that comes or goes, whoever writes and with whatever statement. */
import { indexPlans, triggerRoutine } from "../schema/routine.js";
import { join, literal, name, raw, type Sql, sql } from "../sql.js";
import { type CountedList, everyCountedList } from "./counted.js";
import { keptTables, type Sizes } from "./tables.js";

export const countedTables = [...new Set(everyCountedList.map(({ table }) => table))];

/** The names of all triggers that keep the lists right. */
export const keepingTriggers: readonly string[] = [
  ...countedTables.flatMap((table) => ["insert", "delete", "update", "truncate"].map((event) => `${table}_${event}`)),
  "list_changes_fold",
];

export const nodeTriggers = (sizes: Sizes): Sql[] =>
  countedTables.flatMap((table) => {
    const lists = everyCountedList.filter((list) => list.table === table);
    return [
      ...statementTrigger({
        table,
        event: "insert",
        rows: "new_rows",
        one: lists.map((list) => added(list, "own", sizes)),
        all: lists.flatMap((list) => [changes(list, 1, "new_rows", sizes), announcements(list, "new_rows", sizes)]),
      }),
      ...statementTrigger({
        table,
        event: "delete",
        rows: "old_rows",
        one: lists.map((list) => removed(list, "own")),
        all: lists.map((list) => changes(list, -1, "old_rows", sizes)),
      }),
      // Row by row, so that rows whose places in lists stay, which are most of those updated, cost nothing.
      triggerRoutine({
        name: `${table}_update`,
        body: sql`
        BEGIN
          ${join(
            lists.map((list) => moved(list, sizes)),
            "\n",
          )}
          RETURN NULL;
        END`,
        settings: indexPlans,
      }),
      sql`
      CREATE OR REPLACE TRIGGER ${name(`${table}_update`)} AFTER UPDATE ON ${name(table)} FOR EACH ROW
        WHEN (${differ(lists)}) EXECUTE FUNCTION ${name(`${table}_update`)}()`,
      triggerRoutine({
        name: `${table}_truncate`,
        body: sql`
        BEGIN
          IF current_setting('transaction_isolation') <> 'read committed' THEN
            RAISE 'im-admin counts the rows of ${name(table)}: truncate it in a READ COMMITTED transaction';
          END IF;
          ${join(
            keptTables.map(
              (kept) => sql`DELETE FROM ${name(kept)} WHERE list IN (${join(lists.map(({ id }) => literal(id)))});`,
            ),
            "\n",
          )}
          RETURN NULL;
        END`,
      }),
      sql`
      CREATE OR REPLACE TRIGGER ${name(`${table}_truncate`)} AFTER TRUNCATE ON ${name(table)}
        FOR EACH STATEMENT EXECUTE FUNCTION ${name(`${table}_truncate`)}()`,
    ];
  });

interface StatementTrigger {
  table: string;
  event: "insert" | "delete";
  /** The name of the rows that the statement has written. */
  rows: string;
  /** What is done where it is one, `own`: to set about all of them takes longer. */
  one: readonly Sql[];
  /** The changes that are appended of all of them. */
  all: readonly Sql[];
}

/** A trigger for the rows of a statement together, which is faster than row by row. */
function statementTrigger({ table, event, rows, one, all: selects }: StatementTrigger): Sql[] {
  const own = `${table}_${event}`;
  return [
    triggerRoutine({
      name: own,
      body: sql`
        DECLARE
          own ${name(table)};
        BEGIN
          IF EXISTS (SELECT FROM ${name(rows)} OFFSET 1) THEN
            INSERT INTO list_changes (list, owner, key, change, is_folding)
              ${join(selects, "\nUNION ALL\n")};
            RETURN NULL;
          END IF;
          SELECT * INTO own FROM ${name(rows)};
          IF FOUND THEN
            ${join(one, "\n")}
          END IF;
          RETURN NULL;
        END`,
      settings: indexPlans,
    }),
    sql`
      CREATE OR REPLACE TRIGGER ${name(own)} AFTER ${raw(event.toUpperCase())} ON ${name(table)}
        REFERENCING ${raw(event === "insert" ? "NEW" : "OLD")} TABLE AS ${name(rows)}
        FOR EACH STATEMENT EXECUTE FUNCTION ${name(own)}()`,
  ];
}

/** Appends the change of a row that is listed no more. */
function removed(list: CountedList, row: string): Sql {
  return sql`
    IF ${list.isListed(row)} AND ${isAppended(list, list.owner(row))} THEN
      INSERT INTO list_changes (list, owner, key, change)
        VALUES (${literal(list.id)}, ${list.owner(row)}, ${list.key(row)}, -1);
    END IF;`;
}

/** Appends the change of a row that is listed now, or now and then has the end of the transaction see how long the list is. */
function added(list: CountedList, row: string, sizes: Sizes): Sql {
  const owner = list.owner(row);
  return sql`
    IF ${list.isListed(row)} THEN
      IF ${isAppended(list, owner)} THEN
        INSERT INTO list_changes (list, owner, key, change) VALUES (${literal(list.id)}, ${owner}, ${list.key(row)}, 1);
      ELSIF ${byChance(sizes)} AND ${isNotShort(list, owner, sizes)} THEN
        INSERT INTO list_changes (list, owner, key, change, is_folding) VALUES (${literal(list.id)}, ${owner}, '', 0, true);
      END IF;
    END IF;`;
}

/** Whether a list is at least half as long as one that is counted. */
const isNotShort = (list: CountedList, owner: Sql, { leaf }: Sizes) => sql`
  EXISTS (
    SELECT FROM ${name(list.table)} entry WHERE ${list.isOwnedBy(owner, "entry")} OFFSET ${literal(Math.floor(leaf / 2))})`;

/** Whether a list is announced, or counted. */
const isKnown = ({ id }: CountedList, owner: Sql) =>
  sql`EXISTS (SELECT FROM lists known WHERE known.list = ${literal(id)} AND known.owner = ${owner})`;

/** Whether the transaction sees what others commit meanwhile, and so whether a list is announced. */
const seesOthers = raw("current_setting('transaction_isolation') = 'read committed'");

export const isAppended = (list: CountedList, owner: Sql) => sql`(NOT ${seesOthers} OR ${isKnown(list, owner)})`;

/** Whether one of some changes folds, and one of some entries has the length of its list looked at. */
export const byChance = ({ changesPerFold }: Sizes) => raw(`random() * ${changesPerFold} < 1`);

/** The changes of many rows. */
function changes(list: CountedList, change: 1 | -1, rows: string, sizes: Sizes): Sql {
  return sql`
    SELECT ${literal(list.id)}, ${list.owner("row")}, ${list.key("row")}, ${literal(change)}, ${byChance(sizes)}
      FROM ${name(rows)} AS row WHERE ${list.isListed("row")} AND ${isAppended(list, list.owner("row"))}`;
}

/** Changes of nothing, which have the end of the transaction see how long lists are that are not known, nor quite short. */
function announcements(list: CountedList, rows: string, sizes: Sizes): Sql {
  return sql`
    SELECT ${literal(list.id)}, row.owner, '', 0, true
      FROM (SELECT ${list.owner("row")} AS owner FROM ${name(rows)} AS row WHERE ${list.isListed("row")}) AS row
      WHERE NOT ${isAppended(list, raw("row.owner"))}
      GROUP BY row.owner
      HAVING random() * ${literal(sizes.changesPerFold)} < count(*) AND ${isNotShort(list, raw("row.owner"), sizes)}`;
}

/** The changes of a list by the update of one row. */
function moved(list: CountedList, sizes: Sizes): Sql {
  return sql`
    IF ${differ([list])} THEN
      ${removed(list, "old")}
      ${added(list, "new", sizes)}
    END IF;`;
}

function differ(lists: readonly CountedList[]): Sql {
  const columns = [...new Set(lists.flatMap((list) => list.columns))];
  const of = (row: string) => join(columns.map((column) => sql`${raw(row)}.${name(column)}`));
  return sql`(${of("old")}) IS DISTINCT FROM (${of("new")})`;
}
