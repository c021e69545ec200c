import type { SomeLimits } from "../../src/limits.js";
import type { Observer } from "../../src/observer.js";
import type { Store } from "../../src/store.js";
import type { Authenticate } from "../auth.js";
import type { History } from "../history/history.js";
import type { AdminRequest } from "./request.js";
import type { Route } from "./route.js";
import type { UpstreamOptions } from "./upstream/upstream.js";

/**
 * The options of `POST /auth/get_admin_token`, which issues tokens. After ten wrong attempts in a minute, it refuses a
 * client until the minute is over. Each process, and on Workers each isolate, counts on its own.
 */
export interface AdminTokenOptions {
  /** One of the authenticator's secrets. A client must send it, and it signs the tokens. */
  secret: string;
  /** The administrators who may have a token. */
  adminUserIDs: readonly string[];
  /**
   * How long a token is valid.
   * @default 7776000, which is 90 days
   */
  expiresInSeconds?: number | undefined;
  /**
   * Returns a text that identifies the client, such as a header that your proxy sets. Only the first 64 bits of an IPv6
   * address count.
   * @default the address of the connection on Node; elsewhere all requests count as one client
   */
  clientAddress?: ((request: AdminRequest) => string | undefined) | undefined;
}

/**
 * Returns the store of a request, such as that of a tenant. It is called when the request is authenticated and its
 * input is read.
 *
 * `environment` and `context` are the second and third argument of the handler: on Workers the bindings and the
 * ExecutionContext; undefined on Node. If it throws or rejects, the request is answered as 500.
 */
export type StoreOfRequest<Environment = unknown, Context = unknown> = (
  request: AdminRequest,
  environment: Environment,
  context: Context,
) => Store | Promise<Store>;

/**
 * Returns the observer of a request, such as that of a tenant. It is called before the request is authenticated, with
 * the arguments of {@link StoreOfRequest}. If it throws, nobody observes the request, which is answered as usual.
 */
export type ObserverOfRequest<Environment = unknown, Context = unknown> = (
  request: AdminRequest,
  environment: Environment,
  context: Context,
) => Observer;

/**
 * Returns the history of a request, such as that of a tenant, whose administrators read it. It is called with the
 * arguments of {@link StoreOfRequest}, at the same time.
 */
export type HistoryOfRequest<Environment = unknown, Context = unknown> = (
  request: AdminRequest,
  environment: Environment,
  context: Context,
) => History | Promise<History>;

/** The type of `openApiDocument` of `im-admin/openapi`, which describes the interface. */
export type DescribeInterface = (options: {
  basePath: string;
  limits: SomeLimits | undefined;
  servers: readonly { url: string; description: string }[];
  adminToken: boolean;
  names: boolean;
  upstream: boolean;
}) => object | Promise<object>;

/** The type of `names` of `im-admin/fetch`. */
export type NamesRoute = (basePath: string) => Route;

/** The options of every HTTP adapter. */
export interface FetchHandlerOptions<Environment = unknown, Context = unknown> {
  /** The store that the six functions read and write, or a function that returns the store of a request. */
  store: Store | StoreOfRequest<Environment, Context>;
  /** Tells who sent a request; see `im-admin/auth` for two ready ones. */
  authenticate: Authenticate;
  /**
   * A path before the paths of the operations, such as `/admin`.
   * @default ""
   */
  basePath?: string | undefined;
  /**
   * The origins that browsers may call from: true or `["*"]` for any, or a list such as
   * `["https://console.example.org"]`.
   * @default false, for none
   */
  cors?: boolean | readonly string[] | undefined;
  /** The most that a request may ask for; a limit that is left out keeps its default. */
  limits?: SomeLimits | undefined;
  /**
   * How long a call may take, in milliseconds, with authentication and reading the body: an integer from 1 to
   * 2147483647, or false for no limit. After that, the call is answered as 500. A write that has begun is not given up.
   * @default 10000
   */
  callTimeoutMs?: number | false | undefined;
  /**
   * Learns of every call, of unforeseen failures and of changed conversations; or a function that returns the observer
   * of a request.
   */
  observer?: Observer | ObserverOfRequest<Environment, Context> | undefined;
  /**
   * Keeps each setting of conversations, with what was there before, and turns on the paths that list settings and set
   * them back; or a function that returns the history of a request, as it must be where `store` is one.
   * `openHistoryFile` of `im-admin/node` opens one in a file.
   * @default undefined, for none
   */
  history?: History | HistoryOfRequest<Environment, Context> | undefined;
  /**
   * Turns on `POST /auth/get_admin_token`, where existing clients fetch their token.
   * @default undefined, for off
   */
  adminToken?: AdminTokenOptions | undefined;
  /**
   * An OpenIM server. Administrators' lists are answered here if it says that the token is an administrator's, and if the
   * store can answer them with errCode 0. It is asked for all other calls of the five lists, and always to set conversations and
   * for tokens. `cors` is `true` by default then; `adminToken` and `history` must be left out.
   * @default undefined, for none
   */
  upstream?: UpstreamOptions | undefined;
  /**
   * Turns on `GET /openapi.json`, after the base path, which describes the interface in OpenAPI 3.1 to anybody. On
   * Node, Bun and Deno, pass `true`. Elsewhere, such as in Workers, pass `openApiDocument` of `im-admin/openapi`, so
   * that programs that do not use it are smaller.
   * @default false; true for `serve`
   */
  openApi?: boolean | DescribeInterface | undefined;
  /**
   * Turns on `POST /im_admin/get_names`, which tells what groups and users are called. Elsewhere than on Node, Bun and Deno,
   * such as in Workers, pass `names` of `im-admin/fetch`, so that programs that do not use it are smaller.
   * @default undefined, for off; on for Node, Bun and Deno
   */
  names?: NamesRoute | undefined;
}
