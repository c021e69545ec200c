import type { DurableObjectNamespace, DurableObjectState, Response } from "@cloudflare/workers-types";
import { createDurableObjectStore } from "../../src/stores/drivers/durableObject.js";
import { engineFailures } from "../helpers/engineCases.js";

/** Runs the cases of an engine on the SQLite of a Durable Object, which is emptied before each of them. */
export class Engine {
  readonly #storage: DurableObjectState["storage"];

  constructor({ storage }: DurableObjectState) {
    this.#storage = storage;
  }

  async fetch() {
    const failures = await engineFailures(async () => {
      await this.#storage.deleteAll();
      return createDurableObjectStore(this.#storage);
    });
    return globalThis.Response.json(failures);
  }
}

interface Environment {
  ENGINE: DurableObjectNamespace;
}

export default {
  fetch(_request: unknown, { ENGINE }: Environment): Promise<Response> {
    return ENGINE.get(ENGINE.idFromName("engine")).fetch("http://engine/");
  },
};
