import { Command, CommanderError } from "commander";
import { checkCommand } from "./check.js";
import { copyCommand } from "./copy.js";
import { exportCommand } from "./export.js";
import { importCommand } from "./import.js";
import { migrateCommand } from "./migrate.js";
import { openApiCommand } from "./openapi.js";
import { print, withoutPassword } from "./print.js";
import { serveCommand } from "./serve.js";
import { settleCommand } from "./settle.js";
import { tablesCommand } from "./tables.js";
import { tokenCommand } from "./token.js";

/**
 * Runs the command that the arguments name, and sets the exit status: 0 done, 1 the work failed, 2 wrong usage. A check
 * that could not look at everything sets 3.
 */
export async function runCommandLine(args: readonly string[], version: string): Promise<void> {
  const program = new Command("im-admin")
    .description("The administrator's side of an instant-messaging service, on an SQLite file or PostgreSQL.")
    .version(version)
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ outputError: (text, write) => write(withoutPassword(text.replace(/^error: /, "im-admin: "))) })
    .showHelpAfterError("im-admin --help tells what there is.");
  const commands = [
    serveCommand(),
    tokenCommand(),
    importCommand(),
    exportCommand(),
    copyCommand(),
    checkCommand(),
    migrateCommand(),
    settleCommand(),
    tablesCommand(),
    openApiCommand(),
  ];
  for (const command of commands) {
    command.copyInheritedSettings(program).showHelpAfterError(`im-admin ${command.name()} --help tells what there is.`);
    program.addCommand(command);
  }
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
    else fail(error);
  }
}

/** Prints the error, and sets the exit status to 1. */
export function fail(error: unknown): void {
  print(`im-admin: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
