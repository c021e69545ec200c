/**
 * Settles what has changed: derives each changed key anew from the records, and brings the lists, their nodes and the
 * documents up to date. To settle a key twice does no harm.
 */
import { type RecordName, recordNames } from "../../../records.js";
import { remembered } from "../../../remembered.js";
import type { Row, SqlDatabase, Statement, Statements } from "../database.js";
import { waitingKinds } from "../schema/changed.js";
import { listedOf } from "../schema/listed.js";
import type { Sizes } from "../schema/sizes.js";
import { type Sql, sql } from "../sql.js";
import { concernsDocuments, deleteDocuments, makeDocuments } from "./documentChanges.js";
import { listedChanges } from "./listedChanges.js";
import { applyChanges, areEnoughChanges, haveListsWrongDocuments, mendDocuments } from "./mendDocuments.js";
import { mendLists } from "./mendLists.js";
import { expandKeys } from "./partialKeys.js";
import { forgetKeys } from "./portion.js";

/** The statements for all sizes and kinds, as texts. */
const textsOf = remembered((sizes: Sizes) => {
  const asTexts = (statements: readonly Sql[]) => statements.map(({ text }) => text);
  const ofRecord = (record: RecordName) => {
    const listed = listedOf(record);
    const isSearched = concernsDocuments(record);
    const changes = listed && listedChanges(listed, sizes);
    return {
      ask: changes?.ask.text,
      count: asTexts(changes?.count ?? []),
      remove: asTexts(changes === undefined ? [] : [changes.remove]),
      add: asTexts(changes?.add ?? []),
      deleteDocuments: asTexts(isSearched ? [deleteDocuments(record)] : []),
      makeDocuments: asTexts(isSearched ? [makeDocuments(record)] : []),
      forget: forgetKeys(record).text,
    };
  };
  return {
    records: new Map(recordNames.map((record) => [record, ofRecord(record)])),
    mendDocuments: asTexts(mendDocuments(sizes)),
    applyChanges: asTexts(applyChanges),
    mendLists: asTexts(mendLists(sizes)),
    needs: sql`
      SELECT ${waitingKinds} AS waiting, EXISTS (SELECT 1 FROM im_admin_lists WHERE is_unfit)
          OR EXISTS (SELECT 1 FROM im_admin_list_nodes INDEXED BY im_admin_list_nodes_unfit WHERE is_unfit) AS lists,
        ${haveListsWrongDocuments(sizes)} AS documents, ${areEnoughChanges(sizes)} AS changes`.text,
  };
});

/** How many changes wait to be settled. */
export async function countChanges(database: Pick<SqlDatabase, "read">): Promise<number> {
  const [[row] = []] = await database.read([sql`SELECT count(*) AS waiting FROM im_admin_changed`]);
  return Number(row?.["waiting"]);
}

const asStatement = (text: string): Statement => ({ text, values: [] });

/** The kinds in the order in which they are settled: parts of keys first, since they become keys of records. */
export function kindsOf(waiting: unknown): string[] {
  const kinds: string[] = typeof waiting === "string" ? JSON.parse(waiting) : [];
  return kinds.sort((left, right) => Number(right.includes(" ")) - Number(left.includes(" ")));
}

/** Settles changes of some kinds. */
function* settleKinds(sizes: Sizes, kinds: readonly string[]): Generator<Statement, void, Row[] | undefined> {
  const records = new Set(kinds.map((kind) => kind.split(" ")[0] as RecordName));
  const partial = kinds.filter((kind) => kind.includes(" "));
  yield* partial.flatMap(expandKeys);
  // Nobody but a trigger of ours should note a key. What anybody else has noted must not wait for ever.
  yield* kinds.filter((kind) => !allKinds.includes(kind as RecordName)).map(forgetKeys);
  for (const record of allKinds.filter((name) => records.has(name))) {
    const texts = textsOf(sizes).records.get(record);
    if (texts?.ask === undefined) continue;
    // An engine that runs a batch of statements does not answer in between.
    const [asked = {}] = (yield asStatement(texts.ask)) ?? [{ come: 1, go: 1, search: 1 }];
    const [come, go, areSearched] = [Boolean(asked["come"]), Boolean(asked["go"]), Boolean(asked["search"])];
    const all = [
      ...(come || go ? texts.count : []),
      ...(areSearched ? texts.deleteDocuments : []),
      ...(go ? texts.remove : []),
      ...(come ? texts.add : []),
      ...(areSearched ? texts.makeDocuments : []),
      texts.forget,
    ];
    yield* all.map(asStatement);
  }
}

/** The statements that mend what the settled changes have left unfit. */
function mendings(sizes: Sizes, row: Row | undefined): Statement[] {
  const { mendDocuments, applyChanges, mendLists } = textsOf(sizes);
  return [
    ...(row?.["changes"] ? applyChanges : []),
    ...(row?.["documents"] ? mendDocuments : []),
    ...(row?.["lists"] ? mendLists : []),
  ].map(asStatement);
}

/**
 * Settles the given kinds as a part of a write, and then what else waits, portion by portion. An engine that runs a batch
 * of statements settles one portion of the given kinds, and the next call mends what that has left.
 */
export function* settling(
  sizes: Sizes,
  given: readonly string[],
  portions = Number.POSITIVE_INFINITY,
): Generator<Statement, void, Row[] | undefined> {
  let kinds = given;
  for (let portion = 0; portion < portions && kinds.length > 0; portion += 1) {
    yield* settleKinds(sizes, kinds);
    const left = yield asStatement(textsOf(sizes).needs);
    if (left === undefined) return;
    yield* mendings(sizes, left[0]);
    kinds = kindsOf(left[0]?.["waiting"]);
  }
}

/** All whole keys: what an engine that runs batches settles with each write. */
export const allKinds: readonly RecordName[] = recordNames.filter((record) => listedOf(record) !== undefined);

/**
 * Runs the statements of a write, and settles what they have changed in the same transaction.
 *
 * @param records the kinds of records that the statements have written when they are over
 */
export async function writeSettled(
  database: SqlDatabase,
  sizes: Sizes,
  records: ReadonlySet<RecordName>,
  statements: Generator<Statement, void, Row[] | undefined>,
): Promise<void> {
  // Without a pause where that can be, so that writes begin in the order of the calls. Reads tell what cannot be mended.
  const looked = database.lookAtSchema?.();
  if (looked instanceof Promise) await looked.catch(() => {});
  await mendLater(
    database,
    sizes,
    (function* () {
      yield* statements;
      yield* settling(
        sizes,
        allKinds.filter((kind) => records.has(kind)),
      );
    })(),
  );
}

async function mendLater(database: SqlDatabase, sizes: Sizes, statements: Statements): Promise<void> {
  const results = await database.write(statements);
  const left = mendings(sizes, results.at(-1)?.[0]);
  if (left.length > 0) await database.write(left);
}

/** Settles what waits, of each kind at most a portion. */
export async function settle(database: SqlDatabase, sizes: Sizes, kinds: readonly string[]): Promise<void> {
  await mendLater(database, sizes, { [Symbol.iterator]: () => settling(sizes, kinds, 1) });
}
