import { DurableObject, env } from "cloudflare:workers";
import { jwtAuthenticator } from "im-admin/auth";
import { createDurableObjectStore } from "im-admin/durable-object";
import { createFetchHandler } from "im-admin/fetch";

const authenticate = jwtAuthenticator({ secrets: [env.IM_ADMIN_SECRET], adminUserIDs: ["imAdmin"] });

/** One customer, with a database of its own for its users, groups and other records. */
export class Tenant extends DurableObject<Env> {
  readonly #store = createDurableObjectStore(this.ctx.storage);
  readonly #handler = createFetchHandler({ store: this.#store, authenticate });

  override async fetch(request: Request): Promise<Response> {
    if (request.method !== "PUT") return this.#handler(request);
    try {
      await this.#store.put({ users: await request.json() });
      return new Response(null, { status: 204 });
    } catch (error) {
      // The body is not JSON, or not a user.
      if (error instanceof SyntaxError || error instanceof TypeError)
        return new Response(error.message, { status: 400 });
      throw error;
    }
  }
}

/** Answers a caller without a valid token as im-admin does. */
const refuse = createFetchHandler({ store: () => Promise.reject(new Error("nobody gets so far")), authenticate });

/** The first part of the path names the tenant: `/one/user/search_notification_account`. */
export default {
  async fetch(request, { TENANTS }) {
    const [, tenant = "", ...path] = new URL(request.url).pathname.split("/");
    if (!/^[a-z0-9-]{1,32}$/.test(tenant)) return new Response(null, { status: 404 });
    const url = new URL(path.join("/"), new URL("/", request.url));
    const forwarded = new Request(url, request);
    // A call by a name creates an object, and Cloudflare bills it. So check the token first.
    if ("failure" in (await authenticate(request.headers.get("token") ?? ""))) {
      return request.method === "PUT" ? new Response(null, { status: 401 }) : refuse(forwarded);
    }
    return TENANTS.getByName(tenant).fetch(forwarded);
  },
} satisfies ExportedHandler<Env>;
