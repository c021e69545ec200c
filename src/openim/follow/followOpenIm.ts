import type { CheckedValues } from "../../checkedRecords.js";
import { requireKnown } from "../../knownOptions.js";
import { notify } from "../../observer.js";
import type { RecordName } from "../../records.js";
import type { BundledStore } from "../../stores/bundledStore.js";
import { type FollowedDocuments, type Following, followingOf } from "../../stores/following.js";
import { refuseLoss } from "../../stores/replacement.js";
import { collectionNames, collections, heldValues, recordNameOf } from "../collections.js";
import { type Batch, batchesOf } from "./batches.js";
import { explained, HistoryLost, Refused } from "./failures.js";
import { idOf, type OpenimClient, type OpenimStream, readingOptions, tokenOf, tokenText } from "./mongo.js";

/** What following has done so far. */
export interface FollowProgress {
  /** Whether a whole copy is being made. The lists meanwhile show what was there before. */
  isCopying: boolean;
  /** How many documents the last copy has read until now. */
  copied: number;
  /** About how many documents there were when the last copy was begun. */
  toCopy: number;
  /** How many whole copies were made. */
  copies: number;
  /** How many changes were applied. */
  changes: number;
  /** How many values were changed, since no database can hold them as they are. */
  mended: number;
  /** How many documents were left out, since the database cannot hold their keys. */
  leftOut: number;
  /** Up to when the lists have all changes, in milliseconds since the epoch; undefined before the first copy is whole. */
  heardAt: number | undefined;
  /** Why nothing can be followed at present. It has no host and no password. Following tries again by itself. */
  failure: string | undefined;
}

/** The options of {@link followOpenIm}. */
export interface FollowOptions {
  /**
   * A connected `MongoClient` of the package `mongodb`, version 6.22 or 7, whose URL names OpenIM's database. Its user
   * needs the role `read` there. `followOpenIm` does not close it.
   */
  client: OpenimClient;
  /** A store in an SQLite file or in PostgreSQL, which nobody else writes to. `followOpenIm` does not close it. */
  store: BundledStore;
  /** Ends following. What has begun is finished. */
  signal?: AbortSignal | undefined;
  /** Is called when something of the progress has changed, at least every five seconds. What it throws is ignored. */
  onChange?: ((progress: FollowProgress) => unknown) | undefined;
  /**
   * Let a copy remove any number of records. Otherwise a copy fails that lacks more than a fifth of a kind, and more
   * than 10.
   * @default false
   */
  yes?: boolean | undefined;
}

/** How often the place is noted while nothing changes, in milliseconds. */
const notingPause = 5_000;

/** How many documents of a copy are read before that is told. */
const toldAtOnce = 1_000;

/** The most documents that MongoDB sends at once: its driver keeps all of them until the last one is read. */
const batchSize = 1_000;

/** How long MongoDB waits for a change before it answers that there is none, in milliseconds. */
const answerTime = 250;

/** The pauses after failures, in milliseconds. The first one is not paused for. */
const firstPause = 1_000;
const longestPause = 60_000;

const nothingThere =
  "this database has no records of OpenIM: does MongoDB's URL end with the name of OpenIM's database? If OpenIM has no " +
  "user yet, wait, or let im-admin follow once with --yes";

/** What happens to whole collections. */
const wholeChanges = new Set(["drop", "rename", "dropDatabase", "invalidate"]);

const isOurs = { $in: collectionNames };
const pipeline = [
  {
    $match: {
      $or: [{ "ns.coll": isOurs }, { "to.coll": isOurs }, { operationType: { $in: ["dropDatabase", "invalidate"] } }],
    },
  },
];

/**
 * Makes a copy of OpenIM's records, and then follows what OpenIM writes, until the signal is aborted. It resolves then.
 * MongoDB must be a replica set. When it has lost its history, or somebody has dropped a collection, the copy is made
 * again. After any failure it tries again, after pauses of up to a minute.
 *
 * @throws TypeError for wrong options
 * @throws Error if MongoDB is no replica set, or does not accept the user
 */
