import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Command } from "commander";
import { defineTables, type TableMap } from "../../src/tables/index.js";
import { describe } from "./check.js";
import { addDatabaseFlags, databaseKind } from "./database.js";
import type { DatabaseFlags, MapFlags } from "./databases/databaseKind.js";
import * as postgres from "./databases/postgres.js";
import { listOption, option } from "./flags.js";
import { print } from "./print.js";
import { type ReportFlags, report, reportOption } from "./report.js";

interface TablesFlags extends DatabaseFlags, MapFlags, ReportFlags {
  map?: string;
  print?: boolean;
  remove?: boolean;
}

const help = `
The file is a module whose default export is the map, or JSON. Your rows stay
where they are. Run it again when the map has changed, or partitions were added.`;

export function tablesCommand(): Command {
  return addDatabaseFlags(new Command())
    .addOption(option("--map <file>", "the map of your tables"))
    .addOption(option("--print", "print the SQL instead, for migrations of your own"))
    .addOption(option("--remove", "remove the map"))
    .addOption(listOption("--trust-owner <role>", "a role of PostgreSQL that owns tables of the map, if you do not"))
    .addOption(reportOption())
    .addHelpText("after", help)
    .action(run);
}

async function run(flags: TablesFlags, command: Command): Promise<void> {
  const kind = databaseKind(flags, command);
  if (flags.map === undefined && (flags.print || !flags.remove)) {
    command.error("error: --map must name the file of the map");
  }
  if (flags.trustOwner !== undefined && kind !== postgres) {
    command.error("error: --trust-owner is for PostgreSQL: tables of a file have no owners");
  }
  const map = flags.map === undefined ? undefined : await readMap(flags.map);
  if (flags.print && map !== undefined) {
    const { install, build, remove } = await kind.mapText(flags, map, flags);
    const parts = flags.remove ? ["BEGIN;", ...remove, "COMMIT;"] : ["BEGIN;", ...install, "COMMIT;", ...build];
    process.stdout.write(`${parts.join("\n\n")}\n`);
    return;
  }
  const { name, findings } = await kind.mapTables(flags, flags.remove ? undefined : map, flags);
  for (const finding of findings) print(describe(finding));
  print(`${name}: ${flags.remove ? "the tables are your own again" : "the lists are over your tables"}`);
  report(flags, { database: name, findings });
}

async function readMap(file: string): Promise<TableMap> {
  try {
    const map: unknown = file.endsWith(".json")
      ? JSON.parse(await readFile(file, "utf8"))
      : ((await import(pathToFileURL(resolve(file)).href)) as { default?: unknown }).default;
    return defineTables(map as TableMap);
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
