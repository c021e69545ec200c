import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Command } from "commander";
import { recordNames } from "../../src/records.js";
import { defineTables, type TableMap } from "../../src/stores/tablesSql.js";
import { type Answers, answersOf } from "./answers.js";
import { describe, isWrong, problems } from "./check.js";
import { addDatabaseFlags, databaseKind } from "./database.js";
import type { DatabaseFlags, InstalledTables, MapFlags, MappedTables } from "./databases/databaseKind.js";
import * as postgres from "./databases/postgres.js";
import { listOption, option } from "./flags.js";
import { print } from "./print.js";
import { type ReportFlags, report, reportOption } from "./report.js";

interface TablesFlags extends DatabaseFlags, MapFlags, ReportFlags {
  map?: string;
  print?: boolean;
  remove?: boolean;
  all?: boolean;
}

const help = `
The file is a module whose default export is the map, or JSON. Your rows stay
where they are. Run it again when the map has changed, or partitions were added.
Without --map and --remove, it tells what is installed.

Exit status:
  0  all is right
  1  it failed, or lists could be wrong
  2  wrong usage`;

export function tablesCommand(): Command {
  return addDatabaseFlags(new Command())
    .addOption(option("--map <file>", "the map of your tables"))
    .addOption(option("--print", "print the SQL instead, for migrations of your own"))
    .addOption(option("--remove", "remove the map"))
    .addOption(option("--all", "let --remove remove everything that im-admin has made"))
    .addOption(listOption("--trust-owner <role>", "a role of PostgreSQL that owns tables of the map, if you do not"))
    .addOption(reportOption())
    .addHelpText("after", help)
    .action(run);
}

async function run(flags: TablesFlags, command: Command): Promise<void> {
  const kind = databaseKind(flags, command);
  requireFitting(flags, command);
  if (flags.trustOwner !== undefined && kind !== postgres) {
    command.error("error: --trust-owner is for PostgreSQL: tables of a file have no owners");
  }
  const map = flags.map === undefined ? undefined : await readMap(flags.map);
  if (flags.print && map !== undefined) {
    const { install, build, remove } = await kind.mapText(flags, map, flags);
    const whole = flags.remove ? remove : install;
    // D1 refuses BEGIN: each file of migrations is a transaction there. In PostgreSQL, settings last until COMMIT.
    const parts = kind === postgres ? ["BEGIN;", ...whole, "COMMIT;", ...(flags.remove ? [] : build)] : whole;
    process.stdout.write(`${parts.join("\n\n")}\n`);
  } else if (flags.remove && flags.all) {
    const { name } = await kind.removeTables(flags);
    print(`${name}: nothing of im-admin is left`);
    report(flags, { database: name, findings: [] });
  } else if (map === undefined && !flags.remove) {
    tell(flags, await kind.installedTables(flags));
  } else {
    end(flags, await kind.mapTables(flags, flags.remove ? undefined : map, flags), flags.remove ? {} : map);
  }
}

function requireFitting({ map, print: isPrinted, remove, all }: TablesFlags, command: Command): void {
  if (map === undefined && isPrinted) command.error("error: --map must name the file of the map");
  if (all && (!remove || isPrinted)) command.error("error: --all is for --remove, without --print");
}

/** Tells what is installed. */
function tell(flags: ReportFlags, { name, isThere, map }: InstalledTables): void {
  const kinds = recordNames.filter((record) => map?.[record] !== undefined).join(", ");
  if (!isThere) print(`${name}: nothing of im-admin is installed`);
  else print(`${name}: ${map === undefined ? "no map is installed" : `the installed map has ${kinds}`}`);
  report(flags, { database: name, findings: [], ...(isThere && { map, answers: answers(map) }) });
}

/** Reports an installation or a removal, and fails if lists could be wrong. */
function end(flags: TablesFlags, { name, findings }: MappedTables, map: TableMap = {}): void {
  for (const finding of findings) print(describe(finding));
  print(`${name}: ${flags.remove ? "the tables are your own again" : "the lists are over your tables"}`);
  report(flags, { database: name, findings, answers: answers(map) });
  if (findings.some(isWrong)) throw new Error(`${name}: ${problems(findings)}: lists could be wrong`);
}

/** Prints what each function answers, and returns it. */
function answers(map: TableMap = {}): Answers {
  const told = answersOf(map);
  for (const [name, answer] of Object.entries(told)) print(`  ${name}: ${answer}`);
  return told;
}

async function readMap(file: string): Promise<TableMap> {
  if (!existsSync(file)) throw new Error(`${file}: there is no such file`);
  try {
    const map: unknown = file.endsWith(".json")
      ? JSON.parse(await readFile(file, "utf8"))
      : ((await import(pathToFileURL(resolve(file)).href)) as { default?: unknown }).default;
    return defineTables(map as TableMap);
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
