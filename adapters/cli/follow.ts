import { Command } from "commander";
import type { FollowProgress } from "../../src/openim/index.js";
import { addMadeDatabaseFlags, databaseKind, requireSharedDatabase } from "./database.js";
import type { DatabaseFlags } from "./databases/databaseKind.js";
import * as sqliteFile from "./databases/sqliteFile.js";
import { option, parseSeconds } from "./flags.js";
import { followInto } from "./follow/followInto.js";
import { teller } from "./follow/tell.js";
import { print } from "./print.js";
import { type ProgressBar, progressBar } from "./progress.js";
import { grouped, type ReportFlags, report, reportOption } from "./report.js";

interface FollowFlags extends DatabaseFlags, ReportFlags {
  from?: string;
  yes?: boolean;
  try?: string;
  for: number;
}

const help = `
It makes a whole copy of OpenIM's records, and then makes each change that
OpenIM makes, until SIGINT or SIGTERM ends it. The next start goes on from
there. MongoDB must be a replica set, and its user needs the role read. If a
copy lacks more than a fifth of the records that are there, and more than 10,
nothing is written without --yes. Give the URL in IM_ADMIN_FROM: other users of
the machine can see command lines.

With --try, nothing else is done: it tells whether a MongoDB is fit. It writes
random documents to the database im_admin_try there, where its user needs the
role readWrite, follows them into a temporary file, kills the process that
follows again and again, and compares all lists with those of whole copies. Then
it drops what it wrote.`;

export function followCommand(): Command {
  return addMadeDatabaseFlags(new Command())
    .addOption(option("--from <url>", "OpenIM's database in MongoDB, such as mongodb://user@host:27017/openim_v3"))
    .addOption(option("--yes", "let a copy remove any number of records"))
    .addOption(option("--try <url>", "try a MongoDB in a database of its own, which is dropped again"))
    .addOption(option("--for <duration>", "how long to try it").default(120, "2m").argParser(parseSeconds))
    .addOption(reportOption())
    .addHelpText("after", help)
    .action(run);
}

async function run(flags: FollowFlags, command: Command): Promise<void> {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once("SIGINT", stop).once("SIGTERM", stop);
  try {
    await (flags.try ? runTrial(flags.try, flags, stopping.signal) : follow(flags, command, stopping.signal));
  } finally {
    process.off("SIGINT", stop).off("SIGTERM", stop);
  }
}

async function runTrial(url: string, flags: FollowFlags, signal: AbortSignal): Promise<void> {
  const [{ tryFollowing }, { printTrial, reportOf }] = await Promise.all([
    import("./follow/trial/trial.js"),
    import("./follow/trial/report.js"),
  ]);
  print(`trying it for ${grouped(flags.for)} seconds in the database im_admin_try, which is dropped again`);
  const tried = reportOf(await tryFollowing(sqliteFile, url, flags.for, signal));
  printTrial(tried);
  report(flags, tried);
  if (tried.different.length > 0) throw new Error("some lists differ: report it, with what was printed");
}

async function follow(
  { from, yes = false, json = false, try: _try, for: _for, ...flags }: FollowFlags,
  command: Command,
  signal: AbortSignal,
): Promise<void> {
  if (!from) command.error("error: the URL of OpenIM's MongoDB is needed: --from or IM_ADMIN_FROM");
  requireSharedDatabase(flags, "follow", command);
  const kind = databaseKind(flags, command);
  const tell = teller();
  let last: FollowProgress | undefined;
  let bar: ProgressBar | undefined;
  try {
    await followInto(kind, { url: from, flag: "--from", database: flags, yes }, signal, (progress) => {
      last = progress;
      bar = shown(bar, progress);
      for (const { text, isWarning } of tell(progress)) print(isWarning ? `warning: ${text}` : text);
    });
  } finally {
    bar?.stop();
  }
  const { copies = 0, changes = 0, mended = 0, leftOut = 0, passedOver = 0 } = last ?? {};
  print(`${grouped(copies)} copies and ${grouped(changes)} changes were made`);
  report({ json }, { copies, changes, mended, leftOut, passedOver });
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
