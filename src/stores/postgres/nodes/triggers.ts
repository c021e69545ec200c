/** The triggers that append a change for each entry that comes or goes, whoever writes and with whatever statement. */
import { triggerRoutine } from "../schema/routine.js";
import { join, literal, name, raw, type Sql, sql } from "../sql.js";
import { type CountedList, everyCountedList } from "./counted.js";

const countedTables = [...new Set(everyCountedList.map(({ table }) => table))];

export const nodeTriggers: readonly Sql[] = countedTables.flatMap((table) => {
  const lists = everyCountedList.filter((list) => list.table === table);
  return [
    // A statement's rows all at once, which is faster than row by row.
    triggerRoutine({
      name: `${table}_insert`,
      body: sql`
        BEGIN
          ${append(lists.map((list) => changes(list, 1, "new_rows")))}
          RETURN NULL;
        END`,
    }),
    sql`
      CREATE TRIGGER ${name(`${table}_insert`)} AFTER INSERT ON ${name(table)} REFERENCING NEW TABLE AS new_rows
        FOR EACH STATEMENT EXECUTE FUNCTION ${name(`${table}_insert`)}()`,
    triggerRoutine({
      name: `${table}_delete`,
      body: sql`
        BEGIN
          ${append(lists.map((list) => changes(list, -1, "old_rows")))}
          RETURN NULL;
        END`,
    }),
    sql`
      CREATE TRIGGER ${name(`${table}_delete`)} AFTER DELETE ON ${name(table)} REFERENCING OLD TABLE AS old_rows
        FOR EACH STATEMENT EXECUTE FUNCTION ${name(`${table}_delete`)}()`,
    // Row by row, so that rows whose places in lists stay, which are most of those updated, cost nothing.
    triggerRoutine({
      name: `${table}_update`,
      body: sql`
        BEGIN
          ${join(lists.map(moved), "\n")}
          RETURN NULL;
        END`,
    }),
    sql`
      CREATE TRIGGER ${name(`${table}_update`)} AFTER UPDATE ON ${name(table)} FOR EACH ROW
        WHEN (${differ(lists)}) EXECUTE FUNCTION ${name(`${table}_update`)}()`,
    triggerRoutine({
      name: `${table}_truncate`,
      body: sql`
        BEGIN
          IF current_setting('transaction_isolation') <> 'read committed' THEN
            RAISE 'im-admin counts the rows of ${name(table)}: truncate it in a READ COMMITTED transaction';
          END IF;
          ${join(
            ["list_changes", "list_nodes", "lists"].map(
              (kept) => sql`DELETE FROM ${name(kept)} WHERE list IN (${join(lists.map(({ id }) => literal(id)))});`,
            ),
            "\n",
          )}
          RETURN NULL;
        END`,
    }),
    sql`
      CREATE TRIGGER ${name(`${table}_truncate`)} AFTER TRUNCATE ON ${name(table)}
        FOR EACH STATEMENT EXECUTE FUNCTION ${name(`${table}_truncate`)}()`,
  ];
});

function append(selects: readonly Sql[]): Sql {
  return sql`
    INSERT INTO list_changes (list, owner, key, change)
      ${join(selects, "\nUNION ALL\n")};`;
}

function changes(list: CountedList, change: 1 | -1, rows: string): Sql {
  return sql`
    SELECT ${literal(list.id)}, ${list.owner()}, ${list.key()}, ${literal(change)} FROM ${name(rows)}
      WHERE ${list.isListed()}`;
}

/** The changes of a list by the update of one row. */
function moved(list: CountedList): Sql {
  return sql`
    IF ${differ([list])} THEN
      INSERT INTO list_changes (list, owner, key, change)
        SELECT ${literal(list.id)}, ${list.owner("old")}, ${list.key("old")}, -1 WHERE ${list.isListed("old")}
        UNION ALL
        SELECT ${literal(list.id)}, ${list.owner("new")}, ${list.key("new")}, 1 WHERE ${list.isListed("new")};
    END IF;`;
}

function differ(lists: readonly CountedList[]): Sql {
  const columns = [...new Set(lists.flatMap((list) => list.columns))];
  const of = (row: string) => join(columns.map((column) => sql`${raw(row)}.${name(column)}`));
  return sql`(${of("old")}) IS DISTINCT FROM (${of("new")})`;
}
