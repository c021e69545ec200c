import { it } from "vitest";
import { storeCases, toleranceCases } from "../../../src/testing/index.js";
import { assertAgreement } from "../../helpers/agreement.js";
import { openMigrated } from "../../helpers/postgres/migrated.js";
import { postgresForFile } from "../../helpers/postgres/server.js";

const server = postgresForFile();

it.each(Object.entries({ ...storeCases, ...toleranceCases }))("%s", (_sentence, storeCase) =>
  storeCase((records) => openMigrated(server.pool, records)),
);

it("answers random calls over random records as the example store does, which sorts arrays", () =>
  assertAgreement(() => openMigrated(server.pool), 60));
