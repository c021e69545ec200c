import type { Envelope } from "../../src/index.js";
import type { ClientCall, ClientCallOptions } from "./adminClient.js";
import { TransportError } from "./transportError.js";

/** What is needed of a `fetch`: that of browsers, Node and Workers fits, and that of a Worker's service binding. */
export type ClientFetch = (
  url: string,
  init: {
    method: "POST";
    headers: Record<string, string>;
    body: string;
    redirect: "manual";
    signal?: AbortSignal;
  },
) => Promise<{ status: number; text(): Promise<string> }>;

/** What every call is sent with. */
export interface Sending {
  url: string;
  tokenOf: () => string | Promise<string>;
  newOperationID: () => string;
  fetch: ClientFetch;
}

/**
 * Makes a call of what the server has at a path.
 *
 * @param dataOf the data as its type says, made of what the server answered; undefined where that cannot be
 */
export function callOf<Input, Data>(
  { url, tokenOf, newOperationID, fetch }: Sending,
  path: string,
  dataOf: (data: unknown) => Data | undefined,
): ClientCall<Input, Data> {
  async function call(input: Input, { signal, operationID = newOperationID() }: ClientCallOptions) {
    let status: number | undefined;
    const failed = (what: string, cause?: unknown) =>
      new TransportError(`${url}${path} ${what}`, operationID, status, cause);
    const token = await tokenOf();
    // What a fetch says of a header that it cannot send may hold the token, and land in a log.
    if (!/^[ -~\u0080-\u00ff]*$/.test(token)) throw failed("was not asked: the token cannot be sent in a header");
    const headers = { "content-type": "application/json", operationID, token };
    // A redirect that is followed could take the token to another server.
    const init = { method: "POST", headers, body: JSON.stringify(input), redirect: "manual" } as const;
    let text: string;
    try {
      const response = await fetch(url + path, signal ? { ...init, signal } : init);
      status = response.status;
      text = await response.text();
    } catch (cause) {
      throw failed(status === undefined ? "could not be reached" : "broke its answer off", cause);
    }
    const envelope = envelopeIn(text, dataOf);
    if (envelope === undefined) throw failed(`answered with the status ${status} and no envelope`);
    return envelope;
  }
  return (input, options = {}) => unlessAborted(() => call(input, options), options.signal);
}

function envelopeIn<Data>(text: string, dataOf: (data: unknown) => Data | undefined): Envelope<Data> | undefined {
  try {
    const envelope = JSON.parse(text);
    if (envelope.errCode !== 0) return Number.isInteger(envelope.errCode) ? envelope : undefined;
    const data = dataOf(envelope.data);
    return data === undefined ? undefined : { ...envelope, data };
  } catch {
    return undefined;
  }
}

/** Rejects as soon as the signal is aborted, also where a token or a `fetch` of the host goes on. */
async function unlessAborted<Result>(work: () => Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (signal === undefined) return work();
  signal.throwIfAborted();
  let giveUp = () => {};
  const aborted = new Promise<never>((_, reject) => {
    giveUp = () => reject(signal.reason);
  });
  signal.addEventListener("abort", giveUp);
  return Promise.race([work(), aborted]).finally(() => signal.removeEventListener("abort", giveUp));
}
