// Writes databases of this version into test/released, which every later version must read: npm run fixture
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

const { module } = await runnerImport(fileURLToPath(new URL("fixture.ts", import.meta.url)));
await module.write();
