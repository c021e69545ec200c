import type { DurableObjectNamespace, DurableObjectState, Request, Response } from "@cloudflare/workers-types";
import { createDurableObjectStore } from "../../src/stores/drivers/durableObject.js";

/** Runs a statement of its own, and makes a store or not, as it is told; answers the rows, or what went wrong. */
export class Host {
  readonly #storage: DurableObjectState["storage"];

  constructor({ storage }: DurableObjectState) {
    this.#storage = storage;
  }

  async fetch(request: Request) {
    const { sql, isStoreMade } = await request.json<{ sql: string; isStoreMade: boolean }>();
    try {
      if (isStoreMade) createDurableObjectStore(this.#storage);
      return globalThis.Response.json({ rows: this.#storage.sql.exec(sql).toArray() });
    } catch (error) {
      return globalThis.Response.json({ failure: String(error) });
    }
  }
}

interface Environment {
  HOST: DurableObjectNamespace;
}

export default {
  fetch(request: Request, { HOST }: Environment): Promise<Response> {
    return HOST.get(HOST.idFromName("host")).fetch(request);
  },
};
