import type { IncomingMessage, ServerResponse } from "node:http";
import { answerHeaders, asksForBody, requestHeaders, trailersOf } from "./passedHeaders.js";
import type { Upstream } from "./upstream.js";
import { failureOf, tooLateToConnect, tooSilent, UpstreamFailure } from "./upstreamFailure.js";
import type { WatchedCall } from "./watchedCall.js";

/** How long a connection may take to be made, in milliseconds. */
const connectTimeout = 10_000;
/** How long a client that asks whether to send its body waits for an upstream that does not say, in milliseconds. */
const continueTimeout = 1_000;

/** Sends the head of a message at once. Node's `flushHeaders` does, too, and garbles bytes beyond ASCII. */
const nothing = new Uint8Array();

/**
 * Passes a request on, and its answer back, byte by byte as they come: neither is held in memory, and whichever side goes away
 * takes the other with it.
 *
 * Resolves when it is over, with the failure where there is no answer, or no whole one. It never rejects.
 *
 * @param watched learns of what passes
 */
export function passOn(
  upstream: Upstream,
  incoming: IncomingMessage,
  response: ServerResponse,
  watched?: WatchedCall | undefined,
): Promise<UpstreamFailure | undefined> {
  return new Promise<UpstreamFailure | undefined>((resolve) => {
    const { method = "", url = "", socket } = incoming;
    const outgoing = upstream.request(method, url, requestHeaders(incoming, upstream.host));
    const silence = setTimeout(() => end(tooSilent()), upstream.timeoutMs);
    const connecting = setTimeout(() => end(tooLateToConnect()), connectTimeout);
    let isSending = false;
    let isAnswered = false;

    function end(failure?: UpstreamFailure): void {
      clearTimeout(silence);
      clearTimeout(connecting);
      socket.off("close", clientGone);
      // Where the whole answer has gone out, the rest of the body may still come.
      if (!response.writableFinished || !isSending) outgoing.destroy();
      if (failure !== undefined) dropBody();
      if (failure !== undefined && response.headersSent) response.destroy();
      resolve(failure);
    }

    /** A client that is cut off while it sends may not see its answer. */
    function dropBody(): void {
      incoming.unpipe(outgoing);
      incoming.resume();
    }

    const clientGone = () => end();

    function sendBody(): void {
      if (isSending) return;
      isSending = true;
      incoming.on("data", (chunk) => {
        silence.refresh();
        watched?.sent(chunk);
      });
      incoming.on("end", () => {
        outgoing.addTrailers(trailersOf(incoming));
        outgoing.end();
      });
      incoming.on("close", () => incoming.complete || outgoing.destroy());
      incoming.pipe(outgoing, { end: false });
    }

    function giveBack(answer: IncomingMessage): void {
      const { statusCode = 0, statusMessage = "" } = answer;
      watched?.answered(answer);
      // Node would add its own.
      response.sendDate = false;
      response.writeHead(statusCode, statusMessage, answerHeaders(answer, incoming));
      answer.on("data", () => silence.refresh());
      answer.on("error", (error) => end(failureOf(error)));
      answer.on("end", () => {
        response.addTrailers(trailersOf(answer));
        response.end();
      });
      answer.pipe(response, { end: false });
      // The body may be a long time in coming.
      setImmediate(() => response.writableEnded || response.write(nothing));
    }

    outgoing.on("socket", (connection) => {
      const isConnected = () => clearTimeout(connecting);
      if (connection.connecting) connection.once("connect", isConnected);
      else isConnected();
    });
    outgoing.on("error", (error) => {
      // Once it has answered, it may want no more of the body.
      if (isAnswered) dropBody();
      else end(failureOf(error));
    });
    outgoing.on("upgrade", (_answer, connection) => {
      connection.destroy();
      end(new UpstreamFailure(502, "the upstream switched to another protocol"));
    });
    outgoing.on("response", (answer) => {
      isAnswered = true;
      silence.refresh();
      try {
        giveBack(answer);
      } catch {
        end(new UpstreamFailure(502, "the upstream's answer is no HTTP"));
      }
    });
    response.on("close", clientGone);
    // A response that waits for the one before it on its connection does not learn that the client goes.
    if (response.socket === null) socket.on("close", clientGone);

    if (!asksForBody(incoming)) {
      outgoing.write(nothing);
      sendBody();
    } else {
      outgoing.once("continue", sendBody);
      setTimeout(() => isAnswered || outgoing.destroyed || sendBody(), continueTimeout).unref();
    }
  }).catch(failureOf);
}
