import { bodyIsGone, discardTimeout, GrowingBytes, incompleteBody } from "./body.js";
import { pathOf } from "./pathOf.js";
import type { Body, HttpAnswer, HttpRequest } from "./request.js";

/**
 * Answers a request of any runtime with the Fetch standard.
 *
 * @param bodyOf returns the request's body when it is needed
 */
export async function answerRequest(
  request: Request,
  answer: (request: HttpRequest) => Promise<HttpAnswer>,
  bodyOf = ({ body }: Request) => body,
): Promise<Response> {
  const sent = new SentBody(request, bodyOf);
  const { status, headers, body } = await answer({
    method: request.method,
    path: pathOf(request.url),
    header: (name) => request.headers.get(name) ?? undefined,
    raw: request,
    onGone: (listener) => request.signal?.addEventListener("abort", listener, { once: true }),
    readBody: (limit) => sent.read(limit),
  });
  await sent.discard();
  return new Response(body, { status, headers });
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/** The body of a request. */
class SentBody {
  readonly #request: Request;
  readonly #bodyOf: (request: Request) => Request["body"];
  #reader: Reader | undefined;
  #isWhole = false;

  constructor(request: Request, bodyOf: (request: Request) => Request["body"]) {
    this.#request = request;
    this.#bodyOf = bodyOf;
  }

  async read(limit: number): Promise<Body | undefined> {
    const body = this.#bodyOf(this.#request);
    if (this.#request.bodyUsed || body?.locked)
      throw bodyIsGone("hand over the request before its body is read, or a clone() of it");
    const bytes = new GrowingBytes();
    this.#reader = body?.getReader();
    while (this.#reader !== undefined) {
      const { done, value } = await this.#reader.read().catch(incomplete);
      this.#isWhole = done;
      if (done) break;
      if (bytes.length + value.length > limit) return undefined;
      bytes.append(value);
    }
    return { json: bytes.bytes() };
  }

  /**
   * Reads the rest of the body for a while. Otherwise Workers reset the connection, with the next request on it, and a
   * client that is cut off while it sends may not see its answer.
   */
  async discard(): Promise<void> {
    if (this.#isWhole) return;
    const body = this.#bodyOf(this.#request);
    const reader: Reader | undefined = this.#reader ?? (body?.locked ? undefined : body?.getReader());
    if (reader === undefined) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const isLate = new Promise<boolean>((resolve) => {
      timer = setTimeout(resolve, discardTimeout, true);
    });
    const isRead = readAll(reader).catch(() => false);
    if (await Promise.race([isRead, isLate])) reader.cancel().catch(() => {});
    clearTimeout(timer);
  }
}

async function readAll(reader: Reader): Promise<false> {
  for (;;) {
    const { done } = await reader.read();
    if (done) return false;
  }
}

function incomplete(): never {
  throw incompleteBody();
}
