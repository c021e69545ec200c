import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { EJSON } from "bson";
import * as items from "../../../src/items.js";
import { itemWith } from "../../../src/items.js";
import { recordsOf } from "../../../src/openim/index.js";
import { type RecordName, recordNames } from "../../../src/records.js";

/** A record, or an item of a list. */
export type Item = Readonly<Record<string, unknown>>;

/** The database that the server held, as mongoexport writes it. */
export const worldFolder = fileURLToPath(new URL("../imported/openim/mongoexport", import.meta.url));

/** Its records. */
export const world = Object.fromEntries(recordNames.map((name) => [name, [] as Item[]])) as Record<RecordName, Item[]>;
for (const file of readdirSync(worldFolder)) {
  for (const line of readFileSync(`${worldFolder}/${file}`, "utf8").trimEnd().split("\n")) {
    const records = recordsOf(file.replace(".json", ""), EJSON.parse(line));
    for (const [name, items] of Object.entries(records))
      world[name as RecordName].push(...(items as unknown as Item[]));
  }
}

/** The first record with these values. */
export function find(name: RecordName, values: Item): Item | undefined {
  return world[name].find((record) => Object.entries(values).every(([field, value]) => record[field] === value));
}

/** The profile in an item of a list, of a user who may be gone. */
export function userInfo(userID: unknown): Item {
  return itemWith<Item>(items.userInfo, { ...find("users", { userID }), userID });
}

/** The group in an item of a list, which may be gone. */
export function groupInfo(groupID: unknown): Item {
  const members = world.groupMembers.filter((member) => member["groupID"] === groupID);
  const owners = members.filter(({ roleLevel }) => roleLevel === 100).sort(byMembership);
  const memberCount = members.length;
  const ownerUserID = owners[0]?.["userID"] ?? "";
  return itemWith<Item>(items.group, { ...find("groups", { groupID }), groupID, ownerUserID, memberCount });
}

/** Compares by fields: descending numbers where a field begins with a minus, else ascending numbers or texts. */
export function by(...fields: string[]): (left: Item, right: Item) => number {
  return (left, right) => {
    for (const field of fields) {
      const [name, sign] = field.startsWith("-") ? [field.slice(1), -1] : [field, 1];
      const [a, b] = [left[name], right[name]];
      const order =
        typeof a === "number" ? a - Number(b) : Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
      if (order !== 0) return sign * order;
    }
    return 0;
  };
}

const byMembership = by("-roleLevel", "joinTime", "userID");

/** The item of a user in the list of accounts, as the server answers it. */
export function accountOf({ userID, faceURL, nickname, appMangerLevel }: Item): Item {
  return { userID, faceURL, nickName: nickname, appMangerLevel };
}
