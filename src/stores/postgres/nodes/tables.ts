/**
 * What the database keeps of its counted lists, so that any page of a list costs about what the first one costs.
 *
 * An entry of a list has a key, one text that sorts bytewise, by which an index has the entries in their order. Short
 * lists are counted whenever they are read, and nothing is kept of them. A long one has a row in `lists`; its writers
 * only append to `list_changes`: +1 or -1 for a key, in the transaction that adds or takes away its row. So none waits
 * for another, and the order in which triggers run does not matter. Now and then a writer folds: it moves what is
 * pending into `lists` and `list_nodes`, alone. In every snapshot
 *
 *   entries = what `lists` and `list_nodes` count + pending changes,
 *
 * because a change is committed with its row, and a fold deletes what it adds.
 *
 * A node of level 1 counts the entries from its `start` up to the next node's; a node of level 2 those of several nodes
 * of level 1, whose starts include its own, and so on up to the list's `height`. The first node of a level starts at "".
 *
 * `folded_before` is a transaction number: every change of an earlier transaction is folded. Readers look at later
 * changes only, and pass by those that are deleted and that VACUUM may not remove yet, as while pg_dump runs.
 *
 * A list that grows long is announced first (height -2): from then on, writers append. It is counted when every
 * transaction is over that may not have seen this. Its row is written once more (height -1) by a later transaction, with
 * a new transaction number: those who have a later one have seen the row, and when all others are over, the rows of the
 * list less the pending changes are what it counts. Writers with a snapshot for a whole transaction always append.
 */
import { literal, name, type Sql, sql } from "../sql.js";
import { type CountedList, everyCountedList } from "./counted.js";

/** How many entries nodes count; tests use few. */
export interface Sizes {
  /** At most, a node of level 1, and a list that is counted whenever it is read. */
  leaf: number;
  /** How many times the entries of its children's level a larger node counts at most; at least 2. */
  fanout: number;
  /** Of how many changes one folds, on average. */
  changesPerFold: number;
}

export const defaultSizes: Sizes = { leaf: 128, fanout: 100, changesPerFold: 64 };

export const nodeTables = ({ changesPerFold }: Sizes): Sql[] => [
  sql`
    CREATE TABLE IF NOT EXISTS lists (
      list smallint NOT NULL,
      owner text COLLATE "C" NOT NULL,
      total bigint NOT NULL DEFAULT 0,
      height integer NOT NULL DEFAULT -2,
      announced_by xid8 NOT NULL DEFAULT pg_current_xact_id(),
      folded_before xid8,
      PRIMARY KEY (list, owner),
      CHECK ((height >= 0) = (folded_before IS NOT NULL))
    ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05)`,
  sql`CREATE INDEX IF NOT EXISTS lists_announced ON lists (list, owner) WHERE height < 0`,
  sql`
    CREATE TABLE IF NOT EXISTS list_nodes (
      list smallint NOT NULL,
      owner text COLLATE "C" NOT NULL,
      level integer NOT NULL,
      start text COLLATE "C" NOT NULL,
      total bigint NOT NULL,
      PRIMARY KEY (list, owner, level, start)
    ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05)`,
  sql`
    CREATE TABLE IF NOT EXISTS list_changes (
      list smallint NOT NULL,
      owner text COLLATE "C" NOT NULL,
      transaction xid8 NOT NULL DEFAULT pg_current_xact_id(),
      id bigint GENERATED ALWAYS AS IDENTITY,
      key text COLLATE "C" NOT NULL,
      change integer NOT NULL,
      is_folding boolean NOT NULL DEFAULT random() * ${literal(changesPerFold)} < 1,
      PRIMARY KEY (list, owner, transaction, id)
    ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)`,
];

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
