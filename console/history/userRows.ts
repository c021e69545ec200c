import type { Load } from "../list/readRows.js";
import { type KeptSetting, readChanged } from "./history.js";
import { rowsInParts } from "./rowsInParts.js";

/** A user whom a setting has changed, and the values that were there before, if these are known. */
export interface UserRow {
  userID: string;
}

/** Loads the users whom a kept setting has changed. */
export function changedRows({ settingID, requests, changed }: KeptSetting): Load<UserRow> {
  return rowsInParts(changed, requests, async (request, signal) => {
    const parts = await readChanged(settingID, request, signal);
    return parts.flatMap(({ before, userIDs }) => userIDs.map((userID) => ({ userID, ...before })));
  });
}
