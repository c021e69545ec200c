#!/usr/bin/env node
import { Command, CommanderError } from "commander";
import packageJson from "../../package.json" with { type: "json" };
import { importCommand } from "./import.js";
import { serveCommand } from "./serve.js";
import { tokenCommand } from "./token.js";

/** 0 done, 1 the work failed, 2 wrong usage. */
async function main(): Promise<number> {
  const program = new Command("im-admin")
    .description("The administrator's side of an instant-messaging service, on an SQLite file.")
    .version(packageJson.version)
    .exitOverride()
    .configureHelp({ showGlobalOptions: true });
  for (const command of [serveCommand(), tokenCommand(), importCommand()]) {
    program.addCommand(command.copyInheritedSettings(program));
  }
  try {
    await program.parseAsync();
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    process.stderr.write(`im-admin: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

process.exitCode = await main();
