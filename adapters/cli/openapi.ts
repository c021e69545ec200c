import { Command, InvalidArgumentError } from "commander";
import { resolveBasePath } from "../http/basePath.js";
import { openApiDocument } from "../openapi/index.js";
import { option } from "./flags.js";

interface OpenApiFlags {
  basePath?: string;
  tokenEndpoint?: boolean;
  closed?: boolean;
}

export function openApiCommand(): Command {
  return new Command()
    .addOption(option("--base-path <path>", "a path before those of the operations").argParser(requireBasePath))
    .addOption(option("--token-endpoint", "describe POST /auth/get_admin_token too"))
    .addOption(option("--closed", "describe the fields and codes of this version only, for generators of TypeScript"))
    .action(run);
}

function run({ basePath, tokenEndpoint, closed }: OpenApiFlags): void {
  const document = openApiDocument({ basePath, adminToken: tokenEndpoint, closed });
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
}

function requireBasePath(given: string): string {
  try {
    return resolveBasePath(given);
  } catch {
    throw new InvalidArgumentError('It must be a path such as "/admin".');
  }
}
