import * as v from "valibot";
import { type Envelope, failure, success } from "./envelope.js";
import { OperationError } from "./errors.js";
import { describeIssue } from "./fields.js";
import type { Limited, Limits } from "./limits.js";
import { notify, type Observer, reportError } from "./observer.js";

/** What every function takes beside its store and input. */
export interface CallOptions {
  /** The caller's trace identifier, handed to the observer. */
  operationID?: string | undefined;
  /** What the input may ask for at most; what is not given keeps its default. */
  limits?: Partial<Limits> | undefined;
  /** Learns of the call, of unforeseen failures and of changed conversations. */
  observer?: Observer | undefined;
}

/** Validates the input, runs the operation and makes the envelope; it never rejects. */
export function call<Schema extends v.GenericSchema, Data>(
  operation: string,
  schema: Limited<Schema>,
  input: unknown,
  options: CallOptions | undefined,
  run: (input: v.InferOutput<Schema>) => Promise<Data>,
): Promise<Envelope<Data>> {
  const callOptions = options ?? {};
  return reported(operation, callOptions, async () => success(await run(validate(schema(callOptions.limits), input))));
}

/** Runs what makes an envelope, makes that of whatever it throws, and tells the observer; it never rejects. */
export async function reported<Data>(
  operation: string,
  { operationID = "", observer }: CallOptions,
  run: () => Promise<Envelope<Data>>,
): Promise<Envelope<Data>> {
  const start = performance.now();
  let envelope: Envelope<Data>;
  try {
    envelope = await run();
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

function validate<Schema extends v.GenericSchema>(schema: Schema, input: unknown): v.InferOutput<Schema> {
  const result = v.safeParse(schema, input, { abortEarly: true, abortPipeEarly: true });
  if (!result.success) throw new OperationError("ArgsError", describeIssue(result.issues[0]));
  return result.output;
}
