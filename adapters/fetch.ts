import { cors as createCors } from "itty-router/cors";
import { fail } from "../src/call.js";
import { type Envelope, failure } from "../src/envelope.js";
import { errorCodes, OperationError } from "../src/errors.js";
import { notify, type Observer } from "../src/observer.js";
import { parseJson, readBody } from "./http/body.js";
import { type FetchHandlerOptions, type ResolvedOptions, resolveOptions } from "./http/options.js";
import { pathOf } from "./http/path.js";
import { createRoutes, type Route } from "./http/routes.js";

export type { Authenticate, Authentication, AuthenticationFailure } from "./auth.js";
export type { AdminTokenOptions } from "./http/adminToken.js";
export type { FetchHandlerOptions } from "./http/options.js";

/** Answers a request; it never rejects. */
export type FetchHandler = (request: Request) => Promise<Response>;

/**
 * Mounts the six functions on a `(Request) => Promise<Response>`, which is all of HTTP: routes, headers, body limit,
 * JSON, authentication, envelope and CORS. The other adapters only convert to and from it.
 *
 * @throws TypeError for an option that is missing or does not fit
 */
export function createFetchHandler(options: FetchHandlerOptions): FetchHandler {
  const resolved = resolveOptions(options);
  const routes = createRoutes(resolved);
  const answer = async (request: Request) => {
    const route = routes.get(pathOf(request));
    if (route === undefined) return respond(404, failure(argsError("path must be that of an operation")));
    if (request.method !== "POST") return respond(405, failure(argsError("method must be POST")), { allow: "POST" });
    return answerRoute(request, route, resolved);
  };
  return resolved.cors === undefined ? answer : withCors(answer, resolved.cors);
}

async function answerRoute(request: Request, route: Route, options: ResolvedOptions): Promise<Response> {
  const { limits, observer } = options;
  const { operation } = route;
  const operationID = request.headers.get("operationID") ?? "";
  const start = performance.now();
  let status = 200;
  let caller: { adminUserID?: string } = {};
  try {
    const body = await readBody(request, limits.bodyBytes);
    if (body === undefined) {
      status = 413;
      throw argsError(`body must have at most ${limits.bodyBytes} bytes`);
    }
    if (operationID === "") throw argsError("header must have operationID");
    if (route.needsToken) caller = await authenticated(request, options);
    const input = parseJson(body);
    return respond(200, await route.run(input, { operationID, limits, observer: withCaller(observer, caller) }));
  } catch (error) {
    // What the function did not answer, it did not report either.
    const envelope = fail(error, operation, operationID, observer);
    const durationMs = performance.now() - start;
    notify(() => observer?.onCall?.({ operation, operationID, ...caller, errCode: envelope.errCode, durationMs }));
    return respond(status, envelope);
  }
}

async function authenticated(request: Request, { authenticate }: ResolvedOptions): Promise<{ adminUserID: string }> {
  const token = request.headers.get("token") ?? "";
  if (token === "") throw argsError("header must have token");
  const result = await authenticate(token);
  if ("failure" in result && Object.hasOwn(errorCodes, result.failure)) {
    const what = result.failure === "NoPermissionError" ? "the caller is no administrator" : "";
    throw new OperationError(result.failure, what);
  }
  // An authenticator in JavaScript may look somebody up, find nobody and still answer.
  if (!("adminUserID" in result && result.adminUserID)) {
    throw new TypeError("authenticate must answer an adminUserID or a failure");
  }
  return { adminUserID: result.adminUserID };
}

/** The observer, told who called, which the functions do not know. */
function withCaller(observer: Observer | undefined, caller: { adminUserID?: string }): Observer {
  return {
    onCall: (report) => observer?.onCall?.({ ...report, ...caller }),
    onError: (report) => observer?.onError?.(report),
    onConversationsSet: (report) => observer?.onConversationsSet?.(report),
  };
}

function argsError(what: string): OperationError {
  return new OperationError("ArgsError", what);
}

function respond(status: number, envelope: Envelope<unknown>, headers: HeadersInit = {}): Response {
  return new Response(JSON.stringify(envelope), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });
}

function withCors(answer: FetchHandler, origins: true | readonly string[]): FetchHandler {
  const origin = origins === true ? "*" : [...origins];
  const { preflight, corsify } = createCors({ origin, allowMethods: ["POST"], maxAge: 86_400 });
  return async (request) => {
    const response = preflight(request) ?? corsify(await answer(request), request);
    if (origin !== "*") response.headers.append("vary", "origin");
    return response;
  };
}
