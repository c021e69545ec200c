/** A Worker that runs batches of statements on its D1 database. */
import type { D1Database } from "@cloudflare/workers-types";

interface Environment {
  DB: D1Database;
}

export default {
  async fetch(request: Request, { DB }: Environment): Promise<Response> {
    const statements: { sql: string; values: unknown[] }[] = await request.json();
    try {
      const results = await DB.batch(statements.map(({ sql, values }) => DB.prepare(sql).bind(...values)));
      return Response.json(
        results.map(({ results, meta }) => ({ results, read: meta.rows_read, written: meta.rows_written })),
      );
    } catch (error) {
      return new Response(String(error), { status: 500 });
    }
  },
};
