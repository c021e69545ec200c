import { jwtAuthenticator } from "../../../adapters/auth.js";
import type { FetchHandlerOptions } from "../../../adapters/fetch.js";
import type { Store } from "../../../src/index.js";
import { adminUserID, origin, secret } from "./world.js";

/** A handler's usual options, in every runtime. */
export function optionsFor(store: Store): FetchHandlerOptions {
  return { store, authenticate: jwtAuthenticator({ secrets: [secret], adminUserIDs: [adminUserID] }), cors: [origin] };
}
