import type { D1Database, ExecutionContext } from "@cloudflare/workers-types";
import { createFetchHandler } from "../../adapters/fetch.js";
import { createD1Store } from "../../src/stores/drivers/d1.js";
import { optionsFor } from "../helpers/http/setup.js";

interface Environment {
  DB: D1Database;
}

export default {
  fetch(request: Request, environment: Environment, context: ExecutionContext): Promise<Response> {
    return createFetchHandler(optionsFor(createD1Store(environment.DB)))(request, environment, context);
  },
};
