import { reported } from "../../src/call.js";
import { type Success, success } from "../../src/envelope.js";
import { argsError, errorCodes, OperationError } from "../../src/errors.js";
import { ignoredFields } from "../../src/ignoredFields.js";
import type { Json } from "../../src/json.js";
import { type Observer, reportError, reportUnreadable } from "../../src/observer.js";
import { Patience } from "../../src/patience.js";
import type { StoreCall } from "../../src/store.js";
import type { History } from "../history/history.js";
import { inputOf } from "./body.js";
import type { HttpAnswer, HttpRequest } from "./request.js";
import type { ResolvedOptions } from "./resolveOptions.js";
import type { Host, Route } from "./route.js";
import { tokenOf } from "./tokenOf.js";

/** How long an operationID may be. */
export const operationIDLength = 256;

/** Answers a request to the path of an operation; it never rejects. */
export async function answerCall(
  request: HttpRequest,
  route: Route,
  options: ResolvedOptions,
  environment: unknown,
  context: unknown,
): Promise<HttpAnswer> {
  const { limits } = options;
  const bodyBytes = Math.min(options.bodyBytes, route.bodyBytes ?? Number.POSITIVE_INFINITY);
  const operationID = request.header("operationID") ?? "";
  const patience = new Patience(operationID.slice(0, operationIDLength));
  const observer = reporting(options.observerOf(request, environment, context), patience, context);
  let status = 200;
  let isReading = false;
  let body: Json | undefined;

  function refuseLength(): never {
    status = 413;
    throw argsError(`body must have at most ${bodyBytes} bytes`);
  }

  const { callTimeoutMs } = options;
  // A thousand calls may reach the limit at once, so each is answered in a turn of the event loop.
  const timer = callTimeoutMs && setTimeout(request.inTurn ?? tooLate, callTimeoutMs, tooLate);

  function tooLate(): void {
    if (isReading) status = 408;
    patience.end(
      isReading
        ? argsError(`body must arrive whole within ${callTimeoutMs} ms`)
        : new Error(`the call was given up after the ${callTimeoutMs} ms that callTimeoutMs allows`),
    );
  }

  async function run(call: StoreCall): Promise<Success<null>> {
    if (Number(request.header("content-length")) > bodyBytes) refuseLength();
    if (operationID === "") throw argsError("header must have operationID");
    if (operationID.length > operationIDLength) {
      throw argsError(`header must have operationID of at most ${operationIDLength} characters`);
    }
    // Read only the bodies of administrators.
    route.admit?.(request);
    if (route.needsToken) patience.adminUserID = await authenticated(request, options);
    isReading = true;
    const sent = await request.readBody(bodyBytes);
    isReading = false;
    const input = inputOf(sent ?? refuseLength(), request.header("content-encoding"));
    ignored.push(...ignoredFields(route.schema(limits), input));
    const host: Host = {
      store: () => options.storeOf(request, environment, context),
      // Its routes are there only where there is a history.
      history: () => options.historyOf?.(request, environment, context) as History,
    };
    // From here on only: if a client goes while it sends, reading its body fails.
    request.onGone?.(() => patience.end(new OperationError("ServerInternalError", "")));
    body = await route.run(input, { operationID, limits, observer }, request, host, call);
    return success(null);
  }

  const ignored: string[] = [];
  const reports = { operationID: patience.operationID, observer };
  const envelope = await reported(route.operation, reports, () => patience.wait(run), ignored);
  clearTimeout(timer);
  // Check errCode too: `run` may set `body` after the time limit, when the call is answered as a failure.
  const answer = envelope.errCode === 0 && body !== undefined ? body : JSON.stringify(envelope);
  return { ...json(status, answer, headersOf(ignored)), call: { errCode: envelope.errCode, ignored } };
}

/** Tells the client which fields were ignored, and lets pages of other origins read it. Names may hold any characters. */
function headersOf(ignored: readonly string[]) {
  if (ignored.length === 0) return undefined;
  const names = ignored.map((name) => encodeURIComponent(name.toWellFormed()));
  return { "im-admin-ignored": names.join(", "), "access-control-expose-headers": "im-admin-ignored" };
}

/** An answer with an envelope. Every answer has one, whatever its status. */
export function json(status: number, body: Json, headers: Readonly<Record<string, string>> = {}): HttpAnswer {
  return {
    status,
    headers: { "content-type": "application/json", ...headers },
    body,
  };
}

async function authenticated(request: HttpRequest, { authenticate }: ResolvedOptions): Promise<string> {
  // An authenticator in JavaScript may return anything.
  const result: Partial<Record<string, unknown>> = (await authenticate(tokenOf(request), request)) ?? {};
  const { failure, reason, adminUserID } = result;
  if (failure !== undefined) throw refusal(failure, reason);
  if (typeof adminUserID === "string" && adminUserID !== "") return adminUserID;
  throw new TypeError("authenticate must answer an adminUserID or a failure");
}

const explanations: Partial<Record<string, string>> = {
  ArgsError: "header must have token",
  NoPermissionError: "the caller is no administrator",
};

function refusal(failure: unknown, reason: unknown): Error {
  const name = String(failure) as keyof typeof errorCodes;
  const isKnown = Object.hasOwn(errorCodes, name) && (name in explanations || name.startsWith("Token"));
  return isKnown
    ? new OperationError(name, typeof reason === "string" ? reason : explanations[name])
    : new TypeError(`authenticate answered the unknown failure ${JSON.stringify(failure)}`);
}

/** Wraps the observer: adds the caller, whom the functions do not know, and lets the runtime wait for its promises. */
export function reporting(observer: Observer, call: StoreCall, context: unknown) {
  const caller = () => (call.adminUserID === undefined ? {} : { adminUserID: call.adminUserID });
  const finish = (result: unknown) => {
    // Workers pass a context with waitUntil; other runtimes may pass anything.
    const { waitUntil } = (context ?? {}) as { waitUntil?: unknown };
    if (typeof waitUntil === "function")
      waitUntil.call(
        context,
        Promise.resolve(result).catch(() => {}),
      );
    return result;
  };
  return {
    onCall: (report) => finish(observer.onCall?.({ ...report, ...caller() })),
    onError: (report) => (observer.onError ? finish(observer.onError(report)) : reportError(undefined, report)),
    onConversationsSet: (report) => finish(observer.onConversationsSet?.({ ...report, ...caller() })),
    onUnreadable: (report) =>
      observer.onUnreadable ? finish(observer.onUnreadable(report)) : reportUnreadable(undefined, report),
  } satisfies Observer;
}
