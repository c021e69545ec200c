import { expect, it } from "vitest";
import { checkLists } from "../../../../src/stores/sqlite/upkeep/checkAll.js";
import { repairLists } from "../../../../src/stores/sqlite/upkeep/repair.js";
import { BrokenRows, hostMap, hostTables } from "../../../helpers/brokenRows.js";
import { randomOf, rounds, seed } from "../../../helpers/chance.js";
import { openMappedFile, tiny } from "../../../helpers/mappedFile.js";

const map = hostMap("", (column) => `json_extract(${column}, '$.v')`);

it("answers each list that can be read while rows break and are mended", async () => {
  const { host, database, store } = await openMappedFile(hostTables.replaceAll("host.", ""), map, tiny);
  const random = randomOf(seed);
  const rows = new BrokenRows(random);
  const wrong = async () => (await checkLists(database, tiny)).filter(({ kind }) => kind === "wrong");
  for (let round = 0; round < rounds(200); round += 1) {
    for (let change = 0; change < 12; change += 1) host.exec(rows.change().replaceAll("host.", ""));
    if (random() < 0.1) await repairLists(database, tiny);
    if (random() < 0.1) expect([round, await wrong()]).toEqual([round, []]);
    expect([round, await rows.differences(store)]).toEqual([round, []]);
  }
  host.exec(rows.mend().replaceAll("host.", ""));
  expect([await rows.differences(store), await wrong()]).toEqual([[], []]);
  expect(host.prepare("SELECT * FROM im_admin_unreadable").all()).toEqual([]);
  expect(host.prepare("SELECT * FROM im_admin_changed").all()).toEqual([]);
}, 1_800_000);
