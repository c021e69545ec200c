import type { Json } from "../../../src/json.js";
import type { HttpAnswer, HttpRequest } from "../request.js";
import { tokenOf } from "../tokenOf.js";
import { within } from "../within.js";
import type { Upstream } from "./upstream.js";
import { failureOf, tooLate, UpstreamFailure } from "./upstreamFailure.js";

/** What a request tells the upstream beside its token and its body. */
const askedHeaders = ["operationID", "content-type", "content-encoding", "user-agent"];
/** What the upstream's answer tells the client beside its status and its body. */
const answeredHeaders = ["content-type", "location", "retry-after"];

interface Question {
  request: HttpRequest;
  /** The path at the upstream. */
  path: string;
  body: Json;
  upstream: Upstream;
  /** Ends the request to the upstream. */
  ending: AbortController;
  /** Told why an answer ends before it is whole. */
  report(error: unknown): void;
}

/** Whether a request was sent by im-admin to this upstream, which has led it back. */
export function hasComeRound(request: HttpRequest, { via }: Upstream): boolean {
  return (request.header("via") ?? "").split(",").some((step) => step.trim() === `1.1 ${via}`);
}

/**
 * Asks the upstream by a request made anew: nothing of how the client's was framed goes along.
 *
 * @throws UpstreamFailure if there is no answer
 */
export async function askAnew(question: Question): Promise<HttpAnswer> {
  const { request, path, body, upstream, ending } = question;
  const answer = await upstream.ask(path, headersOf(request), body, ending.signal);
  const { status, body: parts } = answer;
  // No Response can have another one.
  if (status < 200 || status > 599) throw new UpstreamFailure(502, "the upstream's answer has an unknown status");
  const headers: Record<string, string> = {};
  for (const name of answeredHeaders) {
    const value = answer.headers.get(name);
    if (value !== null) headers[name] = value;
  }
  const isEmpty = parts === null || status === 204 || status === 205 || status === 304;
  return { status, headers, body: isEmpty ? null : await passed(parts, question) };
}

function headersOf(request: HttpRequest): Record<string, string> {
  const headers: Record<string, string> = { token: tokenOf(request) };
  for (const name of askedHeaders) {
    const value = request.header(name);
    if (value !== undefined) headers[name] = value;
  }
  const addresses = [request.header("x-forwarded-for"), request.address?.replace(/^::ffff:/i, "")].filter(Boolean);
  if (addresses.length > 0) headers["x-forwarded-for"] = addresses.join(", ");
  return headers;
}

/** The body of an answer, read as fast as its reader takes it. It ends where the upstream stands still. */
async function passed(
  body: ReadableStream<Uint8Array>,
  { upstream, ending, report }: Question,
): Promise<ReadableStream<Uint8Array>> {
  const { signal } = ending;
  const reader = body.getReader();
  const failure = (error: unknown) => failureOf(signal.aborted ? signal.reason : error);
  // Until something has come, the client can still be told that nothing does.
  let first: Awaited<ReturnType<typeof reader.read>> | undefined = await reader.read().catch((error) => {
    throw failure(error);
  });
  return new ReadableStream<Uint8Array>(
    {
      async pull(given) {
        try {
          const { done, value } = first ?? (await within(upstream.timeoutMs, reader.read(), tooLate()));
          first = undefined;
          if (done) given.close();
          else given.enqueue(value);
        } catch (error) {
          report(failure(error));
          ending.abort();
          throw error;
        }
      },
      cancel: () => ending.abort(),
    },
    { highWaterMark: 0 },
  );
}
