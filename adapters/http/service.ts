import { failure } from "../../src/envelope.js";
import { argsError } from "../../src/errors.js";
import { json } from "./answer.js";
import { answerOrigin } from "./cors.js";
import type { FetchHandlerOptions } from "./handlerOptions.js";
import type { HttpAnswer, HttpRequest } from "./request.js";
import { resolveOptions } from "./resolveOptions.js";
import { placesOf } from "./routes.js";

/** All of HTTP, on plain data; the adapters convert to and from it. */
export interface HttpService {
  /** The paths of the operations, and of their description if it is on. */
  paths: readonly string[];
  /**
   * Answers a request; it never rejects.
   *
   * @param path the path of the request; one of {@link paths} if it has an operation
   */
  answer(path: string, request: HttpRequest, environment: unknown, context: unknown): Promise<HttpAnswer>;
}

/**
 * @param name the function that was given the options
 * @throws TypeError for a missing or wrong option
 */
export function createService<Environment, Context>(
  name: string,
  given: FetchHandlerOptions<Environment, Context>,
): HttpService {
  const options = resolveOptions(name, given);
  const { origins, upstream } = options;
  const places = placesOf(options);
  const elsewhere = upstream === undefined ? "" : `: call OpenIM for others, at ${upstream.url}`;

  function routed(path: string, request: HttpRequest, ...more: [unknown, unknown]): Promise<HttpAnswer> {
    const place = places.at(path);
    if (place === undefined) return refusal(404, `path must be that of an operation${elsewhere}`);
    const { methods } = place;
    if (!methods.includes(request.method)) {
      return refusal(405, `method must be ${methods.join(" or ")}`, { allow: methods.join(", ") });
    }
    return place.answer(request, ...more);
  }

  return {
    paths: places.paths,
    answer: (path, request, ...more) =>
      origins === undefined
        ? routed(path, request, ...more)
        : answerOrigin(request, origins, () => routed(path, request, ...more)),
  };
}

async function refusal(status: number, what: string, headers?: Readonly<Record<string, string>>): Promise<HttpAnswer> {
  return json(status, JSON.stringify(failure(argsError(what))), headers);
}
