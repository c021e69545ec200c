import { fail } from "../../src/call.js";
import type { Envelope } from "../../src/envelope.js";
import { errorCodes, OperationError } from "../../src/errors.js";
import { notify, type Observer } from "../../src/observer.js";
import { parseJson } from "./body.js";
import type { ResolvedOptions } from "./handlerOptions.js";
import type { Platform } from "./platform.js";
import type { Route } from "./route.js";

/** What Workers and the like hand over beside a request. */
export interface RequestContext {
  /** Keeps the runtime from ending the work before the promise has settled. */
  waitUntil(promise: Promise<unknown>): void;
}

/** Answers a request to a path where there is an operation. */
export async function answer(
  request: Request,
  { operation, needsToken, run }: Route,
  options: ResolvedOptions,
  context: RequestContext | undefined,
): Promise<Response> {
  const { limits, platform } = options;
  const operationID = request.headers.get("operationID") ?? "";
  const start = performance.now();
  const caller: Caller = {};
  const observer = reporting(options.observer, caller, context);
  let status = 200;
  try {
    const body = await platform.readBody(request, limits.bodyBytes);
    if (body === undefined) {
      status = 413;
      throw argsError(`body must have at most ${limits.bodyBytes} bytes`);
    }
    if (operationID === "") throw argsError("header must have operationID");
    if (needsToken) caller.adminUserID = await authenticated(request, options);
    return respond(platform, 200, await run(parseJson(body), { operationID, limits, observer }));
  } catch (error) {
    // What the function did not answer, it did not report either.
    const envelope = fail(error, operation, operationID, observer);
    const durationMs = performance.now() - start;
    notify(() => observer.onCall?.({ operation, operationID, errCode: envelope.errCode, durationMs }));
    return respond(platform, status, envelope);
  }
}

async function authenticated(request: Request, { authenticate }: ResolvedOptions): Promise<string> {
  const token = request.headers.get("token") ?? "";
  if (token === "") throw argsError("header must have token");
  const result = await authenticate(token);
  if ("failure" in result && result.failure !== undefined) {
    if (!isAuthenticationFailure(result.failure)) throw new TypeError("authenticate answered an unknown failure");
    const what = result.failure === "NoPermissionError" ? "the caller is no administrator" : "";
    throw new OperationError(result.failure, what);
  }
  // An authenticator in JavaScript may look somebody up, find nobody and still answer.
  if (!("adminUserID" in result && result.adminUserID)) {
    throw new TypeError("authenticate must answer an adminUserID or a failure");
  }
  return result.adminUserID;
}

/** An authenticator in JavaScript may answer anything. */
function isAuthenticationFailure(failure: string): boolean {
  return Object.hasOwn(errorCodes, failure) && (failure === "NoPermissionError" || failure.startsWith("Token"));
}

interface Caller {
  /** Known once the request is authenticated. */
  adminUserID?: string;
}

/** The observer, told who called, which the functions do not know; the runtime lets it finish its work. */
function reporting(observer: Observer = {}, caller: Caller, context: RequestContext | undefined): Observer {
  const finish = (result: unknown) => {
    context?.waitUntil(Promise.resolve(result).catch(() => {}));
    return result;
  };
  return {
    onCall: (report) => finish(observer.onCall?.({ ...report, ...caller })),
    onError: (report) => finish(observer.onError?.(report)),
    onConversationsSet: (report) => finish(observer.onConversationsSet?.(report)),
  };
}

export function argsError(what: string): OperationError {
  return new OperationError("ArgsError", what);
}

/** Every answer is an envelope, whatever its status. */
export function respond(
  { Response }: Platform,
  status: number,
  envelope: Envelope<unknown>,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(JSON.stringify(envelope), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });
}
