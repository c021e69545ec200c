import { createHash } from "node:crypto";
import type { Row, Value } from "../../src/stores/sqlite/database.js";
import type { HistoryEntry, SettingBegun, SettingEnded } from "./history.js";
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
    if (entry.entry === "begun") yield* keepBegun(entry);
    else yield* keepEnded(entry);
  }
}

function* keepBegun(entry: SettingBegun): Steps {
  const { requestID, userIDs } = entry;
  const setting = (yield* settingOf(entry)) ?? (yield* keepSetting(entry));
  const digest = digestOf(userIDs);
  const [last] = yield* lastCounts(setting);
  const { step = 0, requests = 0, users = 0, asked_users: asked = 0, changed = 0, unknown = 0 } = last ?? {};
  const [same = {}] = yield* run(
    `SELECT count(*) AS asked, count(CASE WHEN outcome IS NOT 'failed' THEN 1 END) AS made ${ofSameUsers}`,
    setting,
    digest,
  );
  const json = JSON.stringify(entry);
  yield* run(
    "INSERT INTO requests (request_id, setting, request, digest, entry) VALUES (?, ?, ?, ?, ?)",
    requestID,
    setting,
    requests,
    digest,
    json,
  );
  yield* run(
    `INSERT OR IGNORE INTO setting_users SELECT value, (SELECT time FROM settings WHERE number = ?), ?
      FROM json_each(?, '$.userIDs') ORDER BY value`,
    setting,
    setting,
    json,
  );
  yield* keepCounts(setting, {
    step: Number(step) + 1,
    requests: Number(requests) + 1,
    users: Number(users) + (same["made"] === 0 ? userIDs.length : 0),
    asked_users: Number(asked) + (same["asked"] === 0 ? userIDs.length : 0),
    changed,
    unknown: Number(unknown) + 1,
    outcome: "unknown",
  });
}

function* keepEnded(entry: SettingEnded): Steps {
  const { requestID, outcome, changed } = entry;
  const [found] = yield* run(
    `SELECT number, setting, request, digest, json_array_length(entry, '$.userIDs') AS users
      FROM requests WHERE request_id = ?`,
    requestID,
  );
  if (found === undefined) throw new Error(`no request ${requestID} has begun`);
  const { number = null, setting = null, request, digest = null, users = 0 } = found;
  const json = JSON.stringify(entry);
  yield* run("INSERT INTO ends (request, outcome, entry) VALUES (?, ?, ?)", number, outcome, json);
  const [last = {}] = yield* lastCounts(setting);
  const [same = {}] = yield* run(
    `SELECT count(CASE WHEN outcome IS NOT 'failed' THEN 1 END) AS made ${ofSameUsers}`,
    setting,
    digest,
  );
  const isLast = Number(request) === Number(last["requests"]) - 1;
  yield* keepCounts(setting, {
    ...last,
    step: Number(last["step"]) + 1,
    users: Number(last["users"]) - (same["made"] === 0 ? Number(users) : 0),
    changed: Number(last["changed"]) + changed,
    unknown: Number(last["unknown"]) - (outcome === "unknown" ? 0 : 1),
    outcome: isLast ? outcome : (last["outcome"] ?? null),
  });
}

/** The setting that a request belongs to; undefined if it is the first one. */
function* settingOf(entry: SettingBegun): Steps<Value | undefined> {
  const [last] = yield* run(
    "SELECT number, time FROM settings WHERE key = ? ORDER BY number DESC LIMIT 1",
    keyOf(entry),
  );
  const after = entry.time - Number(last?.["time"]);
  return after >= -longestBack && after <= longestSetting ? last?.["number"] : undefined;
}

function* keepSetting(begun: SettingBegun): Steps<Value> {
  const { entry: _, requestID, userIDs: _ids, ...asked } = begun;
  const cut: string[] = [];
  const fields = Object.entries(asked.fields).map(([field, value]) => {
    if (typeof value !== "string" || value.length <= listedText) return [field, value];
    cut.push(field);
    return [field, value.slice(0, listedText).replace(/[\ud800-\udbff]$/, "")];
  });
  const setting = {
    settingID: requestID,
    ...asked,
    fields: Object.fromEntries(fields),
    ...(cut.length > 0 && { cut }),
  };
  const { time, adminUserID, conversationID } = begun;
  const [kept] = yield* run(
    "INSERT INTO settings (setting_id, key, time, setting) VALUES (?, ?, ?, ?) RETURNING number",
    requestID,
    keyOf(begun),
    time,
    JSON.stringify(setting),
  );
  const { number = null } = kept ?? {};
  for (const field of ["", ...Object.keys(begun.fields)]) {
    yield* run("INSERT INTO listed VALUES (?, ?, ?, ?, ?)", number, field, adminUserID, conversationID, time);
  }
  return number;
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

const ofSameUsers = `FROM requests LEFT JOIN ends ON ends.request = requests.number
  WHERE requests.setting = ? AND requests.digest = ?`;

const countNames = ["step", "requests", "users", "asked_users", "changed", "unknown", "outcome"];

function lastCounts(setting: Value): Steps<Row[]> {
  return run(`SELECT ${countNames.join()} FROM counts WHERE setting = ? ORDER BY step DESC LIMIT 1`, setting);
}

function keepCounts(setting: Value, counts: Row): Steps<Row[]> {
  const values = countNames.map((name) => counts[name] ?? null);
  return run(`INSERT INTO counts (setting, ${countNames.join()}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`, setting, ...values);
}
