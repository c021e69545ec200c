import { env } from "cloudflare:workers";
import { jwtAuthenticator } from "im-admin/auth";
import { createD1Store } from "im-admin/d1";
import { mountAdminRoutes } from "im-admin/itty-router";
import { AutoRouter } from "itty-router";

const router = AutoRouter();

router.get("/", () => ({ service: "chat", administration: "/admin" }));

// Without an observer, im-admin writes the cause of each 500 to console.error: see `npx wrangler tail`.
mountAdminRoutes(router, {
  store: createD1Store(env.DB),
  authenticate: jwtAuthenticator({ secrets: [env.IM_ADMIN_SECRET], adminUserIDs: ["imAdmin"] }),
  basePath: "/admin",
});

export default { fetch: router.fetch };
