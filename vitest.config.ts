import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/deep/**"],
    globalSetup: ["test/freshBuild.ts"],
    setupFiles: ["test/setup.ts"],
    // Vitest leaves a core idle by default, and would load all modules anew for each file.
    maxWorkers: availableParallelism(),
    isolate: false,
    // What failing calls log is of interest where a test fails.
    silent: "passed-only",
    // Child processes and real servers, on machines that may be slow.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
