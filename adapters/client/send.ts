import type { Envelope } from "../../src/index.js";
import type { ClientCall } from "./adminClient.js";
import { TransportError } from "./transportError.js";

/**
 * The part of `fetch` that the client needs. The `fetch` of browsers, Node, Workers and of a Worker's service binding
 * fits.
 */
export type ClientFetch = (
  url: string,
  init: {
    method: "POST";
    headers: Record<string, string>;
    body: string;
    redirect: "manual";
    signal: AbortSignal;
  },
) => Promise<ClientResponse>;

interface ClientResponse {
  status: number;
  text(): Promise<string>;
  /** React Native lacks it. */
  body?: ReadableStream<Uint8Array> | null;
}

/** The most bytes of an answer: more than any page within the default limits, and less than the memory of a program. */
const mostBytes = 268_435_456;

/** The settings of every call. */
export interface Sending {
  url: string;
  tokenOf: () => string | Promise<string>;
  newOperationID: () => string;
  fetch: ClientFetch;
  timeoutMs: number | false;
}

/**
 * Makes a function that calls the operation at a path.
 *
 * @param dataOf converts the server's data to its type; returns undefined if that is not possible
 */
export function callOf<Input, Data>(
  { url, tokenOf, newOperationID, fetch, timeoutMs }: Sending,
  path: string,
  dataOf: (data: unknown) => Data | undefined,
): ClientCall<Input, Data> {
  return async (input, { signal, operationID = newOperationID() } = {}) => {
    let status: number | undefined;
    const failed = (what: string, cause?: unknown) =>
      new TransportError(`${url}${path} ${what}`, operationID, status, cause);

    async function send(signal: AbortSignal): Promise<Envelope<Data>> {
      const token = await tokenOf();
      // If fetch refused the header, its error could contain the token and go to a log.
      if (!/^[ -~\u0080-\u00ff]*$/.test(token)) throw failed("was not asked: the token cannot be sent in a header");
      const headers = { "content-type": "application/json", operationID, token };
      // A redirect that is followed could take the token to another server.
      const init = { method: "POST", headers, body: JSON.stringify(input), redirect: "manual", signal } as const;
      let text: string | undefined;
      try {
        const response = await fetch(url + path, init);
        status = response.status;
        text = await textOf(response);
      } catch (cause) {
        throw failed(status === undefined ? "could not be reached" : "broke its answer off", cause);
      }
      if (text === undefined) throw failed(`answered more than ${mostBytes} bytes: ask for fewer items`);
      const envelope = envelopeIn(text, dataOf);
      if (envelope === undefined) throw failed(`answered with the status ${status} and no envelope`);
      return envelope;
    }

    return unlessAborted(send, signal, timeoutMs, () => failed(`gave no answer within ${timeoutMs} ms`));
  };
}

/** The text of an answer; undefined if it is too long. */
async function textOf(response: ClientResponse): Promise<string | undefined> {
  const reader = response.body?.getReader();
  if (reader === undefined) return response.text();
  const decoder = new TextDecoder();
  let text = "";
  for (let bytes = 0; bytes <= mostBytes; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    text += decoder.decode(value, { stream: true });
  }
  reader.cancel().catch(() => {});
  return undefined;
}

function envelopeIn<Data>(text: string, dataOf: (data: unknown) => Data | undefined): Envelope<Data> | undefined {
  try {
    const envelope = JSON.parse(text);
    const { errCode, errMsg, errDlt } = envelope;
    if (!Number.isInteger(errCode) || typeof errMsg !== "string" || typeof errDlt !== "string") return undefined;
    if (errCode !== 0) return envelope;
    const data = dataOf(envelope.data);
    return data === undefined ? undefined : { ...envelope, data };
  } catch {
    return undefined;
  }
}

/** Rejects as soon as the signal is aborted or the time is over, also if the host's `token` or `fetch` goes on. */
async function unlessAborted<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  signal: AbortSignal | undefined,
  timeoutMs: number | false,
  late: () => Error,
): Promise<Result> {
  signal?.throwIfAborted();
  const own = new AbortController();
  const giveUp = () => own.abort(signal?.reason);
  const timer = timeoutMs === false ? undefined : setTimeout(() => own.abort(late()), timeoutMs);
  const aborted = new Promise<never>((_, reject) => {
    own.signal.addEventListener("abort", () => reject(own.signal.reason));
  });
  signal?.addEventListener("abort", giveUp);
  return Promise.race([aborted, work(own.signal)]).finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", giveUp);
  });
}
