import { Command } from "commander";
import { openApiDocument } from "../openapi/index.js";
import { basePathOption, option } from "./flags.js";

interface OpenApiFlags {
  basePath?: string;
  tokenEndpoint?: boolean;
  closed?: boolean;
}

export function openApiCommand(): Command {
  return new Command()
    .addOption(basePathOption())
    .addOption(option("--token-endpoint", "describe POST /auth/get_admin_token too"))
    .addOption(option("--closed", "describe the fields and codes of this version only, for generators of TypeScript"))
    .action(run);
}

function run({ basePath, tokenEndpoint, closed }: OpenApiFlags): void {
  const document = openApiDocument({ basePath, adminToken: tokenEndpoint, closed });
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
}
