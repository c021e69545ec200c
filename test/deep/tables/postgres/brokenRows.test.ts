import { expect, it } from "vitest";
import { createPostgresStore } from "../../../../src/stores/postgres/index.js";
import { quoted } from "../../../../src/stores/postgres/sql.js";
import { installMap } from "../../../../src/stores/postgres/upkeep/installMap.js";
import { BrokenRows, hostMap, hostTables } from "../../../helpers/brokenRows.js";
import { randomOf, rounds, seed } from "../../../helpers/chance.js";
import { postgresForFile } from "../../../helpers/postgres/server.js";
import { migrateSmall, problemsOf, settle, settleOnce } from "../../../helpers/postgres/sessions.js";

const server = postgresForFile();

it("answers each list that can be read while rows break and are mended", async () => {
  await server.pool.query(`CREATE SCHEMA host; ${hostTables}`);
  await migrateSmall(server.pool);
  await installMap(
    server.pool,
    quoted("im_admin"),
    hostMap("host.", (column) => `(${column}::json ->> 'v')`),
  );
  const store = createPostgresStore({ pool: server.pool });
  const random = randomOf(seed);
  const rows = new BrokenRows(random);
  for (let round = 0; round < rounds(300); round += 1) {
    for (let change = 0; change < 12; change += 1) await server.pool.query(rows.change());
    if (random() < 0.3) await settle(server.pool);
    else if (random() < 0.4) await settleOnce(server.pool);
    if (random() < 0.1) await server.pool.query("SELECT im_admin.rebuild_lists()");
    expect([round, await rows.differences(store, 0.3)]).toEqual([round, []]);
  }
  await server.pool.query(rows.mend());
  await settle(server.pool);
  expect([await rows.differences(store), await problemsOf(server.pool)]).toEqual([[], []]);
}, 600_000);
