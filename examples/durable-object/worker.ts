import type { DurableObjectNamespace, DurableObjectState } from "@cloudflare/workers-types";
import { jwtAuthenticator } from "im-admin/auth";
import { createDurableObjectStore } from "im-admin/durable-object";
import { createFetchHandler, type FetchHandler } from "im-admin/fetch";

interface Environment {
  TENANTS: DurableObjectNamespace;
  /** Set it with `wrangler secret put IM_ADMIN_SECRET`. */
  IM_ADMIN_SECRET: string;
}

/** One customer: its users, groups and the rest are in a database of its own. */
export class Tenant {
  readonly #store;
  readonly #handler: FetchHandler;

  constructor({ storage }: DurableObjectState, { IM_ADMIN_SECRET }: Environment) {
    this.#store = createDurableObjectStore(storage);
    this.#handler = createFetchHandler({
      store: this.#store,
      authenticate: jwtAuthenticator({ secrets: [IM_ADMIN_SECRET], adminUserIDs: ["imAdmin"] }),
    });
  }

  /** The chat server writes here; it has to see to it that nobody else does. */
  async fetch(request: Request): Promise<Response> {
    if (request.method !== "PUT") return this.#handler(request);
    await this.#store.put({ users: await request.json() });
    return new Response(null, { status: 204 });
  }
}

/** The first part of the path names the tenant: `/one/user/search_notification_account`. */
export default {
  fetch(request: Request, { TENANTS }: Environment) {
    const url = new URL(request.url);
    const [, tenant = "", ...path] = url.pathname.split("/");
    url.pathname = path.join("/");
    // The types of Workers and those of browsers know different requests.
    return TENANTS.get(TENANTS.idFromName(tenant)).fetch(new Request(url, request) as never);
  },
};
