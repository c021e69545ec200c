import { requireKnown } from "../../src/knownOptions.js";
import { withoutEndSlashes } from "../http/endSlashes.js";
import { paths } from "../http/paths.js";
import type { AdminClient } from "./adminClient.js";
import { listOf } from "./listOf.js";
import { requestsOf } from "./requestsOf.js";
import { type ClientFetch, callOf, type Sending } from "./send.js";

/** What {@link createAdminClient} takes. */
export interface AdminClientOptions {
  /** Where the server is, with its base path, such as `https://chat.example.org/admin`; in a browser also a path. */
  url: string | URL;
  /** The administrator's token, or what gives it before each call. */
  token: string | (() => string | Promise<string>);
  /**
   * What sends the requests.
   * @default the global `fetch`
   */
  fetch?: ClientFetch | undefined;
  /**
   * The trace identifier of calls that are given none, or what makes one for each.
   * @default the time and a random number, new for each call
   */
  operationID?: string | (() => string) | undefined;
  /**
   * How long a call may take, with its token, in milliseconds; `false` for as long as it wants.
   * @default 30000
   */
  timeoutMs?: number | false | undefined;
}

const knownOptions = ["url", "token", "fetch", "operationID", "timeoutMs"];

/** What the path of an operation cannot be added to, and credentials, which no `fetch` takes and errors would show. */
const unfitURL = /^(?:[^/?#]+:[/\\]*|[/\\]{2,})[^/\\?#]*@|[?#]/;

/**
 * Makes the six functions over HTTP, for browsers, Node and Workers. Where the OpenIM server answers null for an empty
 * list or for a profile that is gone, they give what their types say.
 *
 * @throws TypeError for an option that is missing, unknown or does not fit
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
  return {
    getGroupMemberList: callOf(sending, paths.getGroupMemberList, listOf("members")),
    getBlackList: callOf(sending, paths.getBlackList, listOf("blacks")),
    getJoinedGroupList: callOf(sending, paths.getJoinedGroupList, listOf("groups")),
    getReceivedGroupApplicationList: callOf(sending, paths.getReceivedGroupApplicationList, requestsOf),
    searchNotificationAccount: callOf(sending, paths.searchNotificationAccount, listOf("notificationAccounts")),
    setConversations: callOf(sending, paths.setConversations, () => null),
  };
}

/** It is looked up late, for those who replace it. */
const globalFetch: ClientFetch = (url, init) => globalThis.fetch(url, init);

function timeAndChance(): string {
  return `${Date.now()}-${Math.random().toString(36).slice(2)}`;
}

function asFunction<Result>(name: string, given: string | (() => Result)): () => string | Result {
  if (typeof given === "function") return given;
  if (typeof given === "string") return () => given;
  throw new TypeError(`${name} must be a string or a function`);
}
