import type { D1Database, ExecutionContext } from "@cloudflare/workers-types";
import { createFetchHandler } from "../../adapters/fetch.js";
import { createD1Store } from "../../src/stores/drivers/d1.js";
import type { HttpSetup } from "../helpers/http/request.js";
import { optionsFor } from "../helpers/http/setup.js";

interface Environment {
  DB: D1Database;
  secret: string;
  revoked: string;
}

/** A Worker whose handler is set up as each request says. */
export default {
  fetch(request: Request, environment: Environment, context: ExecutionContext): Promise<Response> {
    const setup: HttpSetup = JSON.parse(decodeURIComponent(request.headers.get("x-test-setup") ?? "{}"));
    const options = optionsFor(setup, createD1Store(environment.DB), environment);
    return createFetchHandler(options)(request, environment, context);
  },
};
