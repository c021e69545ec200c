import { Command } from "commander";
import { signAdminToken } from "../auth.js";
import { defaultExpiresInSeconds } from "../secrets.js";
import { linesOption, listOption, option, parseSeconds, type Values } from "./flags.js";

interface TokenFlags {
  secret?: Values;
  admin?: Values;
  expires: number;
}

export function tokenCommand(): Command {
  return new Command()
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
