/** What is appended for each entry that comes or goes, whoever writes and with whatever statement: see tables.ts. */
import { differ, type RowsUpkeep, type Upkeep } from "../schema/triggers.js";
import { join, literal, name, raw, type Sql, sql } from "../sql.js";
import { type CountedList, everyCountedList } from "./counted.js";
import { keptTables, type Sizes } from "./tables.js";

export const countedTables = [...new Set(everyCountedList.map(({ table }) => table))];

export const listUpkeeps = (sizes: Sizes): Upkeep[] =>
  countedTables.map((table) => {
    const lists = everyCountedList.filter((list) => list.table === table);
    const ofMoved = (selects: (list: CountedList) => Sql[]) =>
      lists.flatMap((list) => selects(list).map((select) => sql`${select} AND ${differ(list.columns)}`));
    return {
      table,
      inserted: rowsOf(lists, 1, sizes),
      deleted: rowsOf(lists, -1, sizes),
      updated: {
        columns: [...new Set(lists.flatMap((list) => list.columns))],
        body: sql`
          ${append(
            ofMoved((list) => [changes({ list, change: -1, row: "old" }), changes({ list, change: 1, row: "new" })]),
          )}
          ${askToFoldByChance(
            ofMoved((list) => [ownerOf(list, "old", sizes), ownerOf(list, "new", sizes)]),
            sizes,
          )}`,
      },
      truncated: sql`
        IF NOT ${seesOthers} THEN
          RAISE 'im-admin counts the rows of ${name(table)}: truncate it in a READ COMMITTED transaction';
        END IF;
        ${join(
          keptTables.map(
            (kept) => sql`DELETE FROM ${name(kept)} WHERE list IN (${join(lists.map(({ id }) => literal(id)))});`,
          ),
          "\n",
        )}`,
    };
  });

const rowsOf = (lists: readonly CountedList[], change: 1 | -1, sizes: Sizes): RowsUpkeep => ({
  one: (row) => sql`
    ${append(lists.map((list) => changes({ list, change, row })))}
    ${askToFoldByChance(
      lists.map((list) => ownerOf(list, row, sizes)),
      sizes,
    )}`,
  all: (rows) => sql`
    ${append(lists.map((list) => changes({ list, change, row: "entry", rows })))}
    IF ${seesOthers} THEN
      ${askToFold(lists.map((list) => ownersOf(list, rows, sizes)))}
    END IF;`,
});

const union = (selects: readonly Sql[]) => join(selects, "\nUNION ALL\n");

/** Appends changes. */
export const append = (selected: readonly Sql[]): Sql => sql`
  INSERT INTO list_changes (list, owner, key, change)
    ${union(selected)};`;

interface Changes {
  list: CountedList;
  change: 1 | 0 | -1;
  /** The row, or what stands for each of `rows`. */
  row: string;
  rows?: Sql;
}

/** The changes by the row in a variable, or by many rows. */
export const changes = ({ list, change, row, rows }: Changes): Sql => sql`
  SELECT ${literal(list.id)}, ${list.owner(row)}, ${list.key(row)}, ${literal(change)}
    ${rows === undefined ? sql`` : sql`FROM ${rows} AS ${raw(row)} `}
    WHERE ${list.isListed(row)} AND (NOT ${seesOthers} OR ${isKnown(list, list.owner(row))})`;

/** Has lists folded, or announced, at the end of the transaction. */
export const askToFold = (owners: readonly Sql[]): Sql => sql`
  INSERT INTO due_folds (list, owner)
    ${union(owners)};`;

/** The same after one of some changes. Transactions that do not see what others commit do not fold. */
export const askToFoldByChance = (owners: readonly Sql[], { changesPerFold }: Sizes): Sql => sql`
  IF random() * ${literal(changesPerFold)} < 1 AND ${seesOthers} THEN
    ${askToFold(owners)}
  END IF;`;

/** The list that a row is in, if it is to be folded. */
export const ownerOf = (list: CountedList, row: string, sizes: Sizes): Sql => sql`
  SELECT ${literal(list.id)}, ${list.owner(row)} WHERE ${list.isListed(row)} AND ${isToBeFolded(list, list.owner(row), sizes)}`;

/** The lists that rows are in, if they are to be folded: the more rows, the likelier. */
const ownersOf = (list: CountedList, rows: Sql, sizes: Sizes) => sql`
  SELECT ${literal(list.id)}, owners.owner
    FROM (SELECT ${list.owner("entry")} AS owner FROM ${rows} AS entry WHERE ${list.isListed("entry")}) AS owners
    GROUP BY owners.owner
    HAVING random() * ${literal(sizes.changesPerFold)} < count(*) AND ${isToBeFolded(list, raw("owners.owner"), sizes)}`;

/** Whether a list is announced, or counted, or at least half as long as one that is counted. */
const isToBeFolded = (list: CountedList, owner: Sql, { leaf }: Sizes) => sql`
  (${isKnown(list, owner)} OR EXISTS (
    SELECT FROM ${name(list.table)} listed
      WHERE ${list.isOwnedBy(owner, "listed")} OFFSET ${literal(Math.floor(leaf / 2))}))`;

/** True where a list is announced, or counted; else NULL. With EXISTS, the planner might look at all lists there are. */
const isKnown = ({ id }: CountedList, owner: Sql) =>
  sql`(SELECT true FROM lists known WHERE known.list = ${literal(id)} AND known.owner = ${owner})`;

/** Whether the transaction sees what others commit meanwhile, and so whether a list is announced. */
const seesOthers = raw("(current_setting('transaction_isolation') = 'read committed')");
