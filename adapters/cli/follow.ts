import { Command } from "commander";
import type { FollowProgress } from "../../src/openim/index.js";
import { addMadeDatabaseFlags, databaseKind, requireSharedDatabase } from "./database.js";
import type { DatabaseFlags } from "./databases/databaseKind.js";
import { option } from "./flags.js";
import { followInto } from "./follow/followInto.js";
import { teller } from "./follow/tell.js";
import { print } from "./print.js";
import { type ProgressBar, progressBar } from "./progress.js";
import { grouped, type ReportFlags, report, reportOption } from "./report.js";

interface FollowFlags extends DatabaseFlags, ReportFlags {
  from?: string;
  yes?: boolean;
}

const help = `
It makes a whole copy of OpenIM's records, and then makes each change that
OpenIM makes, until SIGINT or SIGTERM ends it. The next start goes on from
there. MongoDB must be a replica set, and its user needs the role read. If a
copy lacks more than a fifth of the records that are there, and more than 10,
nothing is written without --yes. Give the URL in IM_ADMIN_FROM: other users of
the machine can see command lines.`;

export function followCommand(): Command {
  return addMadeDatabaseFlags(new Command())
    .addOption(option("--from <url>", "OpenIM's database in MongoDB, such as mongodb://user@host:27017/openim_v3"))
    .addOption(option("--yes", "let a copy remove any number of records"))
    .addOption(reportOption())
    .addHelpText("after", help)
    .action(run);
}

async function run({ from, yes = false, json = false, ...flags }: FollowFlags, command: Command): Promise<void> {
  if (!from) command.error("error: the URL of OpenIM's MongoDB is needed: --from or IM_ADMIN_FROM");
  requireSharedDatabase(flags, "follow", command);
  const kind = databaseKind(flags, command);
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once("SIGINT", stop).once("SIGTERM", stop);
  const tell = teller();
  let last: FollowProgress | undefined;
  let bar: ProgressBar | undefined;
  try {
    await followInto(kind, { url: from, flag: "--from", database: flags, yes }, stopping.signal, (progress) => {
      last = progress;
      bar = shown(bar, progress);
      for (const { text, isWarning } of tell(progress)) print(isWarning ? `warning: ${text}` : text);
    });
  } finally {
    bar?.stop();
    process.off("SIGINT", stop).off("SIGTERM", stop);
  }
  const { copies = 0, changes = 0, mended = 0, leftOut = 0 } = last ?? {};
  print(`${grouped(copies)} copies and ${grouped(changes)} changes were made`);
  report({ json }, { copies, changes, mended, leftOut });
}

/** Shows how much of a copy is done. The bar goes when lines are written. */
function shown(bar: ProgressBar | undefined, progress: FollowProgress): ProgressBar | undefined {
  const { isCopying, copied, toCopy } = progress;
  if (!isCopying || toCopy === 0) {
    bar?.stop();
    return undefined;
  }
  if (bar !== undefined) {
    bar.update(copied);
    return bar;
  }
  const made = progressBar("copying");
  made.start(toCopy, copied);
  return made;
}
