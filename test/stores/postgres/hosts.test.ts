import pg from "pg";
import { expect, it } from "vitest";
import { quoted } from "../../../src/stores/postgres/sql.js";
import { repairLists } from "../../../src/stores/postgres/upkeep/repair.js";
import { assertAgreement } from "../../helpers/agreement.js";
import { openMigrated } from "../../helpers/postgres/migrated.js";
import { addOddColumns, oddSettings, someWords } from "../../helpers/postgres/oddHost.js";
import { postgresForFile } from "../../helpers/postgres/server.js";
import { migrateSmall, poolWith, problemsOf } from "../../helpers/postgres/sessions.js";

const server = postgresForFile(migrateSmall);

/** Answers as the example store does, while lists of a few entries are counted and searched by what is kept of them. */
async function assertUsual(pool: pg.Pool): Promise<void> {
  await assertAgreement(() => openMigrated(pool), 30);
  expect(await problemsOf(pool)).toEqual([]);
}

it("answers as ever in sessions that a host has set up for itself", () =>
  assertUsual(poolWith(server.pool, { options: oddSettings })));

it("answers as ever where a host parses all but texts in its own way", async () => {
  const parserOf = (oid: number) => (value: string) => (oid === pg.types.builtins.TEXT ? value : { oid, value });
  const own = poolWith(server.pool, { types: { getTypeParser: parserOf as typeof pg.types.getTypeParser } });
  expect((await own.query("SELECT 1 AS one")).rows).toEqual([{ one: { oid: 23, value: "1" } }]);
  await assertUsual(own);
});

it("answers as before and repairs when a host has added columns", async () => {
  await addOddColumns(server.pool, someWords);
  await assertUsual(server.pool);
  await repairLists(server.pool, quoted("im_admin"));
  expect(await problemsOf(server.pool)).toEqual([]);
});
