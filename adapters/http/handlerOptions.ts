import type { SomeLimits } from "../../src/limits.js";
import type { Observer } from "../../src/observer.js";
import type { Store } from "../../src/store.js";
import type { Authenticate } from "../auth.js";
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

/**
 * Gives the observer of a request, such as that of a tenant, before anybody knows who sent it. It gets what
 * {@link StoreOfRequest} gets. Where it throws, the request is answered all the same, and observed by nobody.
 */
export type ObserverOfRequest<Environment = unknown, Context = unknown> = (
  request: AdminRequest,
  environment: Environment,
  context: Context,
) => Observer;

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
  /** Learns of every call, of unforeseen failures and of changed conversations; or what gives it for a request. */
  observer?: Observer | ObserverOfRequest<Environment, Context> | undefined;
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
