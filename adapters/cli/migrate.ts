import { Command } from "commander";
import { addDatabaseFlags, requirePostgres } from "./database.js";
import type { DatabaseFlags } from "./databases/databaseKind.js";
import { option } from "./flags.js";
import { print } from "./print.js";

interface MigrateFlags extends DatabaseFlags {
  print?: boolean;
  check?: boolean;
}

export function migrateCommand(): Command {
  return addDatabaseFlags(new Command())
    .addOption(option("--print", "print the SQL instead, for migrations of your own"))
    .addOption(option("--check", "change nothing; the exit status is 1 if a migration is needed").conflicts("print"))
    .action(run);
}

async function run(flags: MigrateFlags, command: Command): Promise<void> {
  const postgres = requirePostgres(flags, command);
  if (flags.print) {
    process.stdout.write(await postgres.migrationText(flags));
    return;
  }
  const { name, reason } = await postgres.migrate(flags, flags.check ?? false);
  if (reason === undefined) print(`${name}: the schema has the current version`);
  else if (flags.check) throw new Error(`${name}: ${reason}: im-admin migrate`);
  else print(`${name}: migrated`);
}
