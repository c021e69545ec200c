import * as v from "valibot";
import { type Envelope, failure } from "./envelope.js";
import { OperationError } from "./errors.js";
import { describeIssue } from "./fields.js";
import type { SomeLimits } from "./limits.js";
import { notify, type Observer, reportError } from "./observer.js";
import { type Patience, waitUnlessAborted } from "./patience.js";
import type { StoreCall } from "./store.js";

/** What every function takes beside its store and input. */
export interface CallOptions {
  /** The caller's trace identifier, handed to the observer. */
  operationID?: string | undefined;
  /** What the input may ask for at most; what is not given keeps its default. */
  limits?: SomeLimits | undefined;
  /** Learns of the call, of unforeseen failures and of changed conversations. */
  observer?: Observer | undefined;
  /** Gives the call up when it is aborted: it is answered as 500, and nothing changes that had not begun to. */
  signal?: AbortSignal | undefined;
}

/** Runs what makes an envelope, makes that of whatever it throws, and tells the observer; it never rejects. */
export async function reported<Data>(
  operation: string,
  { operationID = "", observer, signal }: CallOptions,
  run: (call: StoreCall) => Promise<Envelope<Data>>,
  given?: Patience,
): Promise<Envelope<Data>> {
  const start = performance.now();
  let envelope: Envelope<Data>;
  try {
    envelope = await (given?.wait(run) ??
      (signal ? waitUnlessAborted(signal, operationID, run) : run({ operationID })));
  } catch (error) {
    const isForeseen = error instanceof OperationError;
    // The answer does not show this cause.
    if (!isForeseen) reportError(observer, { operation, operationID, error });
    envelope = failure(isForeseen ? error : new OperationError("ServerInternalError"));
  }
  const durationMs = performance.now() - start;
  notify(() => observer?.onCall?.({ operation, operationID, errCode: envelope.errCode, durationMs }));
  return envelope;
}

/** The input, checked; it throws what is wrong with it. */
export function validate<Schema extends v.GenericSchema>(schema: Schema, input: unknown): v.InferOutput<Schema> {
  const result = v.safeParse(schema, input, { abortEarly: true, abortPipeEarly: true });
  if (!result.success) throw new OperationError("ArgsError", describeIssue(result.issues[0]));
  return result.output;
}
