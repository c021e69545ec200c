declare module "cloudflare:workers" {
  export const env: {
    DB: import("@cloudflare/workers-types").D1Database;
    /** Set it with `wrangler secret put IM_ADMIN_SECRET`. */
    IM_ADMIN_SECRET: string;
  };
}
