import { defineConfig } from "tsup";

export default defineConfig({
  entry: {
    index: "src/index.ts",
    sqlite: "src/stores/sqlite.ts",
    fetch: "adapters/fetch.ts",
    node: "adapters/node.ts",
    auth: "adapters/auth.ts",
    cli: "adapters/cli/main.ts",
  },
  format: "esm",
  target: "es2022",
  platform: "neutral",
  dts: true,
  clean: true,
  splitting: true,
});
