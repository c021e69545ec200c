import { requireKnown } from "../../src/knownOptions.js";
import { type Limits, resolveLimits } from "../../src/limits.js";
import type { Observer } from "../../src/observer.js";
import type { Store } from "../../src/store.js";
import type { Authenticate } from "../auth.js";
import type { History } from "../history/history.js";
import { type Origins, resolveOrigins } from "./cors.js";
import type {
  AdminTokenOptions,
  DescribeInterface,
  FetchHandlerOptions,
  HistoryOfRequest,
  NamesRoute,
  ObserverOfRequest,
  StoreOfRequest,
} from "./handlerOptions.js";
import { resolveBasePath } from "./path.js";
import type { Relay, UpstreamOptions } from "./upstream/upstream.js";

/** The checked options, with defaults. */
export interface ResolvedOptions {
  storeOf: StoreOfRequest;
  authenticate: Authenticate;
  basePath: string;
  origins: Origins | undefined;
  /** The limits of the functions; undefined for the defaults. */
  limits: Limits | undefined;
  /** The limit of a body. */
  bodyBytes: number;
  callTimeoutMs: number | undefined;
  observerOf: ObserverOfRequest;
  /** Undefined if no history is kept. */
  historyOf: HistoryOfRequest | undefined;
  adminToken: AdminTokenOptions | undefined;
  /** Undefined without an upstream. */
  upstream: (UpstreamOptions & { relay: Relay }) | undefined;
  openApi: DescribeInterface | undefined;
  names: NamesRoute | undefined;
}

const knownOptions = [
  "store",
  "authenticate",
  "basePath",
  "cors",
  "limits",
  "callTimeoutMs",
  "observer",
  "history",
  "adminToken",
  "upstream",
  "openApi",
  "names",
];
const knownAdminTokenOptions = ["secret", "adminUserIDs", "expiresInSeconds", "clientAddress"];

/**
 * @param name the function that was given the options
 * @throws TypeError for an unknown, missing or wrong option
 */
export function resolveOptions<Environment, Context>(
  name: string,
  options: FetchHandlerOptions<Environment, Context>,
): ResolvedOptions {
  requireKnown(name, options, knownOptions);
  const {
    store,
    authenticate,
    basePath = "",
    upstream,
    // OpenIM allows any origin, and pages that call it expect the same of us.
    cors = upstream !== undefined,
    limits,
    callTimeoutMs = 10_000,
    observer = {},
    history,
    adminToken,
    openApi = false,
    names,
  } = options;
  if (adminToken !== undefined) requireKnown("adminToken", adminToken, knownAdminTokenOptions);
  if (typeof store !== "function") requireStore("store", store);
  if (typeof authenticate !== "function") throw new TypeError("authenticate must be a function");
  if (callTimeoutMs !== false && !(Number.isInteger(callTimeoutMs) && callTimeoutMs >= 1 && callTimeoutMs < 2 ** 31)) {
    throw new TypeError("callTimeoutMs must be an integer from 1 to 2147483647, or false");
  }
  if (openApi && typeof openApi !== "function") {
    throw new TypeError("openApi must be openApiDocument");
  }
  const resolvedLimits = resolveLimits(limits);
  if (typeof observer !== "function") requireObserver(observer);
  if (history !== undefined && typeof history !== "function") {
    requireHistory(history);
    // With one history for all tenants, each would read what the others have set.
    if (typeof store === "function") throw new TypeError("history must be a function, since store is one");
  }
  return {
    storeOf: typeof store === "function" ? checked(store as StoreOfRequest) : () => store,
    authenticate,
    basePath: resolveBasePath(basePath),
    origins: resolveOrigins(cors),
    limits: limits && resolvedLimits,
    bodyBytes: resolvedLimits.bodyBytes,
    callTimeoutMs: callTimeoutMs === false ? undefined : callTimeoutMs,
    observerOf: typeof observer === "function" ? forgiven(observer as ObserverOfRequest) : () => observer,
    historyOf: typeof history === "function" ? checkedHistory(history as HistoryOfRequest) : history && (() => history),
    adminToken,
    upstream: upstream === undefined ? undefined : checkedUpstream(upstream),
    openApi: openApi || undefined,
    names,
  };
}

function checkedUpstream(upstream: UpstreamOptions): UpstreamOptions & { relay: Relay } {
  if (typeof upstream !== "object" || upstream === null) {
    throw new TypeError('upstream must be an object such as { url: "http://openim:10002" }');
  }
  const { relay } = upstream;
  if (typeof relay === "function") return { ...upstream, relay };
  throw new TypeError('upstream.relay must be given on this runtime: import { relay } from "im-admin/fetch"');
}

/** Checks the store of a function: in JavaScript it may find no tenant and return nothing. */
function checked(storeOf: StoreOfRequest): StoreOfRequest {
  return async (...request) => {
    const store = await storeOf(...request);
    requireStore("what the function store answered", store);
    return store;
  };
}

/** Checks the history of a function. */
function checkedHistory(historyOf: HistoryOfRequest): HistoryOfRequest {
  return async (...request) => {
    const history = await historyOf(...request);
    requireHistory(history);
    return history;
  };
}

/** Ignores failures of the function: a missing observer must not keep a request from its answer. */
function forgiven(observerOf: ObserverOfRequest): ObserverOfRequest {
  return (...request) => {
    try {
      const observer = observerOf(...request);
      requireObserver(observer);
      return observer;
    } catch {
      return {};
    }
  };
}

/** The methods of a store. The compiler reports a forgotten one. */
const methods: Readonly<Record<Exclude<keyof Store, "names">, true>> = {
  listGroupMembers: true,
  listBlacks: true,
  listJoinedGroups: true,
  listReceivedGroupRequests: true,
  listNotificationAccounts: true,
  setConversations: true,
};

function requireStore(name: string, store: Partial<Store> | undefined): void {
  if (store instanceof Promise) throw new TypeError(`${name} must be a store: await its promise`);
  for (const method of Object.keys(methods) as (keyof Store)[]) {
    if (typeof store?.[method] !== "function") {
      throw new TypeError(`${name} must be a store: it lacks the method ${method}`);
    }
  }
}

/** The methods of a history. The compiler reports a forgotten one. */
const historyMethods: Readonly<Record<keyof History, true>> = { append: true, list: true, read: true };

function requireHistory(history: Partial<History>): void {
  for (const method of Object.keys(historyMethods) as (keyof History)[]) {
    if (typeof history?.[method] !== "function") {
      throw new TypeError(`history must be a history: it lacks the method ${method}`);
    }
  }
}

const callbacks: readonly (keyof Observer)[] = ["onCall", "onError", "onConversationsSet", "onUnreadable"];

function requireObserver(observer: Observer): void {
  const isObserver =
    typeof observer === "object" &&
    observer !== null &&
    callbacks.every((name) => observer[name] === undefined || typeof observer[name] === "function");
  if (!isObserver) throw new TypeError(`observer must be an object of functions: ${callbacks.join(", ")}`);
}
