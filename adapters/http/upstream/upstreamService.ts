import type { IncomingMessage, ServerResponse } from "node:http";
import { failure } from "../../../src/envelope.js";
import { argsError, OperationError } from "../../../src/errors.js";
import { reportError } from "../../../src/observer.js";
import { json, operationIDLength } from "../answer.js";
import { bodyIsGone } from "../body.js";
import { readable } from "../cors.js";
import type { FetchHandlerOptions } from "../handlerOptions.js";
import { writeAnswer } from "../nodeRequest.js";
import type { HttpAnswer, HttpRequest } from "../request.js";
import { resolveOptions } from "../resolveOptions.js";
import { ambiguityOf, framingOf } from "./framing.js";
import { KeptBody } from "./keptBody.js";
import { oneAtATime } from "./oneAtATime.js";
import { ownAnswers } from "./ownAnswers.js";
import { forwardedFor } from "./passedHeaders.js";
import { passOn } from "./passOn.js";
import { SignedIn } from "./signedIn.js";
import { Upstream, type UpstreamOptions } from "./upstream.js";
import { UpstreamFailure } from "./upstreamFailure.js";

/** Requests that name so many addresses go in a circle: the upstream leads back to us. */
const mostAddresses = 32;

/** All of HTTP where an upstream answers what im-admin does not. */
export interface UpstreamService {
  /** Answers a request, and resolves when that is over. It never rejects. */
  answer(request: HttpRequest, incoming: IncomingMessage, response: ServerResponse): Promise<undefined>;
  /** Resolves when what is under way is answered. */
  close(): Promise<void>;
}

/** @throws TypeError for an option that does not fit */
export function upstreamService(
  name: string,
  given: string | UpstreamOptions,
  givenOptions: FetchHandlerOptions<undefined, undefined>,
): UpstreamService {
  const upstream = new Upstream(given);
  if (givenOptions.adminToken !== undefined) {
    throw new TypeError(
      "adminToken must be left out beside an upstream, which accepts only tokens that it gave out itself",
    );
  }
  if (givenOptions.history !== undefined) {
    throw new TypeError("history must be left out beside an upstream, which writes the conversations");
  }
  // The upstream allows any origin, and pages that call it expect the same of us.
  const options = resolveOptions(name, { ...givenOptions, cors: givenOptions.cors ?? true });
  const ownAnswer = ownAnswers(options, new SignedIn(upstream));
  const underWay = new Set<Promise<unknown>>();

  function refusal(request: HttpRequest, status: number, error: OperationError): HttpAnswer {
    // Whatever follows on the connection of a request that is no clear one may be a part of it.
    const headers = status < 500 ? { connection: "close" } : {};
    const answer = json(status, JSON.stringify(failure(error)), headers);
    return options.origins === undefined ? answer : readable(request, options.origins, answer);
  }

  function failed(request: HttpRequest, error: Error, status: number, what: string): HttpAnswer {
    const operationID = (request.header("operationID") ?? "").slice(0, operationIDLength);
    reportError(options.observerOf(request, undefined, undefined), { operation: "upstream", operationID, error });
    return refusal(request, status, new OperationError("ServerInternalError", what));
  }

  /** Returns our answer, or undefined if the upstream's has been given back. */
  async function answerOf(request: HttpRequest, incoming: IncomingMessage, response: ServerResponse) {
    const ambiguity = ambiguityOf(incoming);
    if (ambiguity !== undefined) return refusal(request, ambiguity.status, argsError(ambiguity.what));
    const kept = new KeptBody(incoming);
    const own = await ownAnswer(request, kept.isLost ? undefined : kept);
    if (own !== undefined) return own;
    if (/^websocket$/i.test(request.header("upgrade") ?? "")) {
      const what = "a WebSocket is not passed on: connect to the message gateway at its own port";
      return refusal(request, 501, argsError(what));
    }
    // The host may have begun to read meanwhile.
    if (framingOf(incoming) !== "none" && kept.isLost)
      return failed(request, bodyIsGone("mount im-admin before what reads bodies"), 500, "");
    if (forwardedFor(incoming).length > mostAddresses) {
      const circle = new UpstreamFailure(502, "the upstream leads back to im-admin");
      return failed(request, circle, circle.status, circle.what);
    }
    // The client may have gone meanwhile.
    if (!incoming.socket.writable) return undefined;
    const failure = await passOn(upstream, incoming, response, kept);
    if (failure === undefined) return undefined;
    const { status, what } = failure;
    return failure instanceof Error
      ? failed(request, failure, status, what)
      : refusal(request, status, argsError(what));
  }

  /** Resolves when the next request of the connection may have its turn. */
  async function answer(request: HttpRequest, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const own = await answerOf(request, incoming, response).catch((error) => failed(request, error, 500, ""));
    try {
      if (own !== undefined) writeAnswer(own, response);
    } catch {
      // The host has set headers that no answer can have.
      response.destroy();
    }
    if (!response.closed) await new Promise((resolve) => response.once("close", resolve));
  }

  return {
    async answer(request, incoming, response) {
      const answered = oneAtATime(incoming.socket, response, () => answer(request, incoming, response));
      underWay.add(answered);
      await answered;
      underWay.delete(answered);
    },
    async close() {
      await Promise.all(underWay);
    },
  };
}
