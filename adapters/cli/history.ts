import { once } from "node:events";
import { Command, InvalidArgumentError, Option } from "commander";
import { settableFields } from "../../src/records.js";
import type { Setting, SettingBegun, SettingEnded, SettingFilter } from "../history/history.js";
import { type HistoryDatabase, openHistoryDatabase } from "../history/historyDatabase.js";
import { readRequest, readSettings } from "../history/readSettings.js";
import { option } from "./flags.js";
import { grouped } from "./report.js";

interface HistoryFlags {
  history?: string;
  setting?: string;
  conversation?: string;
  user?: string;
  admin?: string;
  since?: number;
  until?: number;
  field?: NonNullable<SettingFilter["field"]>;
  format: "text" | "ndjson";
  json?: boolean;
}

const help = `
It prints a line for each setting, the newest first: when, who, which
conversation, the fields, the users, the outcome and the settingID. Long texts
are cut off. With --setting or --format ndjson, all is there.`;

const filterFlags = ["conversation", "user", "admin", "since", "until", "field"];

export function historyCommand(): Command {
  const setting = option("--setting <settingID>", "print one setting, with what each changed user had before");
  return new Command()
    .addOption(option("--history <file>", "the file that serve keeps"))
    .addOption(setting.conflicts(filterFlags))
    .addOption(filter("--conversation <conversationID>", "only settings of this conversation", nonEmpty))
    .addOption(filter("--user <userID>", "only settings for this user", nonEmpty))
    .addOption(filter("--admin <userID>", "only settings by this administrator", nonEmpty))
    .addOption(filter("--since <time>", "only from this day (in UTC) or time on", parseTime))
    .addOption(filter("--until <time>", "only before this day or time", parseTime))
    .addOption(
      new Option("--field <name>", "only settings of this field").choices(settableFields.map(([field]) => field)),
    )
    .addOption(
      option("--format <format>", "for people, or all that was kept, for programs")
        .choices(["text", "ndjson"])
        .default("text"),
    )
    .addOption(option("--json", "print a JSON object in each line").conflicts("format"))
    .addHelpText("after", help)
    .action(run);
}

/** An option that is no environment variable: IM_ADMIN_ADMIN is for serve. */
function filter<Value>(flags: string, description: string, parse: (value: string) => Value): Option {
  return new Option(flags, description).argParser(parse);
}

function nonEmpty(value: string): string {
  if (value === "") throw new InvalidArgumentError("It must not be empty.");
  return value;
}

function parseTime(value: string): number {
  const isWhole = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(value);
  const time = isWhole ? Date.parse(value) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new InvalidArgumentError("It must be a day such as 2026-05-01, or a time such as 2026-05-01T10:00Z.");
}

async function run(flags: HistoryFlags, command: Command): Promise<void> {
  const { history: file, setting } = flags;
  if (!file) command.error("error: a file is needed: --history or IM_ADMIN_HISTORY");
  const history = await openHistoryDatabase(file, "read");
  try {
    const count = await writeLines(linesOf(history, flags));
    if (setting !== undefined && count === 0) throw new Error(`${file} has no setting ${setting}`);
  } finally {
    history.close();
  }
}

async function* linesOf(history: HistoryDatabase, flags: HistoryFlags): AsyncGenerator<string> {
  const { setting: settingID, format, json = false } = flags;
  if (format === "ndjson") {
    const settings = settingID === undefined ? settingsIn(history, flags) : [{ settingID }];
    for await (const { settingID } of settings) yield* entries(history, settingID);
  } else if (settingID !== undefined) yield* requests(history, settingID, json);
  else for await (const setting of settingsIn(history, flags)) yield json ? JSON.stringify(setting) : lineOf(setting);
}

/** How many settings are in memory at a time. */
const atATime = 100;

/** Reads from one to the next: others may append meanwhile, which would move pages. */
async function* settingsIn(history: HistoryDatabase, flags: HistoryFlags): AsyncGenerator<Setting> {
  const { admin: adminUserID, conversation: conversationID, user: userID, since, until, field } = flags;
  const filter = { adminUserID, conversationID, userID, since, until, field };
  for (let last: string | undefined; ; ) {
    const settings = await history.read(readSettings(filter, atATime, 0, last));
    yield* settings;
    last = settings.at(-1)?.settingID;
    if (settings.length < atATime) return;
  }
}

/** The entries of a setting, as they were kept. */
async function* entries(history: HistoryDatabase, settingID: string): AsyncGenerator<string> {
  for (let request = 0; ; request += 1) {
    const found = await history.read(readRequest(settingID, request));
    if (found === undefined) return;
    yield found.begun;
    if (found.ended !== undefined) yield found.ended;
  }
}

/** Writes lines, and returns their number. It ends early if nobody reads them any more. */
async function writeLines(lines: AsyncIterable<string>): Promise<number> {
  const { stdout } = process;
  let count = 0;
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  stdout.on("error", end);
  try {
    for await (const line of lines) {
      count += 1;
      if (!stdout.write(`${line}\n`)) await once(stdout, "drain").catch(end);
      if (isOver) break;
    }
  } finally {
    stdout.off("error", end);
  }
  return count;
}

function lineOf({ time, adminUserID, conversationID, fields, users, changed, outcome, setsBack, settingID }: Setting) {
  const what = setsBack === undefined ? JSON.stringify(fields) : `sets back ${setsBack}`;
  const counts = `${grouped(users)} users, ${grouped(changed)} changed`;
  return withoutControls([timeOf(time), adminUserID, conversationID, what, counts, outcome, settingID].join("  "));
}

async function* requests(history: HistoryDatabase, settingID: string, json: boolean): AsyncGenerator<string> {
  for (let request = 0; ; request += 1) {
    const found = await history.read(readRequest(settingID, request));
    if (found === undefined) return;
    const begun: SettingBegun = JSON.parse(found.begun);
    const ended: SettingEnded | undefined = found.ended && JSON.parse(found.ended);
    if (json) {
      const { entry: _, requestID: _id, ...asked } = begun;
      const { outcome = "unknown", errCode = null, changed = null, before = null } = ended ?? {};
      yield JSON.stringify({ settingID, request, ...asked, outcome, errCode, changed, before });
    } else {
      const { time, adminUserID, conversationID, fields, userIDs } = begun;
      const what = [
        timeOf(time),
        adminUserID,
        conversationID,
        JSON.stringify(fields),
        `${grouped(userIDs.length)} users`,
      ];
      yield withoutControls([...what, ended?.outcome ?? "unknown"].join("  "));
      yield* valuesBefore(ended);
    }
  }
}

function* valuesBefore(ended: SettingEnded | undefined): Generator<string> {
  for (const { fields, userIDs } of ended?.before ?? []) {
    yield withoutControls(`  before, ${JSON.stringify(fields)}: ${userIDs.join(", ")}`);
  }
}

function timeOf(time: number): string {
  return new Date(time).toISOString();
}

/** Terminals obey control characters, which an ID of another server may have. */
function withoutControls(line: string): string {
  return line.replace(/\p{Cc}/gu, "\ufffd");
}
