import type { Json } from "../../../src/json.js";
import { requireKnown } from "../../../src/knownOptions.js";
import type { ResolvedOptions } from "../resolveOptions.js";
import type { Place } from "../route.js";
import { failureOf } from "./upstreamFailure.js";

/** The part of `fetch` that is needed. The `fetch` of Node, Bun, Deno, Workers and of a Worker's service binding fits. */
export type UpstreamFetch = (
  url: string,
  init: {
    method: "POST";
    headers: Record<string, string>;
    body: Json;
    redirect: "manual";
    signal: AbortSignal;
  },
) => Promise<UpstreamAnswer>;

/** The part of a `Response` that is needed. */
export interface UpstreamAnswer {
  status: number;
  headers: { get(name: string): string | null };
  body: ReadableStream<Uint8Array> | null;
}

/** The OpenIM server that answers what im-admin cannot. */
export interface UpstreamOptions {
  /** Where its API answers, such as `http://openim:10002`. It may have a path, which stands before those of the API. */
  url: string;
  /**
   * Sends the requests, such as that of a service binding on Workers.
   * @default the global `fetch`
   */
  fetch?: UpstreamFetch | undefined;
  /**
   * How long OpenIM may take for a request, in milliseconds: to say whether the token is an administrator's, and to begin its
   * answer. It is an integer from 1 to 2147483647. After that, the request is answered as 504.
   * @default 15000
   */
  timeoutMs?: number | undefined;
  /** `relay` of `im-admin/fetch`, which Workers and other runtimes than Node, Bun and Deno have to be given. */
  relay?: Relay | undefined;
}

/** The type of `relay` of `im-admin/fetch`. */
export type Relay = (upstream: UpstreamOptions, options: ResolvedOptions) => Place[];

/** An OpenIM server, which is asked. */
export class Upstream {
  readonly url: string;
  readonly timeoutMs: number;
  /** What im-admin knows its own requests by, if they come round. Another one may be on the way, with another upstream. */
  readonly via: string;
  readonly #fetch: UpstreamFetch;

  /** @throws TypeError for an option that is unknown or does not fit */
  constructor(options: UpstreamOptions) {
    requireKnown("upstream", options, ["url", "fetch", "timeoutMs", "relay"]);
    // The global fetch is looked up at each request, since a host may replace it.
    const { url, fetch = (...request) => globalThis.fetch(...request), timeoutMs = 15_000 } = options;
    if (typeof fetch !== "function") throw new TypeError("upstream.fetch must be a function");
    if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || timeoutMs >= 2 ** 31) {
      throw new TypeError("upstream.timeoutMs must be an integer from 1 to 2147483647");
    }
    this.url = addressOf(url);
    this.timeoutMs = timeoutMs;
    this.via = `1.1 im-admin-${new URL(this.url).host.replace(/[^\w.]+/g, "-")}`;
    this.#fetch = fetch;
  }

  /**
   * Sends a request to a path of the API.
   *
   * @throws UpstreamFailure if there is no answer
   */
  async ask(
    path: string,
    headers: Readonly<Record<string, string>>,
    body: Json,
    signal: AbortSignal,
  ): Promise<UpstreamAnswer> {
    try {
      const via = headers["via"] === undefined ? this.via : `${headers["via"]}, ${this.via}`;
      // What is compressed would only be decompressed again.
      const sent = { ...headers, "accept-encoding": "identity", via };
      // As a method of ours, the fetch of Workers would fail.
      const fetch = this.#fetch;
      const init = { method: "POST", headers: sent, body, redirect: "manual", signal } as const;
      return await unlessAborted(signal, fetch(this.url + path, init));
    } catch (error) {
      throw failureOf(signal.aborted ? signal.reason : error);
    }
  }
}

function addressOf(url: unknown): string {
  const refusal =
    'upstream.url must be the URL of a server, such as "http://openim:10002", without a query or a password';
  if (typeof url !== "string" || !URL.canParse(url)) throw new TypeError(refusal);
  const { protocol, host, pathname, href } = new URL(url);
  if (!/^https?:$/.test(protocol) || href !== `${protocol}//${host}${pathname}`) throw new TypeError(refusal);
  return href.replace(/\/+$/, "");
}

/** What a promise resolves to. Rejects when the signal ends it: a fetch of the host may not look at that. */
export function unlessAborted<Result>(signal: AbortSignal, promise: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
