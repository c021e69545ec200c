import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { json } from "./answer.js";
import { discardTimeout } from "./body.js";
import type { FetchHandlerOptions } from "./handlerOptions.js";
import { fromIncoming, writeAnswer } from "./nodeRequest.js";
import { onNode } from "./onNode.js";
import { resolveBasePath, withoutEndSlashes } from "./path.js";
import type { HttpAnswer, HttpRequest } from "./request.js";
import { createService } from "./service.js";
import { wayToConsole } from "./wayToConsole.js";
import { within } from "./within.js";

/** Answers a request of Node's http or https server. */
export type NodeListener = (request: IncomingMessage, response: ServerResponse) => void;

/** What `createNodeListener` and `serve` take. */
export type NodeListenerOptions = FetchHandlerOptions<undefined, undefined>;

/** The operations as a listener. */
export function adminListener(name: string, options: NodeListenerOptions): NodeListener {
  return toListener(answerOf(name, options));
}

/** A page beside the operations, and its path. */
export interface MountedPage {
  path: string;
  answer(request: HttpRequest): Promise<HttpAnswer>;
}

/** What a server has beside the operations. */
interface ServerParts {
  page?: MountedPage | undefined;
  /**
   * Rejects if the store does not answer. What it gives stands in the answer to the health check, which is 503 if it
   * gives another `status` than "ok".
   */
  health?: (() => Promise<object>) | undefined;
}

/**
 * The operations, `GET /healthz`, `GET /openapi.json` unless it is turned off, and a page if one is given, to which browsers
 * are led that ask for the root.
 */
export function serverListener(
  name: string,
  options: NodeListenerOptions,
  { page, health = () => countAccounts(options.store) }: ServerParts = {},
): NodeListener {
  const answer = answerOf(name, { ...options, openApi: options?.openApi ?? true });
  const basePath = resolveBasePath(options.basePath ?? "");
  return toListener(async (request) => {
    if (isHealthCheck(request)) return answerHealth(health);
    if (page !== undefined && isBelow(page.path, request.path)) return page.answer(request);
    return wayToConsole(request, basePath, page?.path) ?? answer(request);
  });
}

type Answer = (request: HttpRequest) => Promise<HttpAnswer>;

function answerOf(name: string, options: NodeListenerOptions): Answer {
  const { answer } = createService(name, onNode(options ?? {}));
  return (request) => answer(request.path, request, undefined, undefined);
}

function toListener(answer: Answer): NodeListener {
  return (incoming, response) => {
    // The host has answered already, for example because of its own time limit.
    if (response.headersSent) return;
    // Take the socket now: the request loses it when the response is finished.
    const { socket } = incoming;
    answer(fromIncoming(incoming, response)).then((answered) => {
      if (!incoming.complete) afterFinish(response, () => endUpload(incoming, socket));
      writeAnswer(answered, response);
    });
  };
}

/** The host may have answered already. */
function afterFinish(response: ServerResponse, listener: () => void): void {
  if (response.writableFinished) listener();
  else response.on("finish", listener);
}

/** Hangs up on a client that goes on sending after its answer. Until then, Node reads and drops the rest. */
function endUpload(incoming: IncomingMessage, socket: Socket): void {
  setTimeout(() => incoming.complete || socket.destroy(), discardTimeout).unref();
}

function isBelow(folder: string, path: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function isHealthCheck({ method, path }: HttpRequest): boolean {
  return (method === "GET" || method === "HEAD") && isHealthPath(path);
}

export function isHealthPath(path: string): boolean {
  return withoutEndSlashes(path) === "/healthz";
}

async function answerHealth(health: () => Promise<object>): Promise<HttpAnswer> {
  try {
    const seen = { status: "ok", ...(await within(healthTimeout, health(), "the store does not answer")) };
    return json(seen.status === "ok" ? 200 : 503, JSON.stringify(seen));
  } catch {
    return json(503, JSON.stringify({ status: "the store does not answer" }));
  }
}

/** How long a store may take to answer the health check, in milliseconds. */
const healthTimeout = 5_000;

/** A store answers when it can count its notification accounts, which costs next to nothing. */
export async function countAccounts(store: NodeListenerOptions["store"]): Promise<object> {
  // A function needs a request of an administrator to choose a store.
  if (typeof store !== "function") await store.listNotificationAccounts({ keyword: "", offset: 0, limit: 1 });
  return {};
}
