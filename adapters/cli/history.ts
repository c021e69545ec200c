import { once } from "node:events";
import { Command } from "commander";
import type { Setting, SettingEnded } from "../history/history.js";
import { HistoryReader } from "../history/historyReader.js";
import { partNumbers } from "../history/parts.js";
import { option } from "./flags.js";
import { reasonOf } from "./reason.js";
import { grouped } from "./report.js";

interface HistoryFlags {
  history?: string;
  setting?: string;
  json?: boolean;
}

const help = `
Without --setting, it prints a line for each setting: when, who, which
conversation, the fields, the users, the outcome and the settingID.`;

export function historyCommand(): Command {
  return new Command()
    .addOption(option("--history <file>", "the file that serve keeps"))
    .addOption(option("--setting <settingID>", "print one setting, with what each changed user had before"))
    .addOption(option("--json", "print a JSON object in each line"))
    .addHelpText("after", help)
    .action(run);
}

async function run({ history, setting, json = false }: HistoryFlags, command: Command): Promise<void> {
  if (!history) command.error("error: a file is needed: --history or IM_ADMIN_HISTORY");
  const reader = new HistoryReader(history);
  try {
    if ((await partNumbers(history)).length === 0) throw Object.assign(new Error(), { code: "ENOENT" });
    await reader.list({ offset: 0, limit: 1 });
  } catch (error) {
    throw new Error(`cannot read the history ${history}: ${reasonOf(error)}`, { cause: error });
  }
  const lines = setting === undefined ? settings(reader, json) : requests(reader, setting, json);
  const count = await writeLines(lines);
  if (setting !== undefined && count === 0) throw new Error(`${history} has no setting ${setting}`);
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

async function* settings(reader: HistoryReader, json: boolean): AsyncGenerator<string> {
  // All at once: others may append meanwhile, which would move pages.
  const { items } = await reader.list({ offset: 0, limit: Number.MAX_SAFE_INTEGER });
  for (const setting of items) yield json ? JSON.stringify(setting) : lineOf(setting);
}

function lineOf({ time, adminUserID, conversationID, fields, users, changed, outcome, setsBack, settingID }: Setting) {
  const what = setsBack === undefined ? JSON.stringify(fields) : `sets back ${setsBack}`;
  const counts = `${grouped(users)} users, ${grouped(changed)} changed`;
  return withoutControls([timeOf(time), adminUserID, conversationID, what, counts, outcome, settingID].join("  "));
}

async function* requests(reader: HistoryReader, settingID: string, json: boolean): AsyncGenerator<string> {
  for (let request = 0; ; request += 1) {
    const found = await reader.read(settingID, request);
    if (found === undefined) return;
    const { begun, ended } = found;
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
