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
      // A statement's rows all at once, which is faster than row by row.
      triggerRoutine({
        name: `${table}_insert`,
        body: sql`
        BEGIN
          ${append(lists.flatMap((list) => [changes(list, 1, "new_rows", sizes), announcements(list, "new_rows", sizes)]))}
          RETURN NULL;
        END`,
        settings: indexPlans,
      }),
      sql`
      CREATE OR REPLACE TRIGGER ${name(`${table}_insert`)} AFTER INSERT ON ${name(table)} REFERENCING NEW TABLE AS new_rows
        FOR EACH STATEMENT EXECUTE FUNCTION ${name(`${table}_insert`)}()`,
      triggerRoutine({
        name: `${table}_delete`,
        body: sql`
        BEGIN
          ${append(lists.map((list) => changes(list, -1, "old_rows", sizes)))}
          RETURN NULL;
        END`,
        settings: indexPlans,
      }),
      sql`
      CREATE OR REPLACE TRIGGER ${name(`${table}_delete`)} AFTER DELETE ON ${name(table)} REFERENCING OLD TABLE AS old_rows
        FOR EACH STATEMENT EXECUTE FUNCTION ${name(`${table}_delete`)}()`,
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

function append(selects: readonly Sql[]): Sql {
  return sql`
    INSERT INTO list_changes (list, owner, key, change, is_folding)
      ${join(selects, "\nUNION ALL\n")};`;
}

/** Whether a list is announced, or counted. */
const isKnown = ({ id }: CountedList, owner: Sql) =>
  sql`EXISTS (SELECT FROM lists known WHERE known.list = ${literal(id)} AND known.owner = ${owner})`;

/** Whether the transaction sees what others commit meanwhile, and so whether a list is announced. */
const seesOthers = raw("current_setting('transaction_isolation') = 'read committed'");

export const isAppended = (list: CountedList, owner: Sql) => sql`(NOT ${seesOthers} OR ${isKnown(list, owner)})`;

/** Whether one of some changes folds, and one of some entries has the length of its list looked at. */
export const byChance = ({ changesPerFold }: Sizes) => raw(`random() * ${changesPerFold} < 1`);

function changes(list: CountedList, change: 1 | -1, rows: string, sizes: Sizes): Sql {
  return sql`
    SELECT ${literal(list.id)}, ${list.owner("row")}, ${list.key("row")}, ${literal(change)}, ${byChance(sizes)}
      FROM ${name(rows)} AS row WHERE ${list.isListed("row")} AND ${isAppended(list, list.owner("row"))}`;
}

/** Changes of nothing, which have the end of the transaction see how long lists are that are not known, nor quite short. */
function announcements(list: CountedList, rows: string, { leaf, changesPerFold }: Sizes): Sql {
  return sql`
    SELECT ${literal(list.id)}, row.owner, '', 0, true
      FROM (SELECT ${list.owner("row")} AS owner FROM ${name(rows)} AS row WHERE ${list.isListed("row")}) AS row
      WHERE NOT ${isAppended(list, raw("row.owner"))}
      GROUP BY row.owner HAVING random() * ${literal(changesPerFold)} < count(*) AND EXISTS (
        SELECT FROM ${name(list.table)} entry WHERE ${list.isOwnedBy(raw("row.owner"), "entry")} OFFSET ${literal(Math.floor(leaf / 2))})`;
}

/** The changes of a list by the update of one row. */
function moved(list: CountedList, sizes: Sizes): Sql {
  const owner = list.owner("new");
  return sql`
    IF ${differ([list])} THEN
      ${append([
        sql`
          SELECT ${literal(list.id)}, ${list.owner("old")}, ${list.key("old")}, -1, ${byChance(sizes)}
            WHERE ${list.isListed("old")} AND ${isAppended(list, list.owner("old"))}`,
        sql`
          SELECT ${literal(list.id)}, ${owner}, ${list.key("new")}, 1, ${byChance(sizes)}
            WHERE ${list.isListed("new")} AND ${isAppended(list, owner)}`,
        sql`
          SELECT ${literal(list.id)}, ${owner}, '', 0, true
            WHERE ${list.isListed("new")} AND NOT ${isAppended(list, owner)} AND ${byChance(sizes)}`,
      ])}
    END IF;`;
}

function differ(lists: readonly CountedList[]): Sql {
  const columns = [...new Set(lists.flatMap((list) => list.columns))];
  const of = (row: string) => join(columns.map((column) => sql`${raw(row)}.${name(column)}`));
  return sql`(${of("old")}) IS DISTINCT FROM (${of("new")})`;
}
