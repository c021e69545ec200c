import { createHash } from "node:crypto";
import type { HistoryEntry, SettingBegun } from "./history.js";
import { run, type Steps } from "./steps.js";

/** How long requests may belong to one setting, in milliseconds. Some clients use one operationID for ever. */
const longestSetting = 3_600_000;

/**
 * How much earlier than the first one a later request of a setting may be, in milliseconds: several processes may keep
 * theirs in another order. A clock that goes back further begins another setting.
 */
const longestBack = 60_000;

/** How many characters of a text a list has. */
const listedText = 256;

export function* keepEntries(entries: readonly HistoryEntry[]): Steps {
  for (const entry of entries) {
    const { requestID } = entry;
    if (entry.entry === "ended") {
      const [kept] = yield* run(
        "INSERT INTO ends SELECT number, ?, ?, ? FROM requests WHERE request_id = ? RETURNING request",
        ...[entry.outcome, entry.changed, JSON.stringify(entry), requestID],
      );
      if (kept === undefined) throw new Error(`no request ${requestID} has begun`);
    } else {
      const { userIDs } = entry;
      const setting = (yield* settingOf(entry)) ?? (yield* keepSetting(entry));
      yield* run(
        `INSERT INTO requests (request_id, setting, request, digest, users, entry)
          VALUES (?, ?, (SELECT ifnull(max(request) + 1, 0) FROM requests WHERE setting = ?), ?, ?, ?)`,
        ...[requestID, setting, setting, digestOf(userIDs), userIDs.length, JSON.stringify(entry)],
      );
    }
  }
}

/** The setting that a request belongs to; undefined if it is the first one. */
function* settingOf(entry: SettingBegun): Steps<number | undefined> {
  const [last] = yield* run(
    "SELECT number, time FROM settings WHERE key = ? ORDER BY number DESC LIMIT 1",
    keyOf(entry),
  );
  const after = entry.time - Number(last?.["time"]);
  return after >= -longestBack && after <= longestSetting ? Number(last?.["number"]) : undefined;
}

function* keepSetting(begun: SettingBegun): Steps<number> {
  const { entry: _, requestID: settingID, userIDs: _ids, ...asked } = begun;
  const cut: string[] = [];
  const fields = Object.entries(asked.fields).map(([field, value]) => {
    if (typeof value !== "string" || value.length <= listedText) return [field, value];
    cut.push(field);
    return [field, value.slice(0, listedText).replace(/[\ud800-\udbff]$/, "")];
  });
  const setting = { settingID, ...asked, fields: Object.fromEntries(fields), ...(cut.length > 0 && { cut }) };
  const [kept] = yield* run(
    "INSERT INTO settings (setting_id, key, time, setting) VALUES (?, ?, ?, ?) RETURNING number",
    ...[settingID, keyOf(begun), asked.time, JSON.stringify(setting)],
  );
  return Number(kept?.["number"]);
}

/** The same for the requests of a setting; null for a request that no other one can join. */
function keyOf(entry: SettingBegun): string | null {
  const { adminUserID, operationID, conversationID, conversationType, userID, groupID, fields, setsBack } = entry;
  if (operationID === "") return null;
  const what = setsBack === undefined ? [fields] : [setsBack];
  return digestOf([adminUserID, operationID, conversationID, conversationType, userID, groupID, ...what]);
}

function digestOf(values: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(values)).digest("base64url");
}
