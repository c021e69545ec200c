import { requireKnown } from "../../src/knownOptions.js";
import { withoutEndSlashes } from "../http/path.js";
import type { AdminClient } from "./adminClient.js";
import { callsOf } from "./callsOf.js";
import type { ClientFetch, Sending } from "./send.js";

/** The options of {@link createAdminClient}. */
export interface AdminClientOptions {
  /**
   * The address of the server with its base path, such as `https://chat.example.org/admin`; in a browser also a path.
   */
  url: string | URL;
  /** The administrator's token, or a function that returns it before each call. */
  token: string | (() => string | Promise<string>);
  /**
   * The function that sends the requests.
   * @default the global `fetch`
   */
  fetch?: ClientFetch | undefined;
  /**
   * The trace identifier of calls without their own, or a function that makes one for each call.
   * @default the time and a random number, new for each call
   */
  operationID?: string | (() => string) | undefined;
  /**
   * How long a call may take, in milliseconds, with getting the token; `false` for no limit.
   * @default 30000
   */
  timeoutMs?: number | false | undefined;
}

const knownOptions = ["url", "token", "fetch", "operationID", "timeoutMs"];

/** URLs to which no path can be added, and URLs with credentials, which `fetch` refuses and errors would show. */
const unfitURL = /^(?:[^/?#]+:[/\\]*|[/\\]{2,})[^/\\?#]*@|[?#]/;

/**
 * Creates the six functions over HTTP, for browsers, Node and Workers. The OpenIM server answers null for an empty list
 * and for a profile that is gone; the functions return an empty list and an empty profile instead.
 *
 * @throws TypeError for a missing, unknown or wrong option
 */
export function createAdminClient(options: AdminClientOptions): AdminClient {
  requireKnown("createAdminClient", options, knownOptions);
  const { url, token, fetch = globalFetch, operationID = timeAndChance, timeoutMs = 30_000 } = options;
  if (!(typeof url === "string" || url instanceof URL)) throw new TypeError("url must be a string or a URL");
  if (unfitURL.test(`${url}`)) throw new TypeError("url must have no user, password, query or fragment");
  if (typeof fetch !== "function") throw new TypeError("fetch must be a function");
  if (timeoutMs !== false && !(Number.isInteger(timeoutMs) && timeoutMs >= 1 && timeoutMs < 2 ** 31)) {
    throw new TypeError("timeoutMs must be an integer from 1 to 2147483647, or false");
  }
  const sending: Sending = {
    url: withoutEndSlashes(`${url}`),
    tokenOf: asFunction("token", token),
    newOperationID: asFunction("operationID", operationID),
    fetch,
    timeoutMs,
  };
  return callsOf(sending);
}

/** Looks up the global `fetch` at each call, since a host may replace it. */
const globalFetch: ClientFetch = (url, init) => globalThis.fetch(url, init);

function timeAndChance(): string {
  return `${Date.now()}-${Math.random().toString(36).slice(2)}`;
}

function asFunction<Result>(name: string, given: string | (() => Result)): () => string | Result {
  if (typeof given === "function") return given;
  if (typeof given === "string") return () => given;
  throw new TypeError(`${name} must be a string or a function`);
}
