import { Command, InvalidArgumentError } from "commander";
import ms, { type StringValue } from "ms";
import { signAdminToken } from "../auth.js";
import { defaultExpiresInSeconds } from "../secrets.js";
import { option, repeatable, values } from "./flags.js";

export function tokenCommand(): Command {
  return new Command("token")
    .description("Print an administrator token.")
    .addOption(repeatable("--secret <secret>", "what the token is signed with; the first one counts"))
    .addOption(repeatable("--admin <userID>", "whose token it is; the first one counts"))
    .addOption(
      option("--expires <duration>", "how long it is valid, such as 90d, 12h or 30m")
        .default(defaultExpiresInSeconds, "90d")
        .argParser(parseSeconds),
    )
    .action(async ({ expires }: { expires: number }, command: Command) => {
      const [secret] = values(command, "secret");
      const [userID] = values(command, "admin");
      if (!secret) command.error("error: a secret is needed: --secret or IM_ADMIN_SECRET");
      if (!userID) command.error("error: a user is needed: --admin or IM_ADMIN_ADMIN");
      process.stdout.write(`${await signAdminToken({ secret, userID, expiresInSeconds: expires })}\n`);
    });
}

function parseSeconds(value: string): number {
  // ms() takes a bare number for milliseconds, which nobody would expect here.
  const seconds = /[a-z]\s*$/i.test(value) ? Math.floor((ms(value as StringValue) ?? 0) / 1000) : 0;
  if (seconds < 1 || !Number.isSafeInteger(seconds)) {
    throw new InvalidArgumentError("It must be a number with a unit, such as 90d, 12h or 30m.");
  }
  return seconds;
}
