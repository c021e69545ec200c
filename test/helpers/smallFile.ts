import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSqliteStore } from "../../src/stores/drivers/sqlite.js";
import { temporaryFolder } from "./stores.js";

async function contentOfSmallFile(): Promise<Uint8Array> {
  const path = join(temporaryFolder(), "im.db");
  const store = openSqliteStore({ path });
  const userIDs = Array.from({ length: 200 }, (_, index) => `u${100 + index}`);
  await store.put({
    users: userIDs.map((userID) => ({ userID, nickname: `王芳 ${userID}` })),
    groupMembers: userIDs.map((userID) => ({ groupID: "g1", userID })),
  });
  await store.close();
  return readFileSync(path);
}

let content: Promise<Uint8Array> | undefined;

/** A database file with a group of 200 members, which nothing has open. */
export async function smallFile(): Promise<string> {
  content ??= contentOfSmallFile();
  const path = join(temporaryFolder(), "im.db");
  writeFileSync(path, await content);
  return path;
}
