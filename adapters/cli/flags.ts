import { InvalidArgumentError, Option } from "commander";

/** What turns a switch off in its environment variable; commander would take any value, even "false", for on. */
const off = ["", "0", "false", "no", "off"];

/** An option that is also an environment variable: `--db` is `IM_ADMIN_DB`. An empty variable is none. */
export function option(flags: string, description: string): Option {
  const made = new Option(flags, description);
  const variable = `IM_ADMIN_${made.name().replaceAll("-", "_").toUpperCase()}`;
  const value = process.env[variable] ?? "";
  if (made.isBoolean() ? off.includes(value.trim().toLowerCase()) : value === "") delete process.env[variable];
  return made.required ? made.env(variable).argParser(nonEmpty) : made.env(variable);
}

function nonEmpty(value: string): string {
  if (value === "") throw new InvalidArgumentError("It must not be empty.");
  return value;
}

/** The values of an option that may have several. */
export type Values = readonly [string, ...string[]];

/** An option with several values, which is repeated or holds them with commas between. */
export function listOption(flags: string, description: string, check?: (value: string) => unknown): Option {
  const made = option(flags, `${description} (repeatable, or with commas between)`);
  return severalValues(made, (text) => text.split(",").map((value) => value.trim()), check);
}

/** An option with several values that may hold commas and blanks. It is repeated or holds them with line breaks between. */
export function linesOption(flags: string, description: string): Option {
  const made = option(flags, `${description} (repeatable, or with line breaks between)`);
  return severalValues(made, (text) => text.split(/\r?\n/));
}

function severalValues(
  made: Option,
  split: (text: string) => string[],
  check: (value: string) => unknown = nonEmpty,
): Option {
  return made.argParser((text: string, previous: string[] = []) => {
    const values = split(text).filter((value) => value.trim() !== "");
    if (values.length === 0) nonEmpty("");
    for (const value of values) check(value);
    return [...previous, ...values];
  });
}
