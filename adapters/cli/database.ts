import type { Command, Option } from "commander";
import type { DatabaseFlags, DatabaseKind } from "./databases/databaseKind.js";
import * as postgres from "./databases/postgres.js";
import * as sqliteFile from "./databases/sqliteFile.js";
import { isMeantAsURL, unreadableURL } from "./databaseURL.js";
import { option } from "./flags.js";

/** Adds the flags that name the database of a command. */
export function addDatabaseFlags(command: Command): Command {
  return command
    .addOption(
      option("--db <database>", "the database file, or the URL of a database in PostgreSQL").default("im-admin.db"),
    )
    .addOption(schemaOption());
}

export function schemaOption(): Option {
  return option("--schema <name>", "the schema of the tables in PostgreSQL, if it is not im_admin");
}

/** Adds the same flags to a command that migrates its database. */
export function addMadeDatabaseFlags(command: Command): Command {
  return addDatabaseFlags(command).addOption(adoptOption());
}

export function adoptOption(): Option {
  return option("--adopt", "add im-admin's tables to a database file that another program has made");
}

/** Returns the kind of database that the flags name. It ends the command if a flag does not fit that kind. */
export function databaseKind(
  { db, flag = "--db", adopt, schema, threads }: DatabaseFlags,
  command: Command,
): DatabaseKind {
  const [, protocol] = /^([a-z][a-z0-9+.-]+):\/\//i.exec(db) ?? [];
  if (protocol === undefined) {
    // It may contain a password. Do not show it as the name of a file.
    if (isMeantAsURL(db)) command.error(`error: ${unreadableURL(flag)}`);
    if (schema !== undefined) command.error("error: --schema is for PostgreSQL: a file has one schema only");
    return sqliteFile;
  }
  if (!/^postgres(ql)?$/i.test(protocol)) {
    command.error(`error: ${flag} must be a file, or a URL that begins with postgres:// or postgresql://`);
  }
  if (threads !== undefined) command.error("error: --threads is for files: PostgreSQL has processes of its own");
  if (adopt) command.error("error: --adopt is for files: in PostgreSQL, the tables have a schema of their own");
  return postgres;
}

/** Ends the command if the flags name a file. */
export function requirePostgres(flags: DatabaseFlags, command: Command): typeof postgres {
  if (databaseKind(flags, command) !== postgres) {
    command.error("error: --db must be a URL that begins with postgres:// or postgresql://: a file needs no such step");
  }
  return postgres;
}

/** Ends the command if no other process or thread could use the database. */
export function requireSharedDatabase({ db }: DatabaseFlags, flag: string, command: Command): void {
  if (db.trim() === ":memory:") {
    command.error(`error: ${flag} is for a database that processes can share: --db must be a file or a URL`);
  }
}
