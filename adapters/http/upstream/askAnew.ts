import type { Json } from "../../../src/json.js";
import type { Body, HttpAnswer, HttpRequest } from "../request.js";
import { tokenOf } from "../tokenOf.js";
import { within } from "../within.js";
import { type Upstream, type UpstreamAnswer, unlessAborted } from "./upstream.js";
import { clientHasGone, failureOf, tooLate, UpstreamFailure } from "./upstreamFailure.js";

/** What a request tells the upstream beside its token and its body. */
const askedHeaders = ["operationID", "user-agent", "via"];
/** What it tells of its body. */
const bodyHeaders = ["content-type", "content-encoding"];
/** What the upstream's answer tells the client beside its status and its body. */
const answeredHeaders = ["content-type", "location", "retry-after"];

interface Question {
  request: HttpRequest;
  /** The path at the upstream. */
  path: string;
  body: Body;
  upstream: Upstream;
  /** Ends the request to the upstream. */
  abort: AbortController;
  /** Told why an answer ends before it is whole. */
  report(error: unknown): void;
}

/** Whether a request was sent by im-admin to this upstream, which has led it back. */
export function hasComeRound(request: HttpRequest, { via }: Upstream): boolean {
  return (request.header("via") ?? "").split(",").some((step) => step.trim() === via);
}

/**
 * Asks the upstream by a request made anew: nothing of how the client's was framed goes along.
 *
 * @throws UpstreamFailure if there is no answer
 */
export async function askAnew(question: Question): Promise<HttpAnswer> {
  const { request, path, body, upstream, abort } = question;
  const answer = await upstream.ask(path, headersOf(request, body), textOf(body), abort.signal);
  const { status, body: parts } = answer;
  // No Response can have another one.
  if (status < 200 || status > 599) throw new UpstreamFailure(502, "the upstream's answer has an unknown status");
  const isEmpty = parts === null || status === 204 || status === 205 || status === 304;
  return { status, headers: headersIn(answer), body: isEmpty ? null : await streamed(parts, question) };
}

/** A value comes from a parser of the host. */
function textOf(body: Body): Json {
  return "value" in body ? JSON.stringify(body.value) : (body.json as Json);
}

function headersOf(request: HttpRequest, body: Body): Record<string, string> {
  const ofBody = "value" in body ? { "content-type": "application/json" } : chosen(bodyHeaders, request.header);
  const addresses = [request.header("x-forwarded-for"), request.address?.replace(/^::ffff:/i, "")].filter(Boolean);
  return {
    ...chosen(askedHeaders, request.header),
    ...ofBody,
    token: tokenOf(request),
    ...(addresses.length > 0 && { "x-forwarded-for": addresses.join(", ") }),
  };
}

/** Without its length, a client of HTTP/1.0 could not tell whether an answer is whole. */
function headersIn({ headers }: UpstreamAnswer): Record<string, string> {
  const isEncoded = headers.get("content-encoding") !== null;
  const names = isEncoded ? answeredHeaders : [...answeredHeaders, "content-length"];
  return chosen(names, (name) => headers.get(name) ?? undefined);
}

function chosen(names: readonly string[], get: (name: string) => string | undefined): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of names) {
    const value = get(name);
    if (value !== undefined) found[name] = value;
  }
  return found;
}

/** The body of an answer, read as fast as its reader takes it. It ends where the upstream stands still. */
async function streamed(
  body: ReadableStream<Uint8Array>,
  { upstream, abort, report }: Question,
): Promise<ReadableStream<Uint8Array>> {
  const { signal } = abort;
  const reader = body.getReader();
  const failure = (error: unknown) => failureOf(signal.aborted ? signal.reason : error);
  // Until something has come, the client can still be told that nothing does.
  let first: Awaited<ReturnType<typeof reader.read>> | undefined = await unlessAborted(signal, reader.read()).catch(
    (error) => {
      throw failure(error);
    },
  );
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
          abort.abort();
          throw error;
        }
      },
      cancel: () => abort.abort(clientHasGone),
    },
    { highWaterMark: 0 },
  );
}
