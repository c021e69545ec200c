import type { AdminClient } from "../../adapters/client/adminClient.js";
import { dataOf } from "../../adapters/client/dataOf.js";
import { paths } from "../../adapters/http/paths.js";
import { CallFailure, type FailureKind } from "./callFailure.js";
import { signOut, token } from "./session.js";
import { apiAddress } from "./settings.js";

/** The functions that can be called. */
export type Operation = keyof AdminClient;
export type Input<Name extends Operation> = Parameters<AdminClient[Name]>[0];
export type Data<Name extends Operation> = NonNullable<ReturnType<(typeof dataOf)[Name]>>;

interface CallOptions<Found, Result> {
  signal?: AbortSignal | undefined;
  /** The token to use instead of the session's. */
  given?: string;
  /** The operation ID, if several calls belong together. */
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

/** Calls a path, whose data may be anything. */
export async function callPath<Result>(
  path: string,
  input: object,
  { signal, given, operationID = newOperationID(), patience = usualPatience, read }: CallOptions<unknown, Result>,
): Promise<Result> {
  const used = given ?? token.value;
  const late = AbortSignal.timeout(patience);
  let status: number | undefined;
  try {
    const response = await fetch(apiAddress + path, {
      method: "POST",
      headers: { "content-type": "application/json", operationID, token: headerOf(used) },
      body: JSON.stringify(input),
      // A redirect that is followed could take the token to another server.
      redirect: "manual",
      signal: signal ? AbortSignal.any([signal, late]) : late,
    });
    status = response.status;
    const { errCode, errMsg, errDlt, data } = await response.json();
    if (!Number.isInteger(errCode) || typeof errMsg !== "string" || typeof errDlt !== "string")
      throw new TypeError("the answer is no envelope");
    if (errCode === 0) return read(data);
    throw new CallFailure("refused", { operationID, status, errCode, errMsg, errDlt });
  } catch (error) {
    signal?.throwIfAborted();
    const failure =
      error instanceof CallFailure ? error : new CallFailure(kindOf(status, late), { operationID, status });
    // A late answer to an earlier session says nothing about the token of this one. Neither does one to work that goes
    // on after the session has ended: it must not replace the reason.
    if (failure.isOfToken && given === undefined && used !== "" && used === token.value) signOut(failure);
    throw failure;
  }
}

/** Why there is no envelope. */
function kindOf(status: number | undefined, late: AbortSignal): FailureKind {
  if (late.aborted) return "late";
  return status === undefined ? "unreachable" : "garbled";
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
