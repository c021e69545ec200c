import { requireKnown } from "../../src/knownOptions.js";
import { type Limits, resolveLimits } from "../../src/limits.js";
import type { Observer } from "../../src/observer.js";
import type { Store } from "../../src/store.js";
import type { Authenticate } from "../auth.js";
import type { Platform } from "./platform.js";

/**
 * How `POST /auth/get_admin_token` gives out tokens. After ten failures in a minute it refuses everybody until the
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
  expiresInSeconds?: number;
}

/** What every HTTP adapter takes. */
export interface FetchHandlerOptions {
  /** Where the six functions read and write. */
  store: Store;
  /** Tells who the bearer of the request's `token` header is; see `im-admin/auth` for two ready ones. */
  authenticate: Authenticate;
  /**
   * A path that stands before those of the operations, such as `/admin`.
   * @default ""
   */
  basePath?: string;
  /**
   * Which origins browsers may call from: true or `["*"]` for any, or a list such as `["https://console.example.org"]`.
   * @default undefined, for none
   */
  cors?: true | readonly string[];
  /** What a request may ask for at most; what is not given keeps its default. */
  limits?: Partial<Limits>;
  /** Learns of every call, of unforeseen failures and of changed conversations. */
  observer?: Observer;
  /**
   * Turns on `POST /auth/get_admin_token`, where existing clients fetch their token.
   * @default undefined, for off
   */
  adminToken?: AdminTokenOptions;
}

/** The options with their gaps filled, and the platform. */
export interface ResolvedOptions extends FetchHandlerOptions {
  platform: Platform;
  basePath: string;
  limits: Limits;
}

const knownOptions = ["store", "authenticate", "basePath", "cors", "limits", "observer", "adminToken"];
const knownAdminTokenOptions = ["secret", "adminUserIDs", "expiresInSeconds"];

/** @throws TypeError for an option that is unknown, missing or does not fit */
export function resolveOptions(options: FetchHandlerOptions, platform: Platform): ResolvedOptions {
  requireKnown("the handler", options, knownOptions);
  if (options.adminToken !== undefined) requireKnown("adminToken", options.adminToken, knownAdminTokenOptions);
  const { store, authenticate, basePath = "", cors } = options;
  if (typeof store?.listGroupMembers !== "function") throw new TypeError("store must be a store");
  if (typeof authenticate !== "function") throw new TypeError("authenticate must be a function");
  if (cors !== undefined && cors !== true && !Array.isArray(cors)) {
    throw new TypeError("cors must be true or a list of origins");
  }
  return { ...options, platform, basePath: normalizePath(basePath), limits: resolveLimits(options.limits) };
}

function normalizePath(path: string): string {
  const segments = path.split("/").filter((segment) => segment !== "");
  // Written as it stands in a URL, where other letters than those of ASCII are percent-encoded.
  return segments.map((segment) => new URL(`http://localhost/${segment}`).pathname).join("");
}
