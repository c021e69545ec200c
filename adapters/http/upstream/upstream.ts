import * as http from "node:http";
import * as https from "node:https";
import { requireKnown } from "../../../src/knownOptions.js";
import { Places } from "./places.js";

/** The server that answers what im-admin does not. */
export interface UpstreamOptions {
  /** Where it answers, such as `http://openim:10002`: a scheme, a host and perhaps a port. */
  url: string;
  /**
   * How long a request may stand still, in milliseconds: nothing comes from the client, and nothing from the upstream. Past
   * it, the client is answered 504, or cut off where its answer has begun.
   * @default 300000
   */
  timeoutMs?: number | undefined;
}

/** How many requests are passed on at once. Further ones wait, so that they do not use up the descriptors of the process. */
const mostRequests = 1_000;
/** How many idle connections to an upstream are kept, and for how long, in milliseconds, lest it has closed one as we use it. */
const maxFreeSockets = 256;
const idleTimeout = 4_000;

/** The longest head of an answer, in bytes. */
const maxHeaderSize = 65_536;

/** Connections to an upstream. */
export class Upstream {
  readonly timeoutMs: number;
  /** For requests that name no host. */
  readonly host: string;
  /** For requests that are passed on. Questions need none, lest those who hold all places keep everybody from the lists. */
  readonly places = new Places(mostRequests);
  readonly #request: typeof http.request;
  readonly #options: https.RequestOptions;

  /** @throws TypeError for what is no address of a server, and for a timeout that no timer has */
  constructor(given: string | UpstreamOptions) {
    const options = typeof given === "string" ? { url: given } : given;
    requireKnown("upstream", options, ["url", "timeoutMs"]);
    const { url, timeoutMs = 300_000 } = options;
    if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || timeoutMs >= 2 ** 31) {
      throw new TypeError("upstream.timeoutMs must be an integer from 1 to 2147483647");
    }
    const { protocol, hostname, host, port } = serverOf(url);
    const { request, Agent } = protocol === "https:" ? https : http;
    this.timeoutMs = timeoutMs;
    this.host = host;
    this.#request = request;
    this.#options = {
      agent: new Agent({ keepAlive: true, maxFreeSockets, timeout: idleTimeout }),
      // The address of IPv6 without its brackets.
      host: hostname.replace(/^\[|\]$/g, ""),
      port,
      maxHeaderSize,
    };
  }

  request(method: string, path: string, headers: readonly string[]): http.ClientRequest {
    return Object.assign(this.#request({ ...this.#options, method, path, headers }), {
      // Node would drop what is more than its default, even a length. The size of the head has a limit.
      maxHeadersCount: 0,
      // Node throws where a body has another length than its header says: the upstream would take the rest for a request.
      strictContentLength: true,
    });
  }
}

function serverOf(url: unknown): URL {
  const refusal = 'upstream must be the URL of a server, such as "http://openim:10002", without a path or a password';
  if (typeof url !== "string" || !URL.canParse(url)) throw new TypeError(refusal);
  const parsed = new URL(url);
  const isServer = /^https?:$/.test(parsed.protocol) && parsed.href === `${parsed.protocol}//${parsed.host}/`;
  if (!isServer) throw new TypeError(refusal);
  return parsed;
}
