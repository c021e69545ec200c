import * as v from "valibot";
import { type Envelope, failure, success } from "./envelope.js";
import { OperationError } from "./errors.js";
import { describeIssue } from "./fields.js";
import type { Limited, Limits } from "./limits.js";
import { notify, type Observer } from "./observer.js";

/** What every function takes beside its store and input. */
export interface CallOptions {
  /** The caller's trace identifier, handed to the observer. */
  operationID?: string;
  /** What the input may ask for at most; what is not given keeps its default. */
  limits?: Partial<Limits>;
  /** Learns of the call, of unforeseen failures and of changed conversations. */
  observer?: Observer;
}

/** Validates the input, runs the operation and makes the envelope; it never rejects. */
export async function call<Schema extends v.GenericSchema, Data>(
  operation: string,
  schema: Limited<Schema>,
  input: unknown,
  options: CallOptions | undefined,
  run: (input: v.InferOutput<Schema>) => Promise<Data>,
): Promise<Envelope<Data>> {
  const { operationID = "", limits, observer } = options ?? {};
  const start = performance.now();
  let envelope: Envelope<Data>;
  try {
    envelope = success(await run(validate(schema(limits), input)));
  } catch (error) {
    envelope = fail(error, operation, operationID, observer);
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

/** Makes the envelope of whatever was thrown; a cause that the answer does not show goes to the observer. */
export function fail(error: unknown, operation: string, operationID: string, observer: Observer | undefined) {
  if (error instanceof OperationError) return failure(error);
  notify(() => observer?.onError?.({ operation, operationID, error }));
  return failure(new OperationError("ServerInternalError"));
}
