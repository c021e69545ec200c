import { reportError } from "../../../src/observer.js";
import { answerCall } from "../answer.js";
import { answerOrigin } from "../cors.js";
import type { Body, HttpAnswer, HttpRequest } from "../request.js";
import type { ResolvedOptions } from "../resolveOptions.js";
import type { Route } from "../route.js";
import { routesOf } from "../routes.js";
import { tokenOf } from "../tokenOf.js";
import { ofKnownUsers } from "./ofKnownUsers.js";

/** Who answers a request: im-admin by `answer`, or the upstream. What `copy` does is done after the upstream's success. */
export type Share = { answer(): Promise<HttpAnswer> } | { copy?(body: Body | undefined): Promise<unknown> };

const passedOn: Share = {};

/**
 * Shares requests between im-admin and an upstream. Administrators' lists are answered here, and what is no operation's where
 * it is turned on; users call the same paths, and are the upstream's.
 */
export function sharing(options: ResolvedOptions): (path: string, request: HttpRequest) => Promise<Share> {
  const routes = routesOf(options);
  const { origins } = options;

  function answered(request: HttpRequest, answer: () => Promise<HttpAnswer>): Share {
    return { answer: () => (origins === undefined ? answer() : answerOrigin(request, origins, answer)) };
  }

  return async (path, request) => {
    const route = routes.at(path);
    if (route === undefined) return passedOn;
    if ("document" in route) {
      return request.method === "GET"
        ? answered(request, () => route.document(request, undefined, undefined))
        : passedOn;
    }
    if (request.method !== "POST") return passedOn;
    if (!route.needsToken) return answered(request, () => answerCall(request, route, options, undefined, undefined));
    const adminUserID = await administrator(request, route, options);
    if (adminUserID === undefined) return passedOn;
    const known: ResolvedOptions = { ...options, authenticate: () => ({ adminUserID }) };
    if (route.operation !== "setConversations") {
      return answered(request, () => answerCall(request, route, known, undefined, undefined));
    }
    return { copy: (body) => copyCall(request, body, route, known) };
  };
}

/** Who sent a request, if that is an administrator. Where it cannot be found out, the upstream will. */
async function administrator(
  request: HttpRequest,
  { operation }: Route,
  { authenticate, observerOf, callTimeoutMs }: ResolvedOptions,
): Promise<string | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    const isLate = new Promise<never>((_, reject) => {
      if (callTimeoutMs === undefined) return;
      timer = setTimeout(() => reject(new Error(`authenticate took longer than ${callTimeoutMs} ms`)), callTimeoutMs);
    });
    const found = await Promise.race([authenticate(tokenOf(request), request), isLate]);
    return "adminUserID" in found && typeof found.adminUserID === "string" ? found.adminUserID || undefined : undefined;
  } catch (error) {
    const operationID = request.header("operationID") ?? "";
    reportError(observerOf(request, undefined, undefined), { operation, operationID, error });
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/** Does here what the upstream has done. The client has its answer, so that only the observer learns what becomes of it. */
function copyCall(request: HttpRequest, body: Body | undefined, route: Route, options: ResolvedOptions) {
  const { address, method, path, header, raw } = request;
  const sent: HttpRequest = { address, method, path, header, raw, readBody: async () => body };
  const storeOf: ResolvedOptions["storeOf"] = async (...given) => ofKnownUsers(await options.storeOf(...given));
  return answerCall(sent, { ...route, operation: "copyConversations" }, { ...options, storeOf }, undefined, undefined);
}
