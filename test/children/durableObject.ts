import type { DurableObjectNamespace, DurableObjectState, Request, Response } from "@cloudflare/workers-types";
import { recordNames } from "../../src/records.js";
import { createDurableObjectStore } from "../../src/stores/drivers/durableObject.js";
import { ourName } from "../../src/stores/sqlite/sql.js";
import { engineFailures } from "../helpers/engineCases.js";

/** The drivers with the next version of the schema, which stand before this code. */
declare const next: { createDurableObjectStore: typeof createDurableObjectStore };

/** A request for the failures of the store cases, the rows of a statement, or what a method of a store answers. */
export type Asked =
  | "failures"
  | { sql: string }
  | { isNext: boolean; method: "put" | "listGroupMembers" | "close"; argument?: unknown };

/** Answers what a test asks of an object whose SQLite is under test. */
export class TestObject {
  readonly #storage: DurableObjectState["storage"];

  constructor({ storage }: DurableObjectState) {
    this.#storage = storage;
  }

  async fetch(request: Request) {
    try {
      return globalThis.Response.json(await this.#answer(await request.json()));
    } catch (error) {
      return new globalThis.Response(String(error), { status: 500 });
    }
  }

  async #answer(asked: Asked): Promise<unknown[]> {
    if (asked === "failures") {
      return engineFailures(async () => {
        const store = createDurableObjectStore(this.#storage);
        for (const table of recordNames) this.#storage.sql.exec(`DELETE FROM ${ourName(table)}`);
        return store;
      });
    }
    if ("sql" in asked) return this.#storage.sql.exec(asked.sql).toArray();
    const { createDurableObjectStore: create } = asked.isNext ? next : { createDurableObjectStore };
    return [await create(this.#storage)[asked.method](asked.argument as never)];
  }
}

interface Environment {
  OBJECTS: DurableObjectNamespace;
}

/** Hands each request to the object that its path names. */
export default {
  fetch(request: Request, { OBJECTS }: Environment): Promise<Response> {
    return OBJECTS.get(OBJECTS.idFromName(new URL(request.url).pathname)).fetch(request);
  },
};
