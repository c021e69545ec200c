import type { FetchHandlerOptions } from "./http/handlerOptions.js";
import { createHandlers, type FetchHandler, toFetchHandler } from "./http/handlers.js";

export type { Authenticate, Authentication, AuthenticationFailure } from "./auth.js";
export type { RequestContext } from "./http/answer.js";
export type { AdminTokenOptions, FetchHandlerOptions } from "./http/handlerOptions.js";
export type { FetchHandler } from "./http/handlers.js";

/**
 * Mounts the six functions on a `(Request) => Promise<Response>`, which is all of HTTP: routes, headers, body limit,
 * JSON, authentication, envelope and CORS. The other adapters only convert to and from it.
 *
 * @throws TypeError for an option that is missing or does not fit
 */
export function createFetchHandler(options: FetchHandlerOptions): FetchHandler {
  return toFetchHandler(createHandlers(options));
}
