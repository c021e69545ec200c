// Writes a file of migrations/ from the definitions: npm run migration -- NAME
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

const { module } = await runnerImport(fileURLToPath(new URL("migration.ts", import.meta.url)));
module.write(...process.argv.slice(2));
