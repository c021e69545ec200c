import { batch } from "@preact/signals";
import type { AdminClient } from "../../adapters/client/adminClient.js";
import { dataOf } from "../../adapters/client/dataOf.js";
import { paths } from "../../adapters/http/paths.js";
import { CallFailure, type FailureKind } from "./callFailure.js";
import { type Answered, ask, send } from "./send.js";
import { signOut, token } from "./session.js";

/** The functions that can be called. */
export type Operation = keyof AdminClient;
export type Input<Name extends Operation> = Parameters<AdminClient[Name]>[0];
export type Data<Name extends Operation> = NonNullable<ReturnType<(typeof dataOf)[Name]>>;

interface CallOptions<Found, Result> {
  signal?: AbortSignal | undefined;
  /** The token to use instead of the session's. */
  given?: string;
  /** The operation ID, if several calls belong together. Such calls are never answered together with others. */
  operationID?: string;
  /** How long the answer may take, in milliseconds. */
  patience?: number;
  /** Converts the data of the answer. It may throw if the data is not as expected. */
  read(data: Found): Result;
}

/** How long answers usually may take, in milliseconds. */
const usualPatience = 30_000;

/** Calls a function. It rejects with a {@link CallFailure}, or with the reason of `signal`. */
export function call<Name extends Operation, Result>(
  name: Name,
  input: Input<Name>,
  options: CallOptions<Data<Name>, Result>,
): Promise<Result> {
  const read = (data: unknown) => {
    const found = dataOf[name](data);
    if (found === undefined) throw new TypeError("the data is not of this function");
    return options.read(found as Data<Name>);
  };
  return callPath(paths[name], input, { ...options, read });
}

/** What learns of the data of each answer. */
const listeners: ((data: unknown) => void)[] = [];

/** Calls a function with the data of each answer. */
export function onData(listener: (data: unknown) => void): void {
  listeners.push(listener);
}

/** Calls a path, whose data may be anything. */
export async function callPath<Result>(
  path: string,
  input: object,
  { signal, given, operationID, patience = usualPatience, read }: CallOptions<unknown, Result>,
): Promise<Result> {
  const used = given ?? token.value;
  const sent = { path, body: JSON.stringify(input), token: headerOf(used), patience };
  // A call with an ID of its own is one of several that belong together, and no answer to another one is its answer.
  const answered = await (operationID === undefined
    ? ask({ ...sent, operationID: newOperationID() }, signal)
    : send({ ...sent, operationID }, signal));
  try {
    return dataIn(answered, read);
  } catch (error) {
    const failure = error instanceof CallFailure ? error : new CallFailure(kindOf(answered), answered);
    // A late answer to an earlier session says nothing about the token of this one. Neither does one to work that goes
    // on after the session has ended: it must not replace the reason.
    if (failure.isOfToken && given === undefined && used !== "" && used === token.value) signOut(failure);
    throw failure;
  }
}

/** Reads the data of an answer. Throws if it is a failure, or no envelope. */
function dataIn<Result>({ body, operationID, status }: Answered, read: (data: unknown) => Result): Result {
  const { errCode, errMsg, errDlt, data } = body as Record<string, unknown>;
  if (!Number.isInteger(errCode) || typeof errMsg !== "string" || typeof errDlt !== "string")
    throw new TypeError("the answer is no envelope");
  if (errCode !== 0)
    throw new CallFailure("refused", { operationID, status, errCode: Number(errCode), errMsg, errDlt });
  const found = read(data);
  // What shows names is drawn once for all of them.
  batch(() => {
    for (const listener of listeners) listener(data);
  });
  return found;
}

/** Why there is no envelope. */
function kindOf({ isLate, status }: Answered): FailureKind {
  if (isLate) return "late";
  if (status === undefined) return "unreachable";
  return status === 429 || status === 503 ? "busy" : "garbled";
}

/** The token for the header; `?` for a token that no header can carry. */
function headerOf(token: string): string {
  return /^[\x21-\x7e]+$/.test(token) ? token : "?";
}

/** An operation ID that an operator can find in the server's log. */
export function newOperationID(): string {
  const random = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
  return `console-${Date.now()}-${random.toString(36)}`;
}
