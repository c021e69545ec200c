import { requireKnown } from "../../src/knownOptions.js";
import { type Limits, resolveLimits, type SomeLimits } from "../../src/limits.js";
import type { Observer } from "../../src/observer.js";
import type { Store } from "../../src/store.js";
import type { Authenticate } from "../auth.js";
import { resolveBasePath } from "./basePath.js";
import { type Origins, resolveOrigins } from "./cors.js";
import type { DescribeInterface } from "./openApi.js";
import type { AdminRequest } from "./request.js";

/**
 * How `POST /auth/get_admin_token` gives out tokens. After ten wrong attempts in a minute it refuses a client until the
 * minute is over; each process, and on Workers each isolate, counts on its own.
 */
export interface AdminTokenOptions {
  /** What a client must send, and what the tokens are signed with: one of the authenticator's secrets. */
  secret: string;
  /** Who may have a token. */
  adminUserIDs: readonly string[];
  /**
   * How long a token is valid.
   * @default 7776000, which is 90 days
   */
  expiresInSeconds?: number | undefined;
  /**
   * Tells one client from another, such as by a header that your proxy sets. Of IPv6 addresses, the first 64 bits count.
   * @default the address of the connection on Node; elsewhere all requests count as one client's
   */
  clientAddress?: ((request: AdminRequest) => string | undefined) | undefined;
}

/**
 * Gives the store of a request, such as that of a tenant, once the request is authenticated and its input is read.
 *
 * `environment` and `context` are the second and third argument of the handler: on Workers the bindings and what has
 * `waitUntil`; undefined on Node. What it throws or rejects with is answered as 500.
 */
export type StoreOfRequest<Environment = unknown, Context = unknown> = (
  request: AdminRequest,
  environment: Environment,
  context: Context,
) => Store | Promise<Store>;

/** What every HTTP adapter takes. */
export interface FetchHandlerOptions<Environment = unknown, Context = unknown> {
  /** Where the six functions read and write, or what gives it for a request. */
  store: Store | StoreOfRequest<Environment, Context>;
  /** Tells who sent a request; see `im-admin/auth` for two ready ones. */
  authenticate: Authenticate;
  /**
   * A path that stands before those of the operations, such as `/admin`.
   * @default ""
   */
  basePath?: string | undefined;
  /**
   * Which origins browsers may call from: true or `["*"]` for any, or a list such as `["https://console.example.org"]`.
   * @default false, for none
   */
  cors?: boolean | readonly string[] | undefined;
  /** What a request may ask for at most; what is not given keeps its default. */
  limits?: SomeLimits | undefined;
  /**
   * How long a call may take, in milliseconds, with authentication and body: an integer from 1 to 2147483647, or false
   * for as long as it wants. Past it, the call is answered as 500. A write that has begun is waited for.
   * @default 10000
   */
  callTimeoutMs?: number | false | undefined;
  /** Learns of every call, of unforeseen failures and of changed conversations. */
  observer?: Observer | undefined;
  /**
   * Turns on `POST /auth/get_admin_token`, where existing clients fetch their token.
   * @default undefined, for off
   */
  adminToken?: AdminTokenOptions | undefined;
  /**
   * Turns on `GET /openapi.json`, after the base path, which describes the interface in OpenAPI 3.1 to anybody who asks.
   * `true` will do on Node, Bun and Deno. Elsewhere, such as in Workers, it must be `openApiDocument` of
   * `im-admin/openapi`, so that programs without it do not carry it.
   * @default false; true for `serve`
   */
  openApi?: boolean | DescribeInterface | undefined;
}

/** The options, checked and with their gaps filled. */
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
  observer: Observer;
  adminToken: AdminTokenOptions | undefined;
  openApi: DescribeInterface | undefined;
}

const knownOptions = [
  "store",
  "authenticate",
  "basePath",
  "cors",
  "limits",
  "callTimeoutMs",
  "observer",
  "adminToken",
  "openApi",
];
const knownAdminTokenOptions = ["secret", "adminUserIDs", "expiresInSeconds", "clientAddress"];

/**
 * @param name the function that was given the options
 * @throws TypeError for an option that is unknown, missing or does not fit
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
    cors,
    limits,
    callTimeoutMs = 10_000,
    observer = {},
    adminToken,
    openApi = false,
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
  requireObserver(observer);
  return {
    storeOf: typeof store === "function" ? checked(store as StoreOfRequest) : () => store,
    authenticate,
    basePath: resolveBasePath(basePath),
    origins: resolveOrigins(cors),
    limits: limits && resolvedLimits,
    bodyBytes: resolvedLimits.bodyBytes,
    callTimeoutMs: callTimeoutMs === false ? undefined : callTimeoutMs,
    observer,
    adminToken,
    openApi: openApi || undefined,
  };
}

/** A function in JavaScript may find no tenant and answer nothing. */
function checked(storeOf: StoreOfRequest): StoreOfRequest {
  return async (...request) => {
    const store = await storeOf(...request);
    requireStore("what the function store answered", store);
    return store;
  };
}

const methods: readonly (keyof Store)[] = [
  "listGroupMembers",
  "listBlacks",
  "listJoinedGroups",
  "listReceivedGroupRequests",
  "listNotificationAccounts",
  "setConversations",
];

function requireStore(name: string, store: Partial<Store> | undefined): void {
  if (store instanceof Promise) throw new TypeError(`${name} must be a store, and is the promise of one: await it`);
  for (const method of methods) {
    if (typeof store?.[method] !== "function") {
      throw new TypeError(`${name} must be a store: it lacks the method ${method}`);
    }
  }
}

const callbacks: readonly (keyof Observer)[] = ["onCall", "onError", "onConversationsSet"];

function requireObserver(observer: Observer): void {
  if (typeof observer !== "object" || observer === null) {
    throw new TypeError("observer must be an object with onCall, onError or onConversationsSet");
  }
  for (const name of callbacks) {
    if (observer[name] !== undefined && typeof observer[name] !== "function") {
      throw new TypeError(`observer.${name} must be a function`);
    }
  }
}
