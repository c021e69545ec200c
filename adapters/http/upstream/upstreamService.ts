import type { IncomingMessage, ServerResponse } from "node:http";
import { failure } from "../../../src/envelope.js";
import { OperationError } from "../../../src/errors.js";
import { reportError } from "../../../src/observer.js";
import { argsError, json, operationIDLength } from "../answer.js";
import { bodyIsGone } from "../body.js";
import { answerOrigin } from "../cors.js";
import type { FetchHandlerOptions } from "../handlerOptions.js";
import type { HttpAnswer, HttpRequest } from "../request.js";
import { resolveOptions } from "../resolveOptions.js";
import { forwardedFor } from "./passedHeaders.js";
import { passOn } from "./passOn.js";
import { sharing } from "./share.js";
import { Upstream, type UpstreamOptions } from "./upstream.js";
import { UpstreamFailure } from "./upstreamFailure.js";
import { WatchedCall } from "./watchedCall.js";

/** Requests that name so many addresses go in a circle: the upstream leads back to us. */
const mostAddresses = 32;

/** All of HTTP where an upstream answers what im-admin does not. */
export interface UpstreamService {
  /** Gives our answer; undefined where the upstream's has been given back. It never rejects. */
  answer(request: HttpRequest, incoming: IncomingMessage, response: ServerResponse): Promise<HttpAnswer | undefined>;
  /** Resolves when all that the upstream has done is copied. */
  close(): Promise<void>;
}

export function upstreamService(
  name: string,
  given: string | UpstreamOptions,
  givenOptions: FetchHandlerOptions<undefined, undefined>,
): UpstreamService {
  const upstream = new Upstream(given);
  // The upstream allows any origin, and pages that call it expect the same of us.
  const options = resolveOptions(name, { ...givenOptions, cors: givenOptions.cors ?? true });
  const share = sharing(options);
  const copies = new Set<Promise<unknown>>();

  function report(request: HttpRequest, operation: string, error: unknown): void {
    const operationID = (request.header("operationID") ?? "").slice(0, operationIDLength);
    reportError(options.observerOf(request, undefined, undefined), { operation, operationID, error });
  }

  function refusal(request: HttpRequest, status: number, error: OperationError): Promise<HttpAnswer> {
    const answer = async () => json(status, JSON.stringify(failure(error)));
    return options.origins === undefined ? answer() : answerOrigin(request, options.origins, answer);
  }

  function failed(request: HttpRequest, error: Error, status: number, what: string): Promise<HttpAnswer> {
    report(request, "upstream", error);
    return refusal(request, status, new OperationError("ServerInternalError", what));
  }

  /** Keeps what has to be finished before the store is closed. */
  function copy(request: HttpRequest, watched: WatchedCall, work: () => Promise<unknown>): void {
    try {
      if (!watched.hasSucceeded) return;
      const copying = work().finally(() => copies.delete(copying));
      copies.add(copying);
    } catch (error) {
      report(request, "copyConversations", error);
    }
  }

  return {
    async answer(request, incoming, response) {
      const shared = await share(request.path, request);
      if ("answer" in shared) return shared.answer();
      if (/^websocket$/i.test(request.header("upgrade") ?? "")) {
        const what = "a WebSocket is not passed on: connect to the message gateway at its own port";
        return refusal(request, 501, argsError(what));
      }
      if (incoming.readableDidRead) {
        const gone = bodyIsGone("mount im-admin before what reads bodies");
        return failed(request, gone, 500, "");
      }
      if (forwardedFor(incoming).length > mostAddresses) {
        const circle = new UpstreamFailure(502, "the upstream leads back to im-admin");
        return failed(request, circle, circle.status, circle.what);
      }
      const watched = shared.copy && new WatchedCall(options.bodyBytes);
      const failure = await passOn(upstream, incoming, response, watched);
      if (failure !== undefined) return failed(request, failure, failure.status, failure.what);
      if (watched && shared.copy) copy(request, watched, () => shared.copy?.(watched.body) ?? Promise.resolve());
      return undefined;
    },
    async close() {
      await Promise.all(copies);
    },
  };
}
