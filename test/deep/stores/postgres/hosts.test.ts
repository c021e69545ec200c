import { describe, expect, it } from "vitest";
import { createPostgresStore, migratePostgres } from "../../../../src/stores/postgres/index.js";
import { quoted } from "../../../../src/stores/postgres/sql.js";
import { repairLists } from "../../../../src/stores/postgres/upkeep/repair.js";
import { storeCases, toleranceCases } from "../../../../src/testing/index.js";
import { assertAgreement } from "../../../helpers/agreement.js";
import { openMigrated } from "../../../helpers/postgres/migrated.js";
import { addOddColumns, allWords, oddSettings, someWords } from "../../../helpers/postgres/oddHost.js";
import { postgresForFile } from "../../../helpers/postgres/server.js";
import { migrateSmall, poolWith, problemsOf, settle } from "../../../helpers/postgres/sessions.js";

describe("columns that a host adds", () => {
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

describe("with the settings of a host", () => {
  const server = postgresForFile();

  it("counts all members that a search finds, in sessions that limit a host's own searches", async () => {
    const pool = poolWith(server.pool, { options: oddSettings });
    await migratePostgres(pool);
    const groupMembers = Array.from({ length: 64_000 }, (_, index) => ({
      groupID: "g1",
      userID: `u${index}`,
      nickname: ["Ann Bell", "王芳"][index % 16] ?? "",
    }));
    const store = createPostgresStore({ pool });
    await store.put({ groups: [{ groupID: "g1" }], groupMembers });
    await settle(pool);
    const totals = [];
    for (const keyword of ["ann", "bell", "王芳", "芳", "王"]) {
      totals.push((await store.listGroupMembers({ groupID: "g1", keyword, offset: 0, limit: 1 }))?.total);
    }
    expect(totals).toEqual([4000, 4000, 4000, 4000, 4000]);
  });
});
