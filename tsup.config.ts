import { defineConfig } from "tsup";

const library = {
  index: "src/index.ts",
  sqlite: "src/stores/drivers/sqlite.ts",
  d1: "src/stores/drivers/d1.ts",
  testing: "src/testing/index.ts",
  fetch: "adapters/fetch.ts",
  "itty-router": "adapters/itty-router.ts",
  node: "adapters/node.ts",
  auth: "adapters/auth.ts",
};

export default defineConfig({
  entry: { ...library, cli: "adapters/cli/main.ts" },
  dts: { entry: library },
  format: "esm",
  target: "es2022",
  platform: "neutral",
  // The bundler knows of dependencies, but not of optional ones.
  external: ["better-sqlite3"],
  clean: true,
});
