import { type ConsoleHandlerOptions, createConsole } from "./console/answer.js";
import { pathOf } from "./http/path.js";

export type { ConsoleHandlerOptions } from "./console/answer.js";

/** Answers a request with the page. */
export type ConsoleHandler = (request: Request) => Promise<Response>;

/** Workers would compress a compressed body again without this option. Other runtimes ignore it. */
const asItIs: object = { encodeBody: "manual" };

/**
 * Serves the console: a page on which administrators look at groups and users, and set conversations. It is one file
 * without dependencies, and calls the API with the administrator's token. The page contains no data, so you may serve
 * it to anybody.
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
