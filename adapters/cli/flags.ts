import { InvalidArgumentError, Option } from "commander";
import ms, { type StringValue } from "ms";
import { resolveBasePath } from "../http/path.js";

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

/** 100 years, in seconds. */
const mostSeconds = 100 * 365.25 * 86_400;

/** Reads a duration with a unit. */
export function parseSeconds(value: string): number {
  // Nobody expects milliseconds here, as ms() reads a bare number. It also throws for a long text.
  const milliseconds = /^.{1,98}[a-z]$/i.test(value) ? ms(value as StringValue) : undefined;
  const seconds = Math.floor((milliseconds ?? Number.NaN) / 1000);
  if (Number.isNaN(seconds))
    throw new InvalidArgumentError("It must be a number with a unit, such as 90d, 12h or 30m.");
  if (seconds < 1) throw new InvalidArgumentError("It must be one second (1s) or longer.");
  if (seconds > mostSeconds) throw new InvalidArgumentError("It must be 100 years (100y) or less.");
  return seconds;
}

/** The path before those of the operations. */
export function basePathOption(): Option {
  const made = option("--base-path <path>", "a path before those of the operations, such as /admin");
  return made.argParser((given: string) => {
    try {
      return resolveBasePath(given);
    } catch {
      throw new InvalidArgumentError('It must be a path such as "/admin".');
    }
  });
}
