import type { DurableObjectNamespace, DurableObjectState } from "@cloudflare/workers-types";
import { createFetchHandler, type FetchHandler } from "../../adapters/fetch.js";
import { createDurableObjectStore } from "../../src/stores/drivers/durableObject.js";
import { longWorld } from "../helpers/http/longWorld.js";
import { optionsFor } from "../helpers/http/setup.js";

interface Environment {
  OBJECTS: DurableObjectNamespace;
}

/** Answers requests from the SQLite of a Durable Object, which has the world of long texts. */
export class AdminObject {
  readonly #handler: Promise<FetchHandler>;

  constructor({ storage }: DurableObjectState) {
    const store = createDurableObjectStore(storage);
    this.#handler = store.put(longWorld).then(() => createFetchHandler(optionsFor(store)));
  }

  async fetch(request: Request) {
    return (await this.#handler)(request);
  }
}

/** Hands each request to the one object. */
export default {
  fetch: (request: never, { OBJECTS }: Environment) => OBJECTS.get(OBJECTS.idFromName("one")).fetch(request),
};
