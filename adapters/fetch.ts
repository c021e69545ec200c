import { answerRequest } from "./http/fetchRequest.js";
import type { FetchHandlerOptions } from "./http/handlerOptions.js";
import { createService } from "./http/service.js";

export { names } from "./http/names.js";
export type * from "./http/optionTypes.js";
export { relay } from "./http/upstream/relay.js";

/**
 * Answers a request; it never rejects. Its second and third parameters are those of Workers, so you can write
 * `export default { fetch }`. If `store` is a function, it gets both. The observer's promises use `waitUntil` of the
 * third.
 */
export type FetchHandler<Environment = unknown, Context = unknown> = (
  request: Request,
  environment?: Environment,
  context?: Context,
) => Promise<Response>;

/**
 * Mounts the six functions on a `(Request) => Promise<Response>`, for any runtime with the Fetch standard.
 *
 * @throws TypeError for a missing or wrong option
 */
export function createFetchHandler<Environment = unknown, Context = unknown>(
  options: FetchHandlerOptions<Environment, Context>,
): FetchHandler<Environment, Context> {
  const service = createService("createFetchHandler", options);
  return (given, environment, context) =>
    answerRequest(given, (request) => service.answer(request.path, request, environment, context));
}
