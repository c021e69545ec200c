import { defineConfig } from "tsup";

const library = {
  index: "src/index.ts",
  sqlite: "src/stores/drivers/sqlite.ts",
  d1: "src/stores/drivers/d1.ts",
  sql: "src/stores/drivers/sql.ts",
  "node-sqlite": "src/stores/drivers/nodeSqlite.ts",
  "bun-sqlite": "src/stores/drivers/bunSqlite.ts",
  libsql: "src/stores/drivers/libsql.ts",
  "durable-object": "src/stores/drivers/durableObject.ts",
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
  external: ["better-sqlite3", "bun:sqlite", "node:sqlite"],
  clean: true,
});
