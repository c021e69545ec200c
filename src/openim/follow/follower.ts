import type { CheckedValues } from "../../checkedRecords.js";
import { notify } from "../../observer.js";
import type { RecordName } from "../../records.js";
import { type FollowedDocuments, type Following, KeyLeft } from "../../stores/following.js";
import { refuseLoss } from "../../stores/replacement.js";
import { collectionNames, collections, heldValues, recordNameOf } from "../collections.js";
import { type Batch, batchesOf } from "./batches.js";
import { explained, HistoryLost, noClient, nothingThere, Refused, Silent } from "./failures.js";
import type { FollowOptions, FollowProgress } from "./followOpenIm.js";
import { idOf, type OpenimClient, readingOptions, tokenOf, tokenText } from "./mongo.js";
import { pipeline, placeOf, timeOf, wholeChanges } from "./stream.js";
import { sleep, within } from "./waiting.js";

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
const longestPause = 15_000;

/**
 * How long MongoDB may take for an answer, in milliseconds. A client may wait for ever for one whose connection was cut.
 * But MongoDB may read a long oplog before it answers, so each failure lets it take twice as long.
 */
const firstPatience = 15_000;
const longestPatience = 600_000;

/** How long a client may take to say goodbye, in milliseconds. */
const closingTime = 1_000;

/** What a follower reads and writes. */
interface Ends {
  client: FollowOptions["client"];
  target: Following;
  onChange(progress: FollowProgress): unknown;
  yes: boolean;
}

/** Follows OpenIM, over and over. */
export class Follower {
  readonly #ends: Ends;
  readonly #signal: AbortSignal;
  #progress: Omit<FollowProgress, "mended" | "leftOut" | "passedOver" | "lastPassedOver"> = {
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
  #passedOver = 0;
  #lastPassedOver: string | undefined;
  #mustCopy = false;
  #hasFollowed = false;
  #patience = firstPatience;
  /** Gives up each answer that is waited for. */
  readonly #waiting = new Set<() => void>();

  constructor(ends: Ends, signal: AbortSignal) {
    this.#ends = ends;
    this.#signal = signal;
  }

