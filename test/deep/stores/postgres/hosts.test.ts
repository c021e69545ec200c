import { describe, expect, it } from "vitest";
import { quoted } from "../../../../src/stores/postgres/sql.js";
import { repairLists } from "../../../../src/stores/postgres/upkeep/repair.js";
import { storeCases, toleranceCases } from "../../../../src/testing/index.js";
import { assertAgreement } from "../../../helpers/agreement.js";
import { openMigrated } from "../../../helpers/postgres/migrated.js";
import { addOddColumns, allWords, someWords } from "../../../helpers/postgres/oddHost.js";
import { postgresForFile } from "../../../helpers/postgres/server.js";
import { migrateSmall, problemsOf } from "../../../helpers/postgres/sessions.js";

describe("with columns that a host adds, for each word of the schema", () => {
  const server = postgresForFile(async (pool) => {
    await migrateSmall(pool);
    expect(allWords()).toEqual(expect.arrayContaining(someWords));
    await addOddColumns(pool, allWords());
  });

  it.each(Object.entries({ ...storeCases, ...toleranceCases }))("%s", (_sentence, storeCase) =>
    storeCase((records) => openMigrated(server.pool, records)),
  );

  it("answers as the example store does, and repairs", async () => {
    await assertAgreement(() => openMigrated(server.pool), 30);
    expect(await problemsOf(server.pool)).toEqual([]);
    await repairLists(server.pool, quoted("im_admin"));
    expect(await problemsOf(server.pool)).toEqual([]);
  });
});
