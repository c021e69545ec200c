import { InvalidArgumentError, Option } from "commander";

/** Values of an environment variable that turn a switch off. For commander, any value would turn it on, even "false". */
const off = ["", "0", "false", "no", "off"];

/** An option that is also an environment variable: `--db` is `IM_ADMIN_DB`. An empty variable does not count. */
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

/** An option with several values. The user repeats it, or writes commas between the values. */
export function listOption(flags: string, description: string, check?: (value: string) => unknown): Option {
  const made = option(flags, `${description} (repeatable, or with commas between)`);
  return severalValues(made, (text) => text.split(",").map((value) => value.trim()), check);
}

/** The same for values that may contain commas and blanks. The user repeats it, or writes line breaks between them. */
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
