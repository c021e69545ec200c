import type { PageRange } from "../../src/index.js";
import type { Value } from "../../src/stores/sqlite/database.js";
import type { History, Setting, SettingFilter, SettingOutcome, SettingPage } from "./history.js";
import { run, type Steps } from "./steps.js";

/** How many settings a list counts and has. Further ones are found by an earlier `until`. */
const mostListed = 100_000;

export function* readPage({ offset, limit }: PageRange, filter: SettingFilter): Steps<SettingPage> {
  const { columns, from, values } = found(filter);
  const [row] = yield* run(`SELECT count(*) AS total FROM (SELECT 1 ${from} LIMIT ${mostListed + 1})`, ...values);
  const total = Number(row?.["total"]);
  const wanted = Math.max(0, Math.min(limit, mostListed - offset));
  const numbers = yield* run(`SELECT ${columns} ${from} LIMIT ? OFFSET ?`, ...values, wanted, offset);
  const items: Setting[] = [];
  for (const { setting = null } of numbers) items.push(yield* readSetting(setting));
  return { total: Math.min(total, mostListed), items, ...(total > mostListed && { isMore: true }) };
}

/** The place of a setting in all lists. */
export interface SettingPlace {
  time: number;
  setting: number;
}

/** Reads the first settings, or the next ones behind a place, the newest first. */
export function* readBehind(place: SettingPlace | undefined, limit: number, filter: SettingFilter) {
  const { columns, from, values } = found(filter, place);
  const rows = yield* run(`SELECT ${columns} ${from} LIMIT ?`, ...values, limit);
  const settings: { place: SettingPlace; setting: Setting }[] = [];
  for (const { time, setting } of rows) {
    const place = { time: Number(time), setting: Number(setting) };
    settings.push({ place, setting: yield* readSetting(place.setting) });
  }
  return settings;
}

/** Reads a request of a setting. */
export function* readRequest(settingID: string, request: number): Steps<Awaited<ReturnType<History["read"]>>> {
  const [lines] = yield* readLines(settingID, request);
  if (lines === undefined) return undefined;
  const { setting, begun, ended } = lines;
  return { setting: yield* readSetting(setting), begun: JSON.parse(begun), ended: ended && JSON.parse(ended) };
}

/** Reads the entries of a request as they were kept, in JSON. */
export function* readLines(settingID: string, request: number) {
  const rows = yield* run(
    `SELECT settings.number AS setting, requests.entry AS begun, ends.entry AS ended
      FROM settings CROSS JOIN requests ON requests.setting = settings.number LEFT JOIN ends ON ends.request = requests.number
      WHERE settings.setting_id = ? AND requests.request = ?`,
    settingID,
    request,
  );
  return rows.map(({ setting = null, begun, ended }) => ({
    setting,
    begun: String(begun),
    ended: ended ? String(ended) : undefined,
  }));
}

function* readSetting(number: Value): Steps<Setting> {
  const [row = {}] = yield* run(
    `SELECT settings.setting, requests, users, asked_users, changed, unknown, outcome FROM settings CROSS JOIN counts ON counts.setting = settings.number
      WHERE settings.number = ? ORDER BY counts.step DESC LIMIT 1`,
    number,
  );
  const { setting, requests, users, asked_users: asked, changed, unknown, outcome } = row;
  return {
    ...JSON.parse(String(setting)),
    requests,
    users: users === 0 ? asked : users,
    changed,
    outcome: (unknown === 0 ? outcome : "unknown") as SettingOutcome,
  };
}

/**
 * The settings that fit, in their order, as SQL that begins with FROM. A condition on a user reads the settings of that
 * user, and looks each of them up; all others read one range of an index.
 */
export function found(filter: SettingFilter, behind?: SettingPlace) {
  const { adminUserID, conversationID, userID, since, until, field } = filter;
  const hasMore = (adminUserID ?? conversationID ?? field) !== undefined;
  const table = userID === undefined ? "listed" : "setting_users";
  const index = ["admin", "conversation"].filter((_, place) => [adminUserID, conversationID][place] !== undefined);
  const source =
    userID === undefined
      ? `listed INDEXED BY listed_by_${index.join("_and_") || "time"}`
      : `setting_users${hasMore ? " CROSS JOIN listed ON listed.setting = setting_users.setting" : ""}`;
  const conditions: [string, Value | undefined][] = [
    ["setting_users.user_id = ?", userID],
    ["listed.field = ?", userID === undefined || hasMore ? (field ?? "") : undefined],
    ["listed.admin_user_id = ?", adminUserID],
    ["listed.conversation_id = ?", conversationID],
    [`${table}.time >= ?`, since],
    [`${table}.time < ?`, until],
  ];
  const given = conditions.filter((condition): condition is [string, Value] => condition[1] !== undefined);
  const texts = given.map(([text]) => text);
  if (behind !== undefined) texts.push(`(${table}.time, ${table}.setting) < (?, ?)`);
  return {
    columns: `${table}.time, ${table}.setting`,
    from: `FROM ${source} WHERE ${texts.join(" AND ")} ORDER BY ${table}.time DESC, ${table}.setting DESC`,
    values: [...given.map(([, value]) => value), ...(behind === undefined ? [] : [behind.time, behind.setting])],
  };
}
