import type { Value } from "../../src/stores/sqlite/database.js";
import type { Setting, SettingFilter, SettingPage } from "./history.js";
import { run, type Steps } from "./steps.js";

/** How many settings a list counts and has. Further ones are found by an earlier `until`. */
const mostListed = 100_000;

export function* readPage(offset: number, limit: number, filter: SettingFilter): Steps<SettingPage> {
  const { from, values } = found(filter);
  const [row] = yield* run(`SELECT count(*) AS total FROM (SELECT 1 ${from} LIMIT ${mostListed + 1})`, ...values);
  const total = Number(row?.["total"]);
  const wanted = Math.min(limit, Math.min(total, mostListed) - offset);
  const items = wanted > 0 ? yield* readSettings(filter, wanted, offset) : [];
  return { total: Math.min(total, mostListed), items, ...(total > mostListed && { isMore: true }) };
}

/**
 * Reads settings, the newest first.
 *
 * @param last the settingID before the first one
 */
export function* readSettings(filter: SettingFilter, limit: number, offset = 0, last?: string): Steps<Setting[]> {
  const { setting, from, values } = found(filter, last);
  const numbers = yield* run(`SELECT ${setting} AS number ${from} LIMIT ? OFFSET ?`, ...values, limit, offset);
  const settings: Setting[] = [];
  for (const { number = null } of numbers) settings.push(yield* readSetting(number));
  return settings;
}

function* readSetting(number: Value): Steps<Setting> {
  const [row = {}] = yield* run(
    `SELECT settings.setting AS json, requests, iif(users = 0, asked, users) AS users, changed,
        iif(unknown = 0, outcome, 'unknown') AS outcome
      FROM settings CROSS JOIN counts ON counts.setting = number WHERE number = ? ORDER BY step DESC LIMIT 1`,
    number,
  );
  const { json, ...counts } = row;
  const setting = { ...JSON.parse(String(json)), ...counts };
  const [back] = yield* run(
    `SELECT settings.setting AS json, users FROM settings CROSS JOIN counts ON counts.setting = number
        AND step = (SELECT max(step) FROM counts WHERE setting = number)
      WHERE json_extract(settings.setting, '$.setsBack') = ? AND changed > 0 ORDER BY users DESC, number DESC LIMIT 1`,
    setting.settingID,
  );
  if (back === undefined) return setting;
  const { settingID, time, adminUserID } = JSON.parse(String(back["json"]));
  return { ...setting, setBackBy: { settingID, time, adminUserID, users: Number(back["users"]) } };
}

/** Reads a setting, and the entries of its request as they were kept, in JSON. */
export function* readRequest(settingID: string, request: number) {
  const [row] = yield* run(
    `SELECT settings.number, requests.entry AS begun, ends.entry AS ended
      FROM settings CROSS JOIN requests ON requests.setting = settings.number LEFT JOIN ends ON ends.request = requests.number
      WHERE setting_id = ? AND requests.request = ?`,
    ...[settingID, request],
  );
  if (row === undefined) return undefined;
  const { number = null, begun, ended } = row;
  return { setting: yield* readSetting(number), begun: String(begun), ended: ended ? String(ended) : undefined };
}

/**
 * The settings that fit, in their order, as SQL that begins with FROM. A condition on a user reads the settings of that
 * user, and looks each of them up; all others read one range of an index.
 */
export function found(filter: SettingFilter, last?: string) {
  const wanted: Record<string, Value> = Object.fromEntries(
    Object.entries(filter).filter(([, value]) => value !== null),
  );
  const { adminUserID, conversationID, userID, since, until, field } = wanted;
  const others = Object.entries({ admin: adminUserID, conversation: conversationID }).filter(
    ([, value]) => value !== undefined,
  );
  const index = `listed_by_${others.map(([name]) => name).join("_and_") || "time"}`;
  const isLookedUp = others.length > 0 || field !== undefined;
  const [table, source] =
    userID === undefined
      ? ["listed", `listed INDEXED BY ${index}`]
      : ["users", `setting_users AS users${isLookedUp ? " CROSS JOIN listed USING (setting)" : ""}`];
  const place = `(${table}.time, ${table}.setting)`;
  const conditions: [string, Value | undefined][] = [
    ["users.user_id = ?", userID],
    ["listed.field = ?", userID === undefined || isLookedUp ? (field ?? "") : undefined],
    ["listed.admin_user_id = ?", adminUserID],
    ["listed.conversation_id = ?", conversationID],
    [`${table}.time >= ?`, since],
    // Behind a setting, all are earlier.
    [`${table}.time < ?`, last === undefined ? until : undefined],
    [`${place} < (SELECT time, number FROM settings WHERE setting_id = ?)`, last],
  ];
  const given = conditions.filter((condition): condition is [string, Value] => condition[1] !== undefined);
  return {
    setting: `${table}.setting`,
    from: `FROM ${source} WHERE ${given.map(([text]) => text).join(" AND ")}
      ORDER BY ${table}.time DESC, ${table}.setting DESC`,
    values: given.map(([, value]) => value),
  };
}
