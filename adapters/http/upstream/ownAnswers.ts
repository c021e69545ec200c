import { reportError } from "../../../src/observer.js";
import { answerCall } from "../answer.js";
import { readable } from "../cors.js";
import { documentMethods } from "../openApi.js";
import type { HttpAnswer, HttpRequest } from "../request.js";
import type { ResolvedOptions } from "../resolveOptions.js";
import type { Route } from "../route.js";
import { routesOf } from "../routes.js";
import { tokenOf } from "../tokenOf.js";
import { within } from "../within.js";
import type { KeptBody } from "./keptBody.js";
import type { SignedIn } from "./signedIn.js";

/**
 * Answers what im-admin has to answer beside an upstream: administrators' lists, where it can, and its own pages. Undefined for
 * all else, which is the upstream's. `kept` gets the body; it is undefined where the host has read it, and nobody else can.
 */
export function ownAnswers(
  options: ResolvedOptions,
  signedIn: SignedIn,
): (request: HttpRequest, kept: KeptBody | undefined) => Promise<HttpAnswer | undefined> {
  const routes = routesOf(options, true);
  const { origins } = options;

  async function own(request: HttpRequest, kept: KeptBody | undefined): Promise<HttpAnswer | undefined> {
    const route = routes.at(request.path);
    if (route === undefined) return undefined;
    if ("document" in route) {
      return documentMethods.includes(request.method) ? route.document(request, undefined, undefined) : undefined;
    }
    // No list reads conversations: setting them is the upstream's alone.
    if (request.method !== "POST" || route.operation === "setConversations") return undefined;
    const adminUserID = await administrator(request, route, options, signedIn);
    if (adminUserID === undefined) return undefined;
    const known: ResolvedOptions = { ...options, authenticate: () => ({ adminUserID }) };
    const readBody: HttpRequest["readBody"] = (limit) => {
      kept?.begin();
      return request.readBody(limit);
    };
    const answer = await answerCall({ ...request, readBody }, route, known, undefined, undefined);
    // Clients that work with the upstream get its answer to what im-admin refuses, cannot answer, or reads in another way.
    const { errCode, ignored = [] } = answer.call ?? {};
    const isOurs = errCode === 0 && !ignored.some((name) => isFieldInOtherCase(name, route.schema(options.limits)));
    return isOurs || kept === undefined ? answer : undefined;
  }

  return async (request, kept) => {
    const answer = await own(request, kept);
    return answer && origins !== undefined ? readable(request, origins, answer) : answer;
  };
}

/** Whether the upstream takes a field that im-admin ignores for one that both know, since it does not look at the case. */
function isFieldInOtherCase(name: string, schema: object): boolean {
  const { entries = {} }: { entries?: object } = schema;
  return Object.keys(entries).some((known) => known.toLowerCase() === name.toLowerCase());
}

/** Who sent a request, if that is an administrator. If nobody can tell, the upstream has to. */
async function administrator(
  request: HttpRequest,
  { operation }: Route,
  { authenticate, observerOf, callTimeoutMs }: ResolvedOptions,
  signedIn: SignedIn,
): Promise<string | undefined> {
  const operationID = request.header("operationID") ?? "";
  // The upstream would say nothing of the token.
  if (operationID === "") return undefined;

  async function found(): Promise<string | undefined> {
    const token = tokenOf(request);
    const { adminUserID } = (await authenticate(token, request)) as { adminUserID?: unknown };
    if (typeof adminUserID !== "string" || adminUserID === "") return undefined;
    return (await signedIn.has(token, adminUserID, operationID)) ? adminUserID : undefined;
  }

  try {
    return await within(callTimeoutMs, found(), `authenticate took longer than ${callTimeoutMs} ms`);
  } catch (error) {
    reportError(observerOf(request, undefined, undefined), { operation, operationID, error });
    return undefined;
  }
}
