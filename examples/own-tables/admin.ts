import type { IncomingMessage, ServerResponse } from "node:http";
import { createNodeListener } from "im-admin/node";
import { createPostgresStore, type PostgresPool } from "im-admin/postgres";
import { tenantStore } from "./tenantStore.ts";

/** The part of Fastify that the listener needs. */
interface Application {
  all(
    path: string,
    route: {
      onRequest(request: { raw: IncomingMessage }, reply: { raw: ServerResponse; hijack(): void }): Promise<void>;
      handler(): void;
    },
  ): unknown;
}

/** Mounts im-admin below `/admin`. The chat server's own sessions say who is an administrator. */
export function mountAdmin(app: Application, pool: PostgresPool): void {
  const store = createPostgresStore({ pool });
  const tenants = new WeakMap<object, string>();
  const listener = createNodeListener({
    basePath: "/admin",
    async authenticate(_token, { raw }) {
      const [, cookie = ""] = /(?:^|; )session=([^;]*)/.exec((raw as IncomingMessage).headers.cookie ?? "") ?? [];
      const { rows } = await pool.query(
        "SELECT tenant_id, administrator FROM chat.session WHERE cookie = $1 AND administrator IS NOT NULL",
        [cookie],
      );
      const [session] = rows as { tenant_id: string; administrator: string }[];
      if (session === undefined) return { failure: "NoPermissionError" };
      tenants.set(raw as object, session.tenant_id);
      return { adminUserID: session.administrator };
    },
    store({ raw }) {
      const tenant = tenants.get(raw as object);
      if (tenant === undefined) throw new Error("a request without a tenant was let in");
      return tenantStore(store, pool, tenant);
    },
  });
  app.all("/admin/*", {
    async onRequest(request, reply) {
      reply.hijack();
      listener(request.raw, reply.raw);
    },
    handler() {},
  });
}
