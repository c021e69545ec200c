import type { Change, OpenimStream } from "./mongo.js";

/** Changes that are applied together, and the place behind them. */
export interface Batch {
  changes: readonly Change[];
  token: object | undefined;
  /** Up to when nothing else has changed, in milliseconds since the epoch; undefined if something may have. */
  upTo: number | undefined;
}

/** The most changes of a batch, unless a transaction has more. */
const mostChanges = 200;

/** How long a batch waits for more changes, in milliseconds. */
const gathering = 5;

type Answering = Pick<OpenimStream, "tryNext" | "resumeToken">;

/** Collects the changes of a stream into batches. No batch ends within a transaction of MongoDB. */
export async function* batchesOf(stream: Answering): AsyncGenerator<Batch> {
  let changes: Change[] = [];
  let askedAt = Date.now();
  let asked = ask(stream);
  let time = Promise.resolve(undefined);
  for (;;) {
    const last = changes.at(-1);
    // Nothing but the next answer tells that a transaction is over.
    const isOpen = last === undefined || last.txnNumber !== undefined;
    const answer = await (isOpen ? asked : Promise.race([asked, time]));
    const change = answer as Change | null | undefined;
    if (last !== undefined && (!change || (changes.length >= mostChanges && !areOfOneTransaction(last, change)))) {
      yield { changes, token: last._id, upTo: change === null ? askedAt : undefined };
      changes = [];
    }
    if (change === undefined) continue;
    if (change === null) {
      // Between two changes, this token may be that of a change which was not taken yet.
      yield { changes, token: stream.resumeToken as object | undefined, upTo: askedAt };
    } else {
      if (changes.length === 0) time = after(gathering);
      changes.push(change);
    }
    askedAt = Date.now();
    asked = ask(stream);
  }
}

function ask(stream: Answering): Promise<object | null> {
  const asked = stream.tryNext();
  // It is awaited later; this keeps an early failure from counting as unhandled.
  asked.catch(() => {});
  return asked;
}

function after(milliseconds: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds, undefined));
}

function areOfOneTransaction(left: Change, right: Change): boolean {
  const nameOf = ({ lsid, txnNumber }: Change) => JSON.stringify([lsid?.id, txnNumber]);
  return left.txnNumber !== undefined && nameOf(left) === nameOf(right);
}
