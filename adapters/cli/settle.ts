import { Command } from "commander";
import { addDatabaseFlags, requirePostgres } from "./database.js";
import type { DatabaseFlags } from "./databases/databaseKind.js";
import { print } from "./print.js";
import { type ReportFlags, report, reportOption } from "./report.js";

const help = `
A server that runs settles by itself. Without one, run this every minute or so:
lists are right without it, and become slower the more is written.`;

export function settleCommand(): Command {
  return addDatabaseFlags(new Command()).addOption(reportOption()).addHelpText("after", help).action(run);
}

async function run(flags: DatabaseFlags & ReportFlags, command: Command): Promise<void> {
  const { name, isDone } = await requirePostgres(flags, command).settle(flags);
  print(`${name}: ${isDone ? "all changes are settled" : "somebody else settles changes, or has locked a table"}`);
  report(flags, { database: name, isDone });
}
