import type { Envelope } from "../../src/index.js";
import type { ClientCall } from "./adminClient.js";
import { TransportError } from "./transportError.js";

/** What is needed of a `fetch`: that of browsers, Node and Workers fits, and that of a Worker's service binding. */
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
  /** React Native has none. */
  body?: ReadableStream<Uint8Array> | null;
}

/** How many bytes an answer may have: more than any page of the default limits, and less than a program has memory. */
const mostBytes = 268_435_456;

/** What every call is sent with. */
export interface Sending {
  url: string;
  tokenOf: () => string | Promise<string>;
  newOperationID: () => string;
  fetch: ClientFetch;
  timeoutMs: number | false;
}

/**
 * Makes a call of what the server has at a path.
 *
 * @param dataOf the data as its type says, made of what the server answered; undefined where that cannot be
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
      // What a fetch says of a header that it cannot send may hold the token, and land in a log.
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

/** The text of an answer; undefined where it is too long. */
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

/** Rejects as soon as the signal is aborted or the time is over, also where a token or a `fetch` of the host goes on. */
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
