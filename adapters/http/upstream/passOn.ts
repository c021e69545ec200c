import type { IncomingMessage, ServerResponse } from "node:http";
import { type Ambiguity, framingOf } from "./framing.js";
import type { KeptBody } from "./keptBody.js";
import { answerHeaders, asksForBody, requestHeaders, trailersOf } from "./passedHeaders.js";
import type { Upstream } from "./upstream.js";
import { failureOf, noHttp, tooLateToConnect, tooSilent, UpstreamFailure } from "./upstreamFailure.js";

/** How long a connection may take to be made, in milliseconds. */
const connectTimeout = 10_000;
/** How long a client that asks whether to send its body waits for an upstream that does not say, in milliseconds. */
const continueTimeout = 1_000;
/**
 * How long an upstream may take nothing of a body, in milliseconds. Until it takes more, nothing is read from the client, and so
 * nobody learns whether the client has gone.
 */
const sendTimeout = 60_000;

/** Sends the head of a message at once. Node's `flushHeaders` does, too, and garbles bytes beyond ASCII. */
const nothing = new Uint8Array();

/**
 * Passes a request on, and its answer back, byte by byte as they come: neither is held in memory, and whichever side goes away
 * takes the other with it.
 *
 * Resolves when it is over, with the failure where there is no answer, or no whole one. It never rejects.
 *
 * @param kept what has been read of the body
 */
export async function passOn(
  upstream: Upstream,
  incoming: IncomingMessage,
  response: ServerResponse,
  kept: KeptBody,
): Promise<UpstreamFailure | Ambiguity | undefined> {
  const giveBackPlace = await upstream.places.take(response);
  if (giveBackPlace === undefined) return response.closed ? undefined : tooLateToConnect();
  return new Promise<UpstreamFailure | Ambiguity | undefined>((resolve) => {
    const { method = "", url = "", socket } = incoming;
    const hasBody = framingOf(incoming) !== "none";
    const asks = asksForBody(incoming) && !kept.hasBegun;
    const ofHost = response.getHeaders();
    const outgoing = upstream.request(method, url, requestHeaders(incoming, upstream.host, asks));
    outgoing.once("close", giveBackPlace);
    const silence = setTimeout(() => end(tooSilent()), upstream.timeoutMs);
    const connecting = setTimeout(() => end(tooLateToConnect()), connectTimeout);
    let stalled: NodeJS.Timeout | undefined;
    let isSending = false;
    let isAnswered = false;

    function end(failure?: UpstreamFailure | Ambiguity): void {
      clearTimeout(silence);
      clearTimeout(connecting);
      clearTimeout(stalled);
      // Where the whole answer has gone out, the rest of the body may still come.
      if (failure !== undefined || !response.writableFinished || !isSending) outgoing.destroy();
      if (failure !== undefined) dropBody();
      if (failure !== undefined && response.headersSent) response.destroy();
      if (!response.headersSent) forgetHead();
      resolve(failure);
    }

    /** What the upstream has said must not stay in the answer that takes its place. */
    function forgetHead(): void {
      for (const name of response.getHeaderNames()) response.removeHeader(name);
      Object.assign(response, { statusMessage: "", sendDate: true });
      for (const [name, value] of Object.entries(ofHost)) if (value !== undefined) response.setHeader(name, value);
    }

    /** Makes a listener whose failure ends this request alone: Node throws for much that a peer can send. */
    function guarded<Arguments extends unknown[]>(listener: (...given: Arguments) => void) {
      return (...given: Arguments) => {
        try {
          listener(...given);
        } catch {
          end(noHttp());
        }
      };
    }

    /** A client that is cut off while it sends may not see its answer. One that asks whether to send is not told to. */
    function dropBody(): void {
      if (!isSending) return;
      incoming.off("data", sendChunk).off("end", sendEnd);
      incoming.resume();
    }

    const sendChunk = guarded((chunk: Uint8Array) => {
      silence.refresh();
      // The parser has found a body that no header tells of. The upstream would read it as a further request.
      if (!hasBody) return end({ status: 431, what: "no header that was kept says how long the body is" });
      const isTaken = outgoing.write(chunk);
      if (isTaken || stalled !== undefined) return;
      incoming.pause();
      stalled = setTimeout(() => end(tooSilent()), sendTimeout);
    });

    const sendEnd = guarded(() => {
      // Node tells no more when the upstream has taken what it was sent.
      clearTimeout(stalled);
      outgoing.addTrailers(trailersOf(incoming));
      outgoing.end();
    });

    function leave(): void {
      if (!incoming.complete) outgoing.destroy();
    }

    function sendBody(): void {
      if (isSending || outgoing.destroyed) return;
      isSending = true;
      const taken = kept.take();
      if (taken.length > 0) sendChunk(taken);
      if (incoming.readableEnded) return void sendEnd();
      incoming.on("data", sendChunk);
      incoming.on("end", sendEnd);
      if (stalled === undefined) incoming.resume();
    }

    function writeHead(status: number, reason: string, headers: [string, string][]): void {
      if (Object.keys(ofHost).length === 0) return void response.writeHead(status, reason, headers.flat());
      // Beside a host's headers, Node would keep the last one of those that come several times.
      for (const [name] of headers) response.removeHeader(name);
      for (const [name, value] of headers) response.appendHeader(name, value);
      response.writeHead(status, reason);
    }

    function giveBack(answer: IncomingMessage): void {
      const { statusCode = 0, statusMessage = "" } = answer;
      // Node takes it for an answer if nothing says to what the upstream switches.
      if (statusCode === 101) return void end(switched());
      // Node would add its own.
      response.sendDate = false;
      writeHead(statusCode, statusMessage, answerHeaders(answer, incoming));
      answer.on("data", () => silence.refresh());
      answer.on("error", (error) => end(failureOf(error)));
      answer.on(
        "end",
        guarded(() => {
          response.addTrailers(trailersOf(answer));
          response.end();
        }),
      );
      answer.pipe(response, { end: false });
      // The body may be a long time in coming.
      setImmediate(() => response.writableEnded || response.write(nothing));
    }

    outgoing.on("drain", () => {
      clearTimeout(stalled);
      stalled = undefined;
      if (isSending) incoming.resume();
    });
    // The request itself does not tell this once its answer is out.
    socket.once("close", leave);
    outgoing.on("close", () => {
      socket.off("close", leave);
      clearTimeout(stalled);
      // The upstream wants no more of it.
      dropBody();
    });
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
      end(switched());
    });
    outgoing.on(
      "response",
      guarded((answer) => {
        isAnswered = true;
        silence.refresh();
        giveBack(answer);
      }),
    );
    response.on("close", () => end());

    if (!asks) {
      outgoing.write(nothing);
      sendBody();
    } else {
      outgoing.once("continue", sendBody);
      setTimeout(() => isAnswered || sendBody(), continueTimeout).unref();
    }
  }).catch((error) => {
    giveBackPlace();
    return failureOf(error);
  });
}

function switched(): UpstreamFailure {
  return new UpstreamFailure(502, "the upstream switched to another protocol");
}