export async function followOpenIm(options: FollowOptions): Promise<void> {
  requireKnown("followOpenIm", options, ["client", "store", "signal", "onChange", "yes"]);
  const { client, store, signal, onChange = () => {}, yes = false } = options;
  if (typeof client?.db !== "function" || typeof client.startSession !== "function") {
    throw new TypeError("client must be a MongoClient of the package mongodb");
  }
  const target = followingOf(store ?? {});
  if (target === undefined) throw new TypeError("store must be a store of im-admin in a file or in PostgreSQL");
  if (typeof yes !== "boolean") throw new TypeError("yes must be true or false");
  await new Follower({ client, target, onChange, yes }, signal ?? new AbortController().signal).run();
}

interface Ends {
  client: OpenimClient;
  target: Following;
  onChange(progress: FollowProgress): unknown;
  yes: boolean;
}

class Follower {
  readonly #ends: Ends;
  readonly #signal: AbortSignal;
  #progress: Omit<FollowProgress, "mended" | "leftOut"> = {
    isCopying: false,
    copied: 0,
    toCopy: 0,
    copies: 0,
    changes: 0,
    heardAt: undefined,
    failure: undefined,
  };
  #mended = 0;
  #leftOut = 0;

  constructor(ends: Ends, signal: AbortSignal) {
    this.#ends = ends;
    this.#signal = signal;
  }

  async run(): Promise<void> {
    let mustCopy = false;
    let pause = 0;
    let failedAt = Number.NEGATIVE_INFINITY;
    while (!this.#signal.aborted) {
      try {
        const { token, time } = await this.#ends.target.place();
        this.#tell({ heardAt: time });
        const isCopy = !mustCopy && tokenOf(token) !== undefined;
        const start = isCopy && token !== undefined ? token : await this.#copy(token);
        mustCopy = false;
        await this.#follow(start);
      } catch (error) {
        if (this.#signal.aborted) return;
        const failure = explained(error);
        if (failure instanceof Refused) throw failure;
        mustCopy ||= failure instanceof HistoryLost;
        if (performance.now() - failedAt > 2 * longestPause) pause = 0;
        this.#tell({ failure: failure.message, isCopying: false });
        await this.#sleep(pause);
        pause = Math.min(Math.max(2 * pause, firstPause), longestPause);
        failedAt = performance.now();
      }
    }
  }

  /** Makes a whole copy, and returns the place from which to follow. The place is taken first. */
  async #copy(before: string | undefined): Promise<string> {
    this.#tell({ isCopying: true });
    const { client, target, yes } = this.#ends;
    const session = client.startSession({ causalConsistency: true });
    try {
      const begun = Date.now();
      const database = client.db(undefined, readingOptions);
      const stream = database.watch(pipeline, { maxAwaitTimeMS: answerTime, session });
      const token = await placeOf(stream).finally(() => stream.close());
      // Nobody else copies meanwhile: each step goes on from the one before.
      const copying = `copying ${Math.random()}`;
      const counted = collectionNames.map((name) => database.collection(name).estimatedDocumentCount());
      const toCopy = (await Promise.all(counted)).reduce((sum, count) => sum + count, 0);
      this.#tell({ copied: 0, toCopy });
      let from = before;
      for (const collection of collectionNames) {
        const name = collections[collection as keyof typeof collections];
        const guard = yes ? () => {} : refuseLoss(name, "if that is right, let im-admin follow once with --yes");
        const options = { session, readConcern: "majority", batchSize };
        const documents = database.collection(collection).find({}, options);
        await target.replace(name, this.#records(name, documents), { from, to: copying }, guard);
        from = copying;
      }
      if (this.#progress.copied === 0 && !yes) throw new Error(nothingThere);
      await target.apply(new Map(), { from, to: token, time: begun });
      this.#tell({ isCopying: false, copies: this.#progress.copies + 1, heardAt: begun, failure: undefined });
      return token;
    } finally {
      await session.endSession();
    }
  }

  /** The values of documents' records, each with the ID of its document. */
  async *#records(name: RecordName, documents: AsyncIterable<object>): AsyncGenerator<CheckedValues> {
    for await (const document of documents) {
      this.#signal.throwIfAborted();
      const copied = this.#progress.copied + 1;
      if (copied % toldAtOnce === 0) this.#tell({ copied });
      else this.#progress = { ...this.#progress, copied };
      const id = idOf((document as { _id?: unknown })._id);
      const values = this.#valuesOf(name, id, document);
      if (values !== undefined) yield [...values, id];
    }
  }

  #valuesOf(name: RecordName, id: string, document: object): CheckedValues | undefined {
    const { holdsKey } = this.#ends.target;
    const { values, mistakes } = heldValues(name, document, holdsKey);
    const isHeld = values !== undefined && holdsKey(id);
    if (!isHeld) this.#leftOut += 1;
    else this.#mended += mistakes.length;
    return isHeld ? values : undefined;
  }

  /** Follows the changes after a place until the signal is aborted. */
  async #follow(start: string): Promise<void> {
    const { client, target } = this.#ends;
    const resumeAfter = tokenOf(start);
    const stream = client
      .db(undefined, readingOptions)
      .watch(pipeline, { fullDocument: "updateLookup", maxAwaitTimeMS: answerTime, resumeAfter, batchSize });
    const close = () => void stream.close().catch(() => {});
    this.#signal.addEventListener("abort", close, { once: true });
    let from = start;
    let notedAt = performance.now();
    try {
      for await (const { changes, token, upTo } of batchesOf(stream)) {
        this.#signal.throwIfAborted();
        const { changes: before, heardAt = 0 } = this.#progress;
        // Clocks differ, and may have been wrong.
        const time = upTo ?? Math.min(Math.max(heardAt, timeOf(changes)), Date.now());
        const to = token === undefined ? from : tokenText(token);
        if (changes.length > 0 || performance.now() - notedAt > notingPause) {
          await target.apply(this.#documentsOf(changes), { from, to, time });
          from = to;
          notedAt = performance.now();
          this.#tell({ changes: before + changes.length, heardAt: time, failure: undefined });
        }
        // With a backlog, promises alone would leave the timers and sockets of the process no turn.
        await this.#sleep(0);
      }
    } finally {
      this.#signal.removeEventListener("abort", close);
      await stream.close().catch(() => {});
    }
  }

  /** The last state of each changed document. */
  #documentsOf(changes: Batch["changes"]): Map<RecordName, FollowedDocuments> {
    const all = new Map<RecordName, Map<string, CheckedValues | undefined>>();
    for (const { operationType, ns, documentKey, fullDocument } of changes) {
      if (wholeChanges.has(operationType)) throw new HistoryLost(`OpenIM's database has told of a ${operationType}`);
      const name = recordNameOf(ns?.coll ?? "");
      if (name === undefined || documentKey === undefined) continue;
      const documents = all.get(name) ?? new Map<string, CheckedValues | undefined>();
      all.set(name, documents);
      const id = idOf(documentKey._id);
      documents.delete(id);
      // An update of a document that was deleted since has none. Another document may have its key by now.
      documents.set(id, fullDocument ? this.#valuesOf(name, id, fullDocument) : undefined);
    }
    return all;
  }

  #tell(progress: Partial<FollowProgress>): void {
    this.#progress = { ...this.#progress, ...progress };
    const told = { ...this.#progress, mended: this.#mended, leftOut: this.#leftOut };
    notify(() => this.#ends.onChange(told));
  }

  /** Resolves after a time, or when the signal is aborted. */
  #sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#signal.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, milliseconds);
      this.#signal.addEventListener("abort", done, { once: true });
    });
  }
}

/** The present place of a stream. */
async function placeOf(stream: OpenimStream): Promise<string> {
  await stream.tryNext();
  if (stream.resumeToken == null) throw new Error("MongoDB names no place in its changes: it must be 4.4 or newer");
  return tokenText(stream.resumeToken);
}

/** When the last change was made, by MongoDB's clock. */
function timeOf(changes: Batch["changes"]): number {
  return ((changes.at(-1)?.clusterTime?.high ?? 0) >>> 0) * 1000;
}
