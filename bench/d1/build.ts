import { createD1Store, migrateD1 } from "../../src/stores/drivers/d1.js";
import { largeGroupMembers, users } from "../data.js";
import { plainIndexes } from "../plain.js";
import { largeGroup, type Scale } from "../scale.js";
import { openD1 } from "./database.js";

/** Fills a D1 database with one group, for both contestants: the tables are the same, and the indexes do no harm. */
export async function buildD1(folder: string, scale: Scale): Promise<void> {
  const members = scale.d1Members;
  const { handle, batch, stop } = await openD1(folder);
  await migrateD1(handle);
  await createD1Store(handle).put({
    users: users({ ...scale, members, accounts: 0 }, "orderly"),
    groups: [{ groupID: largeGroup }],
    groupMembers: largeGroupMembers(members, "orderly"),
  });
  const [inOrder] = plainIndexes.groupMembers ?? [];
  await batch([{ sql: inOrder, values: [] }]);
  await stop();
}
