import { type ConsoleHandlerOptions, createConsole } from "./console/answer.js";
import { pathOf } from "./http/pathOf.js";

export type { ConsoleHandlerOptions } from "./console/answer.js";

/** Answers a request with the page. */
export type ConsoleHandler = (request: Request) => Promise<Response>;

/** Workers would compress a body that says it is compressed; other runtimes ignore this. */
const asItIs: object = { encodeBody: "manual" };

/**
 * Serves the console: a page for administrators that lists what there is, and sets conversations. It is one file with
 * all that it needs, and asks the API with the token that the administrator gives it. The page itself holds no data, so
 * that it may be served to anybody.
 *
 * @throws TypeError for an unknown or wrong option
 */
export function createConsoleHandler(options: ConsoleHandlerOptions = {}): ConsoleHandler {
  const answer = createConsole("createConsoleHandler", options);
  return async (request) => {
    const { status, headers, body } = await answer({
      method: request.method,
      path: pathOf(request.url),
      header: (name) => request.headers.get(name) ?? undefined,
      raw: request,
    });
    return new Response(body, { status, headers, ...asItIs });
  };
}
