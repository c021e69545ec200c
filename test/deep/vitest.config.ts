import { randomInt } from "node:crypto";
import { fileURLToPath } from "node:url";
import { defineConfig, mergeConfig } from "vitest/config";
import quick from "../../vitest.config.js";

const {
  ROUNDS = "1",
  SEED = String(randomInt(2 ** 31)),
  FAILOVERS,
  FIREFOX,
  MARIADB,
  MONGODB,
  POSTGRES_BIN,
  PROXIES,
} = process.env;

export default mergeConfig(
  { ...quick, test: { ...quick.test, exclude: [] } },
  defineConfig({
    root: fileURLToPath(new URL("../../", import.meta.url)),
    test: {
      // They take what .ci/on-cluster, .ci/on-firefox, .ci/on-mariadb, .ci/on-mongodb, .ci/on-postgres and .ci/on-proxies
      // install.
      exclude: [
        "**/node_modules/**",
        ...(FAILOVERS === undefined ? ["test/deep/cluster/**"] : []),
        ...(FIREFOX === undefined ? ["test/deep/firefox/**"] : []),
        ...(MARIADB === undefined ? ["test/deep/examples/mysqlStore.test.ts"] : []),
        ...(MONGODB === undefined ? ["test/deep/mongodb/**"] : []),
        ...(POSTGRES_BIN === undefined ? ["test/deep/dumps/**"] : []),
        ...(PROXIES === undefined ? ["test/deep/proxies/**"] : []),
      ],
      env: { ROUNDS, SEED },
      globalSetup: ["test/deep/globalSetup.ts"],
      testTimeout: 300_000,
    },
  }),
);
