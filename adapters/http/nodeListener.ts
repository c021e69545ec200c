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

/** Answers a request of Node's http or https server. */
export type NodeListener = (request: IncomingMessage, response: ServerResponse) => void;

type Options = FetchHandlerOptions<undefined, undefined>;

/** The operations as a listener. */
export function adminListener(name: string, options: Options): NodeListener {
  const { answer } = createService(name, describeOnNode(options));
  return toListener((request) => answer(request.path, request, undefined, undefined));
}

/** A path where something else than an operation is. */
export interface MountedPage {
  path: string;
  answer(request: HttpRequest): Promise<HttpAnswer>;
}

/** The operations, `GET /healthz`, `GET /openapi.json` unless it is turned off, and a page if one is given. */
export function serverListener(name: string, options: Options, page?: MountedPage | undefined): NodeListener {
  const { answer } = createService(name, describeOnNode({ ...options, openApi: options.openApi ?? true }));
  return toListener(async (request) => {
    if (isHealthCheck(request)) return health(options.store);
    if (page !== undefined && isBelow(page.path, request.path)) return page.answer(request);
    return answer(request.path, request, undefined, undefined);
  });
}

function toListener(answer: (request: HttpRequest) => Promise<HttpAnswer>): NodeListener {
  return (incoming, response) => {
    // The host, such as its own limit of time, has answered already.
    if (response.headersSent) return;
    // The request has let go of it when the response is finished.
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

/** Hangs up on a client that goes on sending after its answer. Until then Node reads what nobody else does. */
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
async function health(store: Options["store"]): Promise<HttpAnswer> {
  try {
    // Which store to ask, only a request of an administrator can say.
    if (typeof store !== "function") await Promise.race([countAccounts(store), timeout(healthTimeout)]);
    return json(200, JSON.stringify({ status: "ok" }));
  } catch {
    return json(503, JSON.stringify({ status: "the store does not answer" }));
  }
}

/** How long a store may take to say that it is well, in milliseconds. */
const healthTimeout = 5_000;

function timeout(milliseconds: number): Promise<never> {
  return new Promise((_, reject) => setTimeout(reject, milliseconds).unref());
}

async function countAccounts(store: Store): Promise<void> {
  await store.listNotificationAccounts({ keyword: "", offset: 0, limit: 1 });
}
