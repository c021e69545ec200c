/** A Worker with D1 beside an OpenIM server, whose address stands in its bindings. */
import { createFetchHandler, relay } from "../../adapters/fetch.js";
import { createD1Store, type D1Handle } from "../../src/stores/drivers/d1.js";
import { optionsFor } from "../helpers/http/setup.js";

interface Environment {
  DB: D1Handle;
  UPSTREAM: string;
}

let handler: ReturnType<typeof createFetchHandler> | undefined;

export default {
  fetch(request: Request, environment: Environment, context: unknown): Promise<Response> {
    handler ??= createFetchHandler({
      ...optionsFor(createD1Store(environment.DB)),
      // It must not be called as a method.
      upstream: { url: environment.UPSTREAM, relay, fetch },
    });
    return handler(request, environment, context);
  },
};
