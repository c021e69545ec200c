import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  getBlackList,
  getGroupMemberList,
  getJoinedGroupList,
  getReceivedGroupApplicationList,
  searchNotificationAccount,
} from "../../src/index.js";
import type { RecordSet } from "../../src/records.js";
import type { BundledStore } from "../../src/stores/drivers/sqlite.js";
import { memoryStore } from "./stores.js";

/** A record of each kind, whose every field has a value of its own, in files as `import` reads them. */
export const ownFolder = fileURLToPath(new URL("imported/own", import.meta.url));

/** The same as the collections of the reference server's database, which mongoexport has written. */
export const referenceFolder = fileURLToPath(new URL("imported/reference", import.meta.url));

/** The texts of the files in a folder, by the names of what they hold. */
export function textsIn(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder).map((name) => [name.replace(".ndjson", ""), readFileSync(`${folder}/${name}`, "utf8")]),
  );
}

/** The records of {@link ownFolder}. */
export const records: RecordSet = Object.fromEntries(
  Object.entries(textsIn(ownFolder)).map(([name, text]) => [
    name,
    text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ]),
);

/** What a store answers of {@link records}, every field of them. */
export async function answers(store: BundledStore) {
  const pagination = { pageNumber: 1, showNumber: 10 };
  return {
    members: await getGroupMemberList(store, { groupID: "g1", pagination }),
    blacks: await getBlackList(store, { userID: "u1", pagination }),
    groups: await getJoinedGroupList(store, { fromUserID: "u1", pagination }),
    requests: await getReceivedGroupApplicationList(store, { fromUserID: "u1", pagination }),
    accounts: await searchNotificationAccount(store, { pagination }),
    conversations: await store.conversations("u1"),
  };
}

/** What a store has to answer that holds {@link records}. */
export async function expectedAnswers() {
  const store = memoryStore();
  await store.put(records);
  return answers(store);
}
