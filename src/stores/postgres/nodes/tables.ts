/**
 * What the database keeps of its counted lists, so that any page of a list costs about what the first one costs.
 *
 * An entry of a list has a key, one text that sorts bytewise, by which an index has the entries in their order. Short
 * lists are counted whenever they are read, and nothing is kept of them. A long one has a row in `lists`; its writers
 * only append to `list_changes`: +1 or -1 for a key, in the transaction that adds or takes away its row. So none waits
 * for another, and the order in which triggers run does not matter. Now and then a writer asks in `due_folds` for a fold,
 * which moves what is pending into `list_totals` and `list_nodes`, alone: at the end of the same transaction or, where that
 * cannot be, of a later one. In every snapshot
 *
 *   entries = what `list_totals` and `list_nodes` count + pending changes,
 *
 * because a change is committed with its row, and a fold deletes what it adds.
 *
 * A node divides its range of keys among its children: the first one's begins at `bounds[1]` and ends where the second
 * one's begins, at `bounds[2]`, and so on; `totals` tells how many entries each has. The children of a node of level 1
 * are ranges of entries, and those of a larger one are the nodes of the level below. The one node of the level `height`
 * has the whole list.
 *
 * While pg_dump runs, nothing that is dead is removed, and each fold leaves more of it, which readers must not have to
 * pass by. So each fold gives the rows that it changes its transaction's number as their `version`, and readers look for
 * the newest version that their snapshot may know of: it is the one that they see. `folded_before` is a transaction
 * number too: readers look at changes of that one and of later ones, since all others are folded, but for those of
 * `unfinished`. These are earlier ones that were still under way, which may go on for long.
 *
 * A list that grows long is announced first, by its row in `lists`: from then on, writers append. It is counted when
 * every transaction is over that may not have seen this. Its row is marked by a later transaction, with a new transaction
 * number: those who have a later one have seen the row, and when all others are over, the rows of the list less the
 * pending changes are what it counts. Writers with a snapshot for a whole transaction always append.
 */
import { name, type Sql, sql } from "../sql.js";
import { type CountedList, everyCountedList } from "./counted.js";

/** How large nodes are; tests have small ones. */
export interface Sizes {
  /** How many entries a child of a node of level 1 has at most, and a list that is counted whenever it is read. */
  leaf: number;
  /** How many children a node has at most; at least 4. */
  fanout: number;
  /** Of how many changes one folds, on average. */
  changesPerFold: number;
  /** How many transactions may begin after one that is under way before a fold names it by itself. */
  recent: number;
  /** Of how many members on a group has documents for the search; it has none any more when half of them are gone. */
  searched: number;
}

export const defaultSizes: Sizes = { leaf: 128, fanout: 128, changesPerFold: 64, recent: 1000, searched: 2000 };

export const nodeTables: readonly Sql[] = [
  sql`
    CREATE TABLE IF NOT EXISTS lists (
      list smallint NOT NULL,
      owner text COLLATE "C" NOT NULL,
      announced_by xid8 NOT NULL DEFAULT pg_current_xact_id(),
      is_marked boolean NOT NULL DEFAULT false,
      is_counted boolean NOT NULL DEFAULT false,
      PRIMARY KEY (list, owner)
    )`,
  sql`CREATE INDEX IF NOT EXISTS lists_announced ON lists (list, owner) WHERE NOT is_counted`,
  sql`
    CREATE TABLE IF NOT EXISTS list_totals (
      list smallint NOT NULL,
      owner text COLLATE "C" NOT NULL,
      version xid8 NOT NULL,
      total bigint NOT NULL,
      height integer NOT NULL,
      folded_before xid8 NOT NULL,
      unfinished xid8[] NOT NULL DEFAULT '{}',
      PRIMARY KEY (list, owner, version)
    ) WITH (autovacuum_vacuum_scale_factor = 0.05)`,
  sql`
    CREATE TABLE IF NOT EXISTS list_changes (
      list smallint NOT NULL,
      owner text COLLATE "C" NOT NULL,
      transaction xid8 NOT NULL DEFAULT pg_current_xact_id(),
      key text COLLATE "C" NOT NULL,
      change integer NOT NULL
    ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)`,
  sql`CREATE INDEX IF NOT EXISTS list_changes_of_lists ON list_changes (list, owner, transaction)`,
  // Whoever folds a list deletes all that asked for it.
  sql`
    CREATE TABLE IF NOT EXISTS due_folds (
      list smallint NOT NULL,
      owner text COLLATE "C" NOT NULL,
      transaction xid8 NOT NULL DEFAULT pg_current_xact_id()
    ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`,
  sql`CREATE INDEX IF NOT EXISTS due_folds_of_lists ON due_folds (list, owner, transaction)`,
  // Without this, nothing could be deleted from them where a host publishes all tables.
  ...["list_changes", "due_folds"].map((table) => sql`ALTER TABLE ${name(table)} REPLICA IDENTITY FULL`),
  sql`
    CREATE TABLE IF NOT EXISTS list_nodes (
      list smallint NOT NULL,
      owner text COLLATE "C" NOT NULL,
      level integer NOT NULL,
      start text COLLATE "C" NOT NULL,
      version xid8 NOT NULL,
      bounds text[] COLLATE "C" NOT NULL,
      totals bigint[] NOT NULL,
      PRIMARY KEY (list, owner, level, start, version)
    ) WITH (autovacuum_vacuum_scale_factor = 0.05)`,
  // Long ones apart from the row, where a fold that changes totals alone leaves them.
  sql`ALTER TABLE list_nodes ALTER bounds SET STORAGE EXTERNAL`,
];

/** What is kept of lists. */
export const keptTables = ["due_folds", "list_changes", "list_nodes", "list_totals", "lists"] as const;

/** For each list an index, in which its entries stand in their order, and a view of them. */
export const orders: readonly Sql[] = everyCountedList.flatMap((list) => [
  sql`
    CREATE INDEX IF NOT EXISTS ${name(`${list.name}_in_order`)}
      ON ${name(list.table)} (${list.hasOwners ? sql`${list.owner()}, ` : sql``}${list.key()})${whereListed(list)}`,
  sql`
    CREATE OR REPLACE VIEW ${entriesOf(list)} AS
      SELECT ${list.owner()} AS owner, ${list.key()} AS key FROM ${name(list.table)}${whereListed(list)}`,
]);

function whereListed(list: CountedList): Sql {
  return list.isPartial ? sql` WHERE ${list.isListed()}` : sql``;
}

/** The view of a list's entries. */
export function entriesOf(list: CountedList): Sql {
  return name(`${list.name}_entries`);
}
