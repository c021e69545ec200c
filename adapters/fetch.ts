import { answerRequest } from "./http/fetchRequest.js";
import type { FetchHandlerOptions } from "./http/handlerOptions.js";
import { createService } from "./http/service.js";

export type * from "./http/optionTypes.js";

/**
 * Answers a request; it never rejects. The second and third argument are those that Workers pass, so that it may stand
 * as `export default { fetch }`; a function given as `store` gets them, and the observer may use the third's `waitUntil`.
 */
export type FetchHandler<Environment = unknown, Context = unknown> = (
  request: Request,
  environment?: Environment,
  context?: Context,
) => Promise<Response>;

/**
 * Mounts the six functions on a `(Request) => Promise<Response>`, which serves any runtime that has the Fetch standard.
 *
 * @throws TypeError for an option that is missing or does not fit
 */
export function createFetchHandler<Environment = unknown, Context = unknown>(
  options: FetchHandlerOptions<Environment, Context>,
): FetchHandler<Environment, Context> {
  const service = createService("createFetchHandler", options);
  return (given, environment, context) =>
    answerRequest(given, (request) => service.answer(request.path, request, environment, context));
}
