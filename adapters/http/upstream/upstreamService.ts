import type { IncomingMessage, ServerResponse } from "node:http";
import { failure } from "../../../src/envelope.js";
import { argsError, OperationError } from "../../../src/errors.js";
import { reportError } from "../../../src/observer.js";
import { json, operationIDLength } from "../answer.js";
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
  /** Resolves when what is under way is answered, and all that the upstream has done is done here as well. */
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
  const underWay = new Set<Promise<unknown>>();

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

  /** Gives our answer; undefined where the upstream's has been given back. */
  async function answer(request: HttpRequest, incoming: IncomingMessage, response: ServerResponse) {
    const shared = await share(request.path, request);
    if ("answer" in shared) return shared.answer();
    if (/^websocket$/i.test(request.header("upgrade") ?? "")) {
      const what = "a WebSocket is not passed on: connect to the message gateway at its own port";
      return refusal(request, 501, argsError(what));
    }
    if (incoming.readableDidRead) {
      return failed(request, bodyIsGone("mount im-admin before what reads bodies"), 500, "");
    }
    if (forwardedFor(incoming).length > mostAddresses) {
      const circle = new UpstreamFailure(502, "the upstream leads back to im-admin");
      return failed(request, circle, circle.status, circle.what);
    }
    const watched = shared.copy && new WatchedCall(options.bodyBytes);
    const failure = await passOn(upstream, incoming, response, watched);
    if (failure !== undefined) return failed(request, failure, failure.status, failure.what);
    try {
      if (watched?.hasSucceeded) await shared.copy?.(watched.body);
    } catch (error) {
      report(request, "copyConversations", error);
    }
    return undefined;
  }

  return {
    answer(...given) {
      const answered = answer(...given).finally(() => underWay.delete(answered));
      underWay.add(answered);
      return answered;
    },
    async close() {
      await Promise.all(underWay);
    },
  };
}
