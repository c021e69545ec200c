import { Command, InvalidArgumentError } from "commander";
import ms, { type StringValue } from "ms";
import { signAdminToken } from "../auth.js";
import { defaultExpiresInSeconds } from "../secrets.js";
import { linesOption, listOption, option, type Values } from "./flags.js";

interface TokenFlags {
  secret?: Values;
  admin?: Values;
  expires: number;
}

export function tokenCommand(): Command {
  return new Command("token")
    .description("Print an administrator token.")
    .addOption(linesOption("--secret <secret>", "what the token is signed with; the first one counts"))
    .addOption(listOption("--admin <userID>", "whose token it is; the first one counts"))
    .addOption(
      option("--expires <duration>", "how long it is valid, such as 90d, 12h or 30m")
        .default(defaultExpiresInSeconds, "90d")
        .argParser(parseSeconds),
    )
    .action(run);
}

async function run({ secret, admin, expires }: TokenFlags, command: Command): Promise<void> {
  if (!secret) command.error("error: a secret is needed: --secret or IM_ADMIN_SECRET");
  if (!admin) command.error("error: a user is needed: --admin or IM_ADMIN_ADMIN");
  const token = await signAdminToken({ secret: secret[0], userID: admin[0], expiresInSeconds: expires });
  process.stdout.write(`${token}\n`);
}

/** 100 years, in seconds. */
const mostSeconds = 100 * 365.25 * 86_400;

function parseSeconds(value: string): number {
  // Nobody expects milliseconds here, as ms() reads a bare number. It also throws for a long text.
  const milliseconds = /^.{1,98}[a-z]$/i.test(value) ? ms(value as StringValue) : undefined;
  const seconds = Math.floor((milliseconds ?? Number.NaN) / 1000);
  if (Number.isNaN(seconds))
    throw new InvalidArgumentError("It must be a number with a unit, such as 90d, 12h or 30m.");
  if (seconds < 1) throw new InvalidArgumentError("It must be one second (1s) or longer.");
  if (seconds > mostSeconds) throw new InvalidArgumentError("It must be 100 years (100y) or less.");
  return seconds;
}
