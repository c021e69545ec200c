import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Store } from "../../src/store.js";
import { json } from "./answer.js";
import { discardTimeout } from "./body.js";
import { describeOnNode } from "./describeOnNode.js";
import { withoutEndSlashes } from "./endSlashes.js";
import type { FetchHandlerOptions } from "./handlerOptions.js";
import { fromIncoming, writeAnswer } from "./nodeRequest.js";
import type { HttpAnswer, HttpRequest } from "./request.js";
import { createService } from "./service.js";
import type { UpstreamOptions } from "./upstream/upstream.js";
import { type UpstreamService, upstreamService } from "./upstream/upstreamService.js";

/** Answers a request of Node's http or https server. */
export type NodeListener = (request: IncomingMessage, response: ServerResponse) => void;

/** What `createNodeListener` and `serve` take. */
export interface NodeListenerOptions extends FetchHandlerOptions<undefined, undefined> {
  /**
   * A server, such as OpenIM's, that answers all that im-admin does not: its URL, or that with more. Administrators' lists are
   * answered here. Their `set_conversations` goes to the upstream, and once that has answered success, the store is set as well.
   * All else is passed on unread and unchanged. `cors` is `true` by default then.
   * @default undefined, for none
   */
  upstream?: string | UpstreamOptions | undefined;
}

/** Answers requests, and ends. */
export interface AdminListener {
  listener: NodeListener;
  /** Resolves when nothing that a request has begun needs the store any more. */
  close(): Promise<void>;
}

/** The operations as a listener. */
export function adminListener(name: string, options: NodeListenerOptions): AdminListener {
  const { answer, close } = nodeService(name, options);
  return { listener: toListener(answer), close };
}

/** A page beside the operations, and its path. */
export interface MountedPage {
  path: string;
  answer(request: HttpRequest): Promise<HttpAnswer>;
}

/** What a server has beside the operations. */
interface ServerParts {
  page?: MountedPage | undefined;
  /** When the store was last made what another server has, in milliseconds; undefined where it is no copy. */
  lastImport?: (() => Promise<number | undefined>) | undefined;
}

/** The operations, `GET /healthz`, `GET /openapi.json` unless it is turned off, and a page if one is given. */
export function serverListener(
  name: string,
  options: NodeListenerOptions,
  { page, lastImport }: ServerParts = {},
): AdminListener {
  const { answer, close } = nodeService(name, { ...options, openApi: options?.openApi ?? true });
  const listener = toListener(async (request, ...more) => {
    if (isHealthCheck(request)) return health(options.store, lastImport);
    if (page !== undefined && isBelow(page.path, request.path)) return page.answer(request);
    return answer(request, ...more);
  });
  return { listener, close };
}

/** With an upstream or without. */
function nodeService(name: string, options: NodeListenerOptions): UpstreamService {
  const { upstream, ...others } = describeOnNode(options ?? {});
  if (upstream !== undefined) return upstreamService(name, upstream, others);
  const { answer } = createService(name, others);
  return { answer: (request) => answer(request.path, request, undefined, undefined), close: async () => {} };
}

function toListener(answer: UpstreamService["answer"]): NodeListener {
  return (incoming, response) => {
    // The host has answered already, for example because of its own time limit.
    if (response.headersSent) return;
    // Take the socket now: the request loses it when the response is finished.
    const { socket } = incoming;
    answer(fromIncoming(incoming, response), incoming, response).then((answered) => {
      if (!incoming.complete) afterFinish(response, () => endUpload(incoming, socket));
      if (answered !== undefined) writeAnswer(answered, response);
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

/** A store answers when it can count its notification accounts, which costs next to nothing. */
async function health(store: NodeListenerOptions["store"], lastImport: ServerParts["lastImport"]): Promise<HttpAnswer> {
  async function look(): Promise<object> {
    // A function needs a request of an administrator to choose a store.
    if (typeof store !== "function") await countAccounts(store);
    const time = await lastImport?.();
    return time === undefined ? {} : { copyAgeSeconds: Math.max(0, Math.floor((Date.now() - time) / 1000)) };
  }
  try {
    const seen = await Promise.race([look(), timeout(healthTimeout)]);
    return json(200, JSON.stringify({ status: "ok", ...seen }));
  } catch {
    return json(503, JSON.stringify({ status: "the store does not answer" }));
  }
}

/** How long a store may take to answer the health check, in milliseconds. */
const healthTimeout = 5_000;

function timeout(milliseconds: number): Promise<never> {
  return new Promise((_, reject) => setTimeout(reject, milliseconds).unref());
}

async function countAccounts(store: Store): Promise<void> {
  await store.listNotificationAccounts({ keyword: "", offset: 0, limit: 1 });
}
