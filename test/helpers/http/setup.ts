import { type Authenticate, fixedTokenAuthenticator, jwtAuthenticator } from "../../../adapters/auth.js";
import type { FetchHandlerOptions } from "../../../adapters/fetch.js";
import type { Store } from "../../../src/index.js";
import type { HttpSetup } from "./request.js";

/** The handler's options for a case, on Node and in a Worker alike. */
export function optionsFor(
  { options, authenticator, brokenStore }: HttpSetup,
  store: Store,
  tokens: { secret: string; revoked: string },
): FetchHandlerOptions {
  const authenticators: Record<NonNullable<HttpSetup["authenticator"]> | "jwt", Authenticate> = {
    jwt: jwtAuthenticator({
      secrets: [tokens.secret],
      adminUserIDs: ["imAdmin"],
      isRevoked: (token) => token === tokens.revoked,
    }),
    fixedTokens: fixedTokenAuthenticator([{ token: "known", adminUserID: "imAdmin" }]),
    nobody: () => ({ adminUserID: "" }),
  };
  const failing = new Proxy(store, {
    get: (target, name) => (typeof Reflect.get(target, name) === "function" ? failed : undefined),
  });
  return {
    store: brokenStore ? failing : store,
    authenticate: authenticators[authenticator ?? "jwt"],
    ...options,
  };
}

function failed(): Promise<never> {
  return Promise.reject(new Error("SqliteError: the disk of /var/lib/im.db is full"));
}
