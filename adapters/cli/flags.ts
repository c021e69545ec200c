import { type Command, InvalidArgumentError, Option } from "commander";

/** An option that is also an environment variable: `--db` is `IM_ADMIN_DB`. */
export function option(flags: string, description: string): Option {
  const made = new Option(flags, description);
  const variable = `IM_ADMIN_${made.name().replaceAll("-", "_").toUpperCase()}`;
  // An empty variable is none, and commander would take any value of a switch, even "false", for on.
  const none = made.isBoolean() ? ["", "0", "false"] : [""];
  if (none.includes(process.env[variable] ?? "")) delete process.env[variable];
  return made.required ? made.env(variable).argParser(nonEmpty) : made.env(variable);
}

function nonEmpty(value: string): string {
  if (value === "") throw new InvalidArgumentError("It must not be empty.");
  return value;
}

/** An option that may be given several times; in the environment variable, commas stand between the values. */
export function repeatable(flags: string, description: string): Option {
  return option(flags, `${description} (repeatable)`).argParser((value: string, previous: string[] = []) => [
    ...previous,
    nonEmpty(value),
  ]);
}

/** The values of a repeatable option. */
export function values(command: Command, name: string): string[] {
  const given: string[] = command.getOptionValue(name) ?? [];
  if (command.getOptionValueSource(name) !== "env") return given;
  return given.flatMap((value) => value.split(",")).filter((value) => value !== "");
}

export function databaseOption(): Option {
  return option("--db <file>", "the database file").default("im-admin.db");
}

export function parsePort(value: string): number {
  const port = Number(value);
  if (!/^\d+$/.test(value) || port > 65_535) throw new InvalidArgumentError("It must be a number from 0 to 65535.");
  return port;
}
