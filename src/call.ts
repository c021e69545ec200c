import * as v from "valibot";
import { type Envelope, failure } from "./envelope.js";
import { argsError, OperationError } from "./errors.js";
import { describeIssue } from "./fields.js";
import type { SomeLimits } from "./limits.js";
import { notify, type Observer, reportError } from "./observer.js";

/** The third parameter of every function. */
export interface CallOptions {
  /** The caller's trace identifier, handed to the observer. */
  operationID?: string | undefined;
  /** The most that the input may ask for; a limit that is left out keeps its default. */
  limits?: SomeLimits | undefined;
  /** Learns of the call, of unforeseen failures and of changed conversations. */
  observer?: Observer | undefined;
  /**
   * Gives the call up when it is aborted. The call is then answered as 500, and writes nothing unless it had begun to.
   */
  signal?: AbortSignal | undefined;
}

/**
 * Runs a call, makes a failure of anything that it throws, and tells the observer. It never rejects.
 *
 * @param ignored gets from `run` the names of ignored fields
 */
export async function reported<Data>(
  operation: string,
  { operationID = "", observer }: CallOptions,
  run: () => Promise<Envelope<Data>>,
  ignored: string[] = [],
): Promise<Envelope<Data>> {
  const start = performance.now();
  let envelope: Envelope<Data>;
  let reason = "";
  try {
    envelope = await run();
  } catch (error) {
    const isForeseen = error instanceof OperationError;
    // The answer is a bare 500, so only the observer learns the cause.
    if (!isForeseen) reportError(observer, { operation, operationID, error });
    else if (error.errMsg.startsWith("Token")) reason = error.what;
    envelope = failure(isForeseen ? error : new OperationError("ServerInternalError"));
  }
  const durationMs = performance.now() - start;
  const report = { operation, operationID, errCode: envelope.errCode, durationMs };
  notify(() => observer?.onCall?.({ ...report, ...(reason && { reason }), ...(ignored.length > 0 && { ignored }) }));
  return envelope;
}

/** Checks the input. @throws OperationError that names the first mistake */
export function validate<Schema extends v.GenericSchema>(schema: Schema, input: unknown): v.InferOutput<Schema> {
  const result = v.safeParse(schema, input, { abortEarly: true, abortPipeEarly: true });
  if (!result.success) throw argsError(describeIssue(result.issues[0]));
  return result.output;
}
