import type { D1Database } from "@cloudflare/workers-types";
import { recordNames } from "../../src/records.js";
import { createD1Store, migrateD1 } from "../../src/stores/drivers/d1.js";
import { ourName } from "../../src/stores/sqlite/sql.js";
import { engineFailures } from "../helpers/engineCases.js";

/** Answers with the failures of the store cases on a Worker's own database. */
export default {
  async fetch(_request: Request, { DB }: { DB: D1Database }): Promise<Response> {
    await migrateD1(DB);
    const failures = await engineFailures(async () => {
      await DB.batch(recordNames.map((table) => DB.prepare(`DELETE FROM ${ourName(table)}`)));
      return createD1Store(DB);
    });
    return Response.json(failures);
  },
};
