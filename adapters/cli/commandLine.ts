import { Command, CommanderError } from "commander";
import { print, withoutPassword } from "./print.js";

interface LoadedCommand {
  description: string;
  load(): Promise<Command>;
}

/** Only the module of the command that runs is loaded. */
const commands: Readonly<Record<string, LoadedCommand>> = {
  serve: {
    description: "Answer the six operations over HTTP from a database.",
    load: async () => (await import("./serve.js")).serveCommand(),
  },
  token: {
    description: "Print an administrator token.",
    load: async () => (await import("./token.js")).tokenCommand(),
  },
  import: {
    description: "Fill a database from a folder of files.",
    load: async () => (await import("./import.js")).importCommand(),
  },
  follow: {
    description: "Fill a database from OpenIM's MongoDB, and follow its changes.",
    load: async () => (await import("./follow.js")).followCommand(),
  },
  export: {
    description: "Write all rows of a list to standard output.",
    load: async () => (await import("./export.js")).exportCommand(),
  },
  copy: {
    description: "Copy all records of a database file into another database, such as one in PostgreSQL.",
    load: async () => (await import("./copy.js")).copyCommand(),
  },
  check: {
    description: "Check the lists of a database against the rows of its tables.",
    load: async () => (await import("./check.js")).checkCommand(),
  },
  migrate: {
    description: "Make im-admin's schema in PostgreSQL, or bring it to the current version.",
    load: async () => (await import("./migrate.js")).migrateCommand(),
  },
  settle: {
    description: "Settle what was written to a database in PostgreSQL since the last time.",
    load: async () => (await import("./settle.js")).settleCommand(),
  },
  tables: {
    description: "Put the lists over tables of your own, as a map says.",
    load: async () => (await import("./tables.js")).tablesCommand(),
  },
  history: {
    description: "Print the settings of conversations that serve --history has kept, the newest first.",
    load: async () => (await import("./history.js")).historyCommand(),
  },
  openapi: {
    description: "Print the description of the interface over HTTP, in OpenAPI 3.1.",
    load: async () => (await import("./openapi.js")).openApiCommand(),
  },
};

/**
 * Runs the command that the arguments name, and sets the exit status: 0 done, 1 the work failed, 2 wrong usage. A check
 * that could not look at everything sets 3.
 */
export async function runCommandLine(args: readonly string[], version: string): Promise<void> {
  const program = new Command("im-admin")
    .description("The administrator's side of an instant-messaging service, on an SQLite file or PostgreSQL.")
    .version(version)
    .exitOverride()
    .configureHelp({ showGlobalOptions: true, subcommandTerm: (command) => command.name() })
    .configureOutput({ outputError: (text, write) => write(withoutPassword(text.replace(/^error: /, "im-admin: "))) })
    .showHelpAfterError("im-admin --help tells what there is.");
  const [first, second] = args;
  const isHelp = first === "help";
  const named = isHelp ? second : first;
  try {
    for (const [name, { description, load }] of Object.entries(commands)) {
      const command = (name === named ? await load() : new Command()).name(name).description(description);
      command.copyInheritedSettings(program).showHelpAfterError(`im-admin ${name} --help tells what there is.`);
      program.addCommand(command);
    }
    // For help on a command that there is not, commander would print that on all of them.
    const isMisspelt = isHelp && named !== undefined && !Object.hasOwn(commands, named);
    await program.parseAsync(isMisspelt ? [named] : args, { from: "user" });
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
