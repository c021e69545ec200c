/**
 * Settles what has changed: derives each changed key anew from the records, and brings the lists, their nodes and words
 * up to date. To settle a key twice does no harm.
 */
import type { RecordName } from "../../../records.js";
import { remembered } from "../../../remembered.js";
import type { Row, SqlDatabase, Statement, Statements } from "../database.js";
import { isSettled, unreadableKind, waitingKinds } from "../schema/changed.js";
import { listed } from "../schema/listed.js";
import type { Sizes } from "../schema/sizes.js";
import { literal, sql } from "../sql.js";
import { forgetKeys } from "./changedKeys.js";
import { expandKeys, listedChanges, markRenamed } from "./listedChanges.js";
import { mendLists } from "./mendLists.js";
import { renewWords } from "./words.js";

/** The kinds of whole keys, in the order in which they are settled. */
export const allKinds: readonly RecordName[] = listed.map(({ table }) => table);

/** The statements for all sizes. */
const statementsOf = remembered((sizes: Sizes) => ({
  changes: listed.map((own) => ({
    record: own.table,
    ...listedChanges(own, sizes),
    forget: forgetKeys(own.table),
  })),
  mendLists: mendLists(sizes),
  needs: sql`
    SELECT ${waitingKinds} AS waiting, EXISTS (SELECT 1 FROM im_admin_lists WHERE is_unfit)
        OR EXISTS (SELECT 1 FROM im_admin_list_nodes INDEXED BY im_admin_list_nodes_unfit WHERE is_unfit) AS lists,
      EXISTS (SELECT 1 FROM im_admin_list_words INDEXED BY im_admin_list_words_stale WHERE is_stale) AS words`,
}));

/** How many changes wait to be settled. */
export async function countChanges(database: Pick<SqlDatabase, "read">): Promise<number> {
  const [[row] = []] = await database.read([
    sql`SELECT count(*) AS waiting FROM im_admin_changed WHERE kind <> ${literal(unreadableKind)}`,
  ]);
  return Number(row?.["waiting"]);
}

/** The kinds that {@link waitingKinds} has found. */
export function kindsOf(waiting: unknown): string[] {
  return typeof waiting === "string" ? JSON.parse(waiting) : [];
}

/** A part of the statements of a write. An engine that runs a batch of statements does not answer in between. */
type Settling = Generator<Statement, void, Row[] | undefined>;

/** Settles changes of some kinds: parts of keys first, since they become keys of records. */
function* settleKinds(sizes: Sizes, given: readonly string[]): Settling {
  const kinds = given.filter(isSettled);
  yield* kinds.filter((kind) => kind.includes(" ")).flatMap(expandKeys);
  // Nobody but a trigger of ours should note a key. What anybody else has noted must not wait for ever.
  yield* kinds.filter((kind) => !allKinds.includes(kind as RecordName)).map(forgetKeys);
  let answers = true;
  if (kinds.includes("users")) answers = (yield markRenamed) !== undefined;
  for (const { record, ask, count, words, remove, add, start, forget } of statementsOf(sizes).changes) {
    if (!kinds.some((kind) => kind.split(" ")[0] === record)) continue;
    const rows = answers ? yield ask : undefined;
    answers = rows !== undefined;
    const [{ come, go, move } = {}] = rows ?? [{ come: 1, go: 1, move: 1 }];
    yield* [
      ...(move ? count : []),
      ...(come || go ? words : []),
      ...(go && move ? [remove] : []),
      ...(come ? [add] : []),
      ...(come && move ? [start] : []),
      forget,
    ];
  }
}

/** The statements that mend what the settled changes have left unfit, by the row of `needs`. */
function mendings(sizes: Sizes, { lists, words }: Row = {}): Statement[] {
  return [...(lists ? statementsOf(sizes).mendLists : []), ...(words ? [renewWords] : [])];
}

/**
 * Settles the given kinds as a part of a write, and then what else waits, portion by portion. An engine that runs a batch
 * of statements settles one portion of the given kinds, and the next call mends what that has left.
 */
export function* settling(
  sizes: Sizes,
  given: readonly string[],
  portions = Number.POSITIVE_INFINITY,
  tryAgain?: (kinds: readonly string[]) => Statement[],
): Settling {
  let kinds = given;
  for (let portion = 0; portion < portions && kinds.length > 0; portion += 1) {
    yield* tryAgain?.(kinds) ?? [];
    yield* settleKinds(sizes, kinds);
    const left = yield statementsOf(sizes).needs;
    if (left === undefined) return;
    yield* mendings(sizes, left[0]);
    kinds = kindsOf(left[0]?.["waiting"]);
    if (!kinds.some(isSettled)) return;
  }
}

/**
 * Runs the statements of a write, and settles what they have changed in the same transaction.
 *
 * @param records the kinds of records that the statements have written when they are over
 */
export async function writeSettled(
  database: SqlDatabase,
  sizes: Sizes,
  records: ReadonlySet<RecordName>,
  statements: Settling,
): Promise<void> {
  // Without a pause where that can be, so that writes begin in the order of the calls. Reads tell what cannot be mended.
  const looked = database.lookAtSchema?.();
  if (looked instanceof Promise) await looked.catch(() => {});
  const kinds = () => allKinds.filter((kind) => records.has(kind));
  function* settled(): Settling {
    yield* statements;
    if (!database.isMapped?.()) yield* settling(sizes, kinds());
  }
  await mendLater(database, sizes, settled());
  // A row of a host that cannot be read must not undo the write. Reads settle what is left, and tell what cannot be.
  if (database.isMapped?.()) await settle(database, sizes, kinds()).catch(() => {});
}

export async function mendLater(database: SqlDatabase, sizes: Sizes, statements: Statements): Promise<void> {
  const results = await database.write(statements);
  const left = mendings(sizes, results.at(-1)?.[0]);
  if (left.length > 0) await database.write(left);
}

/** Settles what waits, of each kind at most a portion. */
export async function settle(database: SqlDatabase, sizes: Sizes, kinds: readonly string[]): Promise<void> {
  if (database.recovery) return database.recovery.settle(database, sizes, kinds);
  await mendLater(database, sizes, { [Symbol.iterator]: () => settling(sizes, kinds, 1) });
}
