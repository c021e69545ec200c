import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { recordNames } from "../../../src/records.js";
import { snakeCase } from "../../../src/stores/postgres/names.js";
import { migrate } from "../../../src/stores/postgres/schema/migrate.js";
import { quoted } from "../../../src/stores/postgres/sql.js";
import { checkLists } from "../../../src/stores/postgres/upkeep/checkAll.js";
import { repairLists } from "../../../src/stores/postgres/upkeep/repair.js";
import { storeCases, toleranceCases } from "../../../src/testing/index.js";
import { assertAgreement } from "../../helpers/agreement.js";
import { openMigrated } from "../../helpers/postgres/migrated.js";
import { type PostgresServer, startPostgres } from "../../helpers/postgres/server.js";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
  // So small that lists of a few entries are counted and searched by what is kept of them.
  await migrate(server.pool, quoted("im_admin"), { leaf: 6, fanout: 4, changesPerFold: 2, recent: 2, searched: 8 });
  // Each table gets a column for each word that our own statements consist of, and whose meaning it might change.
  const statements = readFileSync(new URL("schema.sql", import.meta.url), "utf8");
  const words = [...new Set(statements.match(/\b[a-z_]+\b/g))];
  expect(words).toEqual(expect.arrayContaining(["asked_owner", "key", "keyword", "item", "piece", "user_id"]));
  const systemColumns = ["ctid", "xmin", "xmax"];
  const columns = words
    .filter((word) => !systemColumns.includes(word))
    .map((word) => `ADD COLUMN IF NOT EXISTS "${word}" text DEFAULT 'odd'`);
  for (const table of recordNames.map(snakeCase)) {
    await server.pool.query(`ALTER TABLE im_admin.${table} ${columns.join(", ")}`);
  }
});
afterAll(() => server.stop());

it.each(Object.entries({ ...storeCases, ...toleranceCases }))(
  "whatever columns a host adds: %s",
  (_sentence, storeCase) => storeCase((records) => openMigrated(server.pool, records)),
);

it("answers as ever, checks and repairs, whatever columns a host adds", async () => {
  await assertAgreement(() => openMigrated(server.pool), 30);
  expect(await checkLists(server.pool, quoted("im_admin"))).toEqual([]);
  await repairLists(server.pool, quoted("im_admin"));
  expect(await checkLists(server.pool, quoted("im_admin"))).toEqual([]);
});
