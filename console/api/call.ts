import { callsOf } from "../../adapters/client/callsOf.js";
import { callOf, type Sending } from "../../adapters/client/send.js";
import { type AdminClient, type ClientCallOptions, TransportError } from "../../adapters/client.js";
import type { Envelope } from "../../src/index.js";
import { CallFailure } from "./callFailure.js";
import { signOut, token } from "./session.js";
import { apiAddress } from "./settings.js";

/** The functions that can be called. */
export type Operation = keyof AdminClient;
export type Input<Name extends Operation> = Parameters<AdminClient[Name]>[0];
export type Data<Name extends Operation> =
  Awaited<ReturnType<AdminClient[Name]>> extends infer Answer
    ? Answer extends { data: infer Found }
      ? Found
      : never
    : never;

interface CallOptions<Found, Result> {
  signal?: AbortSignal | undefined;
  /** The token to use instead of the session's. */
  given?: string;
  /** The operation ID, if several calls belong together. */
  operationID?: string;
  /** Converts the data of the answer. It may throw if the data is not as expected. */
  read(data: Found): Result;
}

/** Sends a request. */
type Send<Found> = (sending: Sending, options: ClientCallOptions) => Promise<Envelope<Found>>;

/** How long an answer may take, in milliseconds. */
const patience = 30_000;

/** Calls a function. It rejects with a {@link CallFailure}, or with the reason of `signal`. */
export function call<Name extends Operation, Result>(
  name: Name,
  input: Input<Name>,
  options: CallOptions<Data<Name>, Result>,
): Promise<Result> {
  return answerTo((sending, own) => {
    const send = callsOf(sending)[name] as (input: Input<Name>, options: object) => Promise<Envelope<Data<Name>>>;
    return send(input, own);
  }, options);
}

/** Calls a path beside those of the functions. The page knows nothing of its data. */
export function callPath<Result>(path: string, input: object, options: CallOptions<unknown, Result>): Promise<Result> {
  return answerTo((sending, own) => callOf(sending, path, (data) => data ?? null)(input, own), options);
}

async function answerTo<Found, Result>(
  send: Send<Found>,
  { signal, given, operationID = newOperationID(), read }: CallOptions<Found, Result>,
): Promise<Result> {
  const used = given ?? token.value;
  const late = AbortSignal.timeout(patience);
  let status: number | undefined;
  const sending: Sending = {
    url: apiAddress,
    tokenOf: () => headerOf(used),
    newOperationID,
    timeoutMs: false,
    async fetch(url, init) {
      const response = await fetch(url, init);
      status = response.status;
      return response;
    },
  };
  try {
    const envelope = await send(sending, { operationID, signal: signal ? AbortSignal.any([signal, late]) : late });
    if (envelope.errCode === 0) return read(envelope.data);
    throw new CallFailure("refused", { operationID, status, ...envelope });
  } catch (error) {
    signal?.throwIfAborted();
    const failure = failureOf(error, operationID, late.aborted);
    // A late answer to an earlier session says nothing about the token of this one. Neither does one to work that goes
    // on after the session has ended: it must not replace the reason.
    if (failure.isOfToken && given === undefined && used !== "" && used === token.value) signOut(failure);
    throw failure;
  }
}

/** The token for the header; `?` for a token that no header can carry. */
function headerOf(token: string): string {
  return /^[\x21-\x7e]+$/.test(token) ? token : "?";
}

function failureOf(error: unknown, operationID: string, isLate: boolean): CallFailure {
  if (error instanceof CallFailure) return error;
  if (isLate) return new CallFailure("late", { operationID });
  // An answer that cannot be read is not im-admin's.
  const status = error instanceof TransportError ? error.status : 200;
  return new CallFailure(status === undefined ? "unreachable" : "garbled", { operationID, status });
}

/** An operation ID that an operator can find in the server's log. */
export function newOperationID(): string {
  const random = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
  return `console-${Date.now()}-${random.toString(36)}`;
}
