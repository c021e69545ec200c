import { Command } from "commander";
import type { Finding } from "../../src/stores/finding.js";
import { addDatabaseFlags, databaseKind } from "./database.js";
import type { CheckedDatabase, DatabaseFlags } from "./databases/databaseKind.js";
import { option } from "./flags.js";
import { print } from "./print.js";
import { stepBar } from "./progress.js";
import { grouped, type ReportFlags, report, reportOption } from "./report.js";
import { shortened } from "./shortened.js";

interface CheckFlags extends DatabaseFlags, ReportFlags {
  repair?: boolean;
}

const help = `
Changes that wait are settled first. Without --repair nothing else is written,
and others may read and write the database meanwhile.

Exit status:
  0  all is right, or has been repaired
  1  something is wrong
  2  wrong usage
  3  nothing wrong was found, but something could not be checked`;

export function checkCommand(): Command {
  return addDatabaseFlags(new Command())
    .addOption(option("--repair", "build the lists anew from the rows if something is wrong"))
    .addOption(reportOption())
    .addHelpText("after", help)
    .action(run);
}

async function run(flags: CheckFlags, command: Command): Promise<void> {
  const database = await databaseKind(flags, command).openToCheck(flags);
  const done: Done = { database: database.name, isRepaired: false, findings: [] };
  try {
    await checkAndRepair(database, flags.repair ?? false, done);
  } finally {
    await database.close();
    report(flags, done);
  }
}

/** The result of a check. */
interface Done {
  database: string;
  isRepaired: boolean;
  /** The findings at the end, after any repair. */
  findings: readonly Finding[];
}

async function checkAndRepair(database: CheckedDatabase, mayRepair: boolean, done: Done): Promise<void> {
  const { name } = database;
  const found = await check(database);
  done.findings = found;
  if (!found.some(isWrong)) return end(name, found, "all lists agree with the rows");
  if (found.some(({ kind }) => kind === "unmendable")) {
    throw new Error(`${name}: ${problems(found)}; --repair cannot mend all of them: do first what is said above`);
  }
  if (!mayRepair) throw new Error(`${name}: ${problems(found)}; --repair builds the lists anew from the rows`);
  try {
    await database.repair(stepBar("repairing"));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${name}: the lists could not be repaired: ${reason}`, { cause: error });
  }
  const left = await check(database);
  done.findings = left;
  done.isRepaired = !left.some(isWrong);
  if (left.some(isWrong)) throw new Error(`${name}: the lists could not be repaired`);
  end(name, left, "the lists have been built anew and agree with the rows");
}

async function check(database: CheckedDatabase): Promise<Finding[]> {
  const findings = await database.check(stepBar("checking"));
  for (const finding of findings) print(describe(finding));
  return findings;
}

function end(name: string, found: readonly Finding[], sentence: string): void {
  const isAll = !found.some(({ kind }) => kind === "unchecked");
  print(`${name}: ${isAll ? sentence : "nothing wrong was found, but not everything could be checked"}`);
  if (!isAll) process.exitCode = 3;
}

export function isWrong({ kind }: Finding): boolean {
  return kind === "wrong" || kind === "unmendable";
}

export function problems(findings: readonly Finding[]): string {
  const count = findings.filter(isWrong).length;
  return `${count} ${count === 1 ? "problem" : "problems"}`;
}

export function describe({ kind, problem, count, examples, advice }: Finding): string {
  if (kind === "unchecked") return `could not be checked: ${problem}`;
  const named = examples?.map((example) => shortened(example)).join(", ");
  const told = named === undefined ? "" : ` (${grouped(count)}, such as ${named})`;
  return `${problem}${told}${advice === undefined ? "" : `: ${advice}`}`;
}
