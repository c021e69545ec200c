import { Command, InvalidArgumentError } from "commander";
import { OperationError } from "../../src/errors.js";
import { addDatabaseFlags, databaseKind } from "./database.js";
import type { DatabaseFlags } from "./databases/databaseKind.js";
import { type ExportedList, exportedLists, type Filters, filterNames } from "./export/lists.js";
import { type Format, formats, writeRows } from "./export/rows.js";
import { linesOption, listOption, option } from "./flags.js";

interface ExportFlags extends DatabaseFlags, Filters {
  list?: string;
  format: Format;
  quoteIds?: boolean;
}

const help = `
The lists, and what each takes:
  members               --group --keyword --filter
  blacks                --user
  groups                --user
  groupRequests         --user --group --handle-result
  notificationAccounts  --keyword --app-manager-level

All rows are of one moment, and others may write meanwhile. If they cannot all
be written, the exit status is 1.`;

export function exportCommand(): Command {
  return addDatabaseFlags(new Command())
    .addOption(option("--list <list>", "which list").choices(Object.keys(exportedLists)))
    .addOption(option("--format <format>", "objects, or a table").choices(Object.keys(formats)).default("ndjson"))
    .addOption(option("--quote-ids", 'in CSV, write an ID such as 0012345 as ="0012345", which no spreadsheet changes'))
    .addOption(linesOption("--group <groupID>", "the group; for groupRequests, one of the groups"))
    .addOption(option("--user <userID>", "the user"))
    .addOption(option("--keyword <text>", "only rows with this text in userID or nickname"))
    .addOption(
      option(
        "--filter <number>",
        "0 all members, 1 the owner, 2 administrators, 3 ordinary members, 4 all but the owner, 5 owner and administrators",
      ).choices(["0", "1", "2", "3", "4", "5"]),
    )
    .addOption(
      listOption("--handle-result <number>", "only requests that are pending (0), accepted (1) or refused (-1)", check),
    )
    .addOption(option("--app-manager-level <number>", "only accounts with this level").choices(["3", "4"]))
    .addHelpText("after", help)
    .action(run);
}

function check(handleResult: string): void {
  if (!["0", "1", "-1"].includes(handleResult)) throw new InvalidArgumentError("It must be 0, 1 or -1.");
}

async function run(flags: ExportFlags, command: Command): Promise<void> {
  const { list: name = "" } = flags;
  const list = exportedLists[name];
  if (list === undefined) command.error("error: a list is needed: --list or IM_ADMIN_LIST");
  requireFitting(name, list, flags, command);
  const { format, quoteIds: quotesIDs = false } = flags;
  if (quotesIDs && format !== "csv") command.error("error: --quote-ids is for --format csv");
  const database = await databaseKind(flags, command).openToExport(flags);
  try {
    await writeRows(name, list, database.store, flags, { format, quotesIDs });
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    if (error.errMsg === "ArgsError") command.error(`error: ${error.what}`);
    throw new Error(`${database.name} has no ${list.needs} ${list.needs && flags[list.needs]}`, { cause: error });
  } finally {
    await database.close();
  }
}

/** Ends the command if the list lacks a flag, or has one that it does not take. */
function requireFitting(name: string, { needs, takes }: ExportedList, flags: Filters, command: Command): void {
  if (needs !== undefined && flags[needs] === undefined) command.error(`error: --list ${name} needs --${needs}`);
  const stray = filterNames.find((flag) => flags[flag] !== undefined && flag !== needs && !takes.includes(flag));
  if (stray !== undefined) {
    const written = stray.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    command.error(`error: --list ${name} does not take --${written}`);
  }
  if (needs === "group" && flags.group?.[1] !== undefined)
    command.error(`error: --list ${name} takes one --group only`);
}
