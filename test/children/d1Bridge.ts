import type { D1Database } from "@cloudflare/workers-types";

interface Environment {
  DB: D1Database;
  /** The Worker under test. */
  MAIN: { fetch(request: Request): Promise<Response> };
}

/** Stands before a Worker: runs batches of statements on its database, and hands it all other requests. */
export default {
  async fetch(request: Request, { DB, MAIN }: Environment): Promise<Response> {
    if (!request.headers.has("x-test-batch")) return MAIN.fetch(request);
    const statements: { sql: string; values: unknown[] }[] = await request.json();
    try {
      const results = await DB.batch(statements.map(({ sql, values }) => DB.prepare(sql).bind(...values)));
      return Response.json(results.map(({ results, meta }) => ({ results, meta })));
    } catch (error) {
      return new Response(String(error), { status: 500 });
    }
  },
};