  async run(): Promise<void> {
    let pause = 0;
    let failedAt = Number.NEGATIVE_INFINITY;
    while (!this.#signal.aborted) {
      try {
        await this.#followWithOneClient();
      } catch (error) {
        if (this.#signal.aborted) return;
        const failure = explained(error, this.#hasFollowed);
        if (failure instanceof Refused) throw failure;
        this.#mustCopy ||= failure instanceof HistoryLost || failure instanceof KeyLeft;
        if (failure instanceof Silent) this.#patience = Math.min(2 * this.#patience, longestPatience);
        if (performance.now() - failedAt > 2 * longestPause) pause = 0;
        this.#tell({ failure: failure.message, isCopying: false });
        await sleep(pause, this.#signal);
        pause = Math.min(Math.max(2 * pause, firstPause), longestPause);
        failedAt = performance.now();
      }
    }
  }

  /** Resolves when the signal is aborted, and rejects after any failure. */
  async #followWithOneClient(): Promise<void> {
    const { client: given } = this.#ends;
    const isOurs = typeof given === "function";
    const client = isOurs ? await given() : given;
    if (typeof client?.db !== "function") throw new Refused(noClient);
    const close = async () => isOurs && client.close(true).catch(() => {});
    const end = () => {
      void close();
      for (const giveUp of this.#waiting) giveUp();
    };
    this.#signal.addEventListener("abort", end);
    try {
      this.#signal.throwIfAborted();
      const { token, time } = await this.#ends.target.place();
      this.#hasFollowed ||= tokenOf(token) !== undefined;
      this.#tell({ heardAt: time });
      const isCopy = !this.#mustCopy && tokenOf(token) !== undefined;
      const start = isCopy && token !== undefined ? token : await this.#copy(client, token);
      this.#mustCopy = false;
      await this.#follow(client, start);
    } finally {
      this.#signal.removeEventListener("abort", end);
      // What does not answer may never let it close.
      await within(closingTime, close()).catch(() => {});
    }
  }

  /** Makes a whole copy, and returns the place from which to follow. The place is taken first. */
  async #copy(client: OpenimClient, before: string | undefined): Promise<string> {
    this.#tell({ isCopying: true });
    const { target, yes } = this.#ends;
    const session = client.startSession({ causalConsistency: true });
    try {
      const begun = Date.now();
      const database = client.db(undefined, readingOptions);
      const stream = database.watch(pipeline, { maxAwaitTimeMS: answerTime, session });
      const token = await this.#answered(placeOf(stream));
      this.#hasFollowed = true;
      stream.close().catch(() => {});
      // Nobody else copies meanwhile: each step goes on from the one before.
      const copying = `copying ${Math.random()}`;
      const counted = collectionNames.map((name) => database.collection(name).estimatedDocumentCount());
      const toCopy = (await this.#answered(Promise.all(counted))).reduce((sum, count) => sum + count, 0);
      this.#tell({ copied: 0, toCopy });
      let from = before;
      for (const collection of collectionNames) {
        const name = collections[collection as keyof typeof collections];
        const guard = yes ? () => {} : refuseLoss(name, "if that is right, let im-admin follow once with --yes");
        const options = { session, readConcern: "majority", batchSize };
        const documents = database.collection(collection).find({}, options);
        const moved = { from, to: copying };
        const { passedOver, example } = await target.replace(name, this.#records(name, documents), moved, guard);
        this.#passOver(passedOver, example);
        from = copying;
      }
      if (this.#progress.copied === 0 && !yes) throw new Error(nothingThere);
      await target.apply(new Map(), { from, to: token, time: begun });
      this.#tell({ isCopying: false, copies: this.#progress.copies + 1, heardAt: begun, failure: undefined });
      return token;
    } finally {
      session.endSession().catch(() => {});
    }
  }

  /** The values of documents' records, each with the ID of its document. */
  async *#records(name: RecordName, documents: AsyncIterable<object>): AsyncGenerator<CheckedValues> {
    const all = documents[Symbol.asyncIterator]();
    for (;;) {
      const { done, value: document } = await this.#answered(all.next());
      if (done) return;
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
    const { holds } = this.#ends.target;
    const { values, mistakes } = heldValues(name, document, holds);
    // IDs of documents are kept as the key of a user is.
    const isHeld = values !== undefined && holds("users", "userID", id);
    if (!isHeld) this.#leftOut += 1;
    else this.#mended += mistakes.length;
    return isHeld ? values : undefined;
  }

  /** Follows the changes after a place until the signal is aborted. */
  async #follow(client: OpenimClient, start: string): Promise<void> {
    const { target } = this.#ends;
    const resumeAfter = tokenOf(start);
    const stream = client
      .db(undefined, readingOptions)
      .watch(pipeline, { fullDocument: "updateLookup", maxAwaitTimeMS: answerTime, resumeAfter, batchSize });
    const answering = {
      tryNext: () => this.#answered(stream.tryNext()),
      get resumeToken() {
        return stream.resumeToken;
      },
    };
    let from = start;
    let notedAt = performance.now();
    try {
      for await (const { changes, token, upTo } of batchesOf(answering)) {
        this.#signal.throwIfAborted();
        const { changes: before, heardAt = 0, failure } = this.#progress;
        // Clocks differ, and may have been wrong.
        const time = upTo ?? Math.min(Math.max(heardAt, timeOf(changes)), Date.now());
        const to = token === undefined ? from : tokenText(token);
        if (changes.length > 0 || failure !== undefined || performance.now() - notedAt > notingPause) {
          const passedOver = await target.apply(this.#documentsOf(changes), { from, to, time });
          this.#passOver(passedOver.length, passedOver.at(-1));
          from = to;
          notedAt = performance.now();
          this.#patience = firstPatience;
          this.#tell({ changes: before + changes.length, heardAt: time, failure: undefined });
        }
        // With a backlog, promises alone would leave the timers and sockets of the process no turn.
        await sleep(0, this.#signal);
      }
    } finally {
      // A client that is not ours stays open.
      stream.close().catch(() => {});
    }
  }

  /** Rejects if MongoDB takes too long for an answer. */
  #answered<Answer>(answer: Promise<Answer>): Promise<Answer> {
    return within(this.#patience, answer, this.#waiting);
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

  #passOver(count: number, example: string | undefined): void {
    this.#passedOver += count;
    this.#lastPassedOver = example ?? this.#lastPassedOver;
  }

  #tell(progress: Partial<FollowProgress>): void {
    this.#progress = { ...this.#progress, ...progress };
    const counted = { mended: this.#mended, leftOut: this.#leftOut, passedOver: this.#passedOver };
    const told = { ...this.#progress, ...counted, lastPassedOver: this.#lastPassedOver };
    notify(() => this.#ends.onChange(told));
  }
}
