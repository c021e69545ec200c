import { defineConfig } from "tsup";

export default defineConfig({
  // A file for each module, so that whoever bundles the library leaves out what is not used.
  entry: ["src/**/*.ts", "adapters/**/*.ts", "!**/*.d.ts"],
  bundle: false,
  // The declarations of each subpath in one file.
  dts: {
    entry: {
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
    },
  },
  format: "esm",
  target: "es2022",
  platform: "neutral",
  // Without its prefix, there is no node:sqlite.
  removeNodeProtocol: false,
  clean: true,
});
