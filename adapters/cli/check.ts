import { existsSync } from "node:fs";
import { Command } from "commander";
import { fullPath, requireReadable, requireWritable } from "../../src/stores/drivers/databaseFile.js";
import { hasContent } from "../../src/stores/drivers/fileGuard.js";
import type { SqlDatabase } from "../../src/stores/sqlite/database.js";
import { failure } from "../../src/stores/sqlite/finding.js";
import { defaultSizes } from "../../src/stores/sqlite/nodes/tables.js";
import { checkLists, type Finding } from "../../src/stores/sqlite/upkeep/checkAll.js";
import { repairLists } from "../../src/stores/sqlite/upkeep/repair.js";
import { ForeignFile, openAnyFile } from "./checkedFile.js";
import { loadEngine } from "./database.js";
import { databaseOption, option } from "./flags.js";
import { print } from "./print.js";
import { stepBar } from "./progress.js";

interface CheckFlags {
  db: string;
  repair?: boolean;
}

type Open = (path: string, mode: "read" | "repair") => SqlDatabase;

const help = `
Without --repair nothing is written, and others may read and write the database meanwhile.

Exit status:
  0  all is right, or has been repaired
  1  something is wrong
  2  wrong usage
  3  nothing wrong was found, but something could not be checked`;

export function checkCommand(): Command {
  return new Command("check")
    .description("Verify that all that a database keeps for its lists agrees with the rows of its tables.")
    .addOption(databaseOption())
    .addOption(option("--repair", "build anew what is kept, where something is wrong"))
    .addHelpText("after", help)
    .action(run);
}

async function run({ db, repair }: CheckFlags): Promise<void> {
  requireFile(db);
  const engine = await loadEngine();
  const open: Open = (path, mode) => openAnyFile(engine, path, mode);
  const found = await check(open, db);
  if (!found.some(isWrong)) return end(db, found, "all lists agree with the rows");
  if (found.some(({ kind }) => kind === "unmendable")) {
    throw new Error(`${db}: ${problems(found)}; --repair cannot mend all of them: do first what is said above`);
  }
  if (!repair) throw new Error(`${db}: ${problems(found)}; --repair builds the lists anew from the rows`);
  try {
    requireWritable(fullPath(db));
    await withDatabase(open(db, "repair"), (database) => repairLists(database, defaultSizes, stepBar("repairing")));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${db}: the lists could not be repaired: ${reason}`, { cause: error });
  }
  const left = await check(open, db);
  if (left.some(isWrong)) throw new Error(`${db}: the lists could not be repaired`);
  end(db, left, "the lists have been built anew and agree with the rows");
}

function requireFile(db: string): void {
  if (!existsSync(db)) throw new Error(`there is no database ${db}`);
  try {
    requireReadable(fullPath(db));
  } catch (error) {
    throw new Error(`cannot check the database ${db}: ${(error as Error).message}`, { cause: error });
  }
  if (!hasContent(db)) throw new Error(`${db} is empty: it is no database of im-admin`);
}

async function check(open: Open, path: string): Promise<Finding[]> {
  let findings: Finding[];
  try {
    findings = await withDatabase(open(path, "read"), (database) =>
      checkLists(database, defaultSizes, stepBar("checking")),
    );
  } catch (error) {
    if (error instanceof ForeignFile) throw new Error(`cannot check ${path}: ${error.message}`, { cause: error });
    findings = [failure("the database", error)];
  }
  for (const finding of findings) print(describe(finding));
  return findings;
}

function end(db: string, unchecked: readonly Finding[], sentence: string): void {
  const isAll = unchecked.length === 0;
  print(`${db}: ${isAll ? sentence : "nothing wrong was found, but not everything could be checked"}`);
  if (!isAll) process.exitCode = 3;
}

function isWrong({ kind }: Finding): boolean {
  return kind !== "unchecked";
}

function problems(findings: readonly Finding[]): string {
  const count = findings.filter(isWrong).length;
  return `${count} ${count === 1 ? "problem" : "problems"}`;
}

function describe({ kind, problem, count, example, advice }: Finding): string {
  if (kind === "unchecked") return `could not be checked: ${problem}`;
  const examples = example === undefined ? "" : ` (${count}, such as ${example})`;
  return `${problem}${examples}${advice === undefined ? "" : `: ${advice}`}`;
}

async function withDatabase<Result>(
  database: SqlDatabase,
  use: (database: SqlDatabase) => Promise<Result>,
): Promise<Result> {
  try {
    return await use(database);
  } finally {
    await database.close();
  }
}
