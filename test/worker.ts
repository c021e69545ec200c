import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { Miniflare } from "miniflare";
import type { BundledStore } from "../src/stores/sql/store.js";
import { emptyD1Store } from "./d1.js";

/** A Worker in its real runtime, with a D1 database. */
export interface TestWorker {
  /** Where it listens, on 127.0.0.1. */
  port: number;
  /** The Worker's database, without records. */
  store(): Promise<BundledStore>;
  stop(): Promise<void>;
}

/** Bundles as for Workers, and names the modules that the runtime has to bring. */
export async function bundleWorker(contents: string, { minify = false } = {}) {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL("..", import.meta.url)), loader: "ts" },
    bundle: true,
    write: false,
    minify,
    logLevel: "error",
    metafile: true,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions: ["workerd", "worker", "browser"],
    external: ["cloudflare:*", "node:*"],
  });
  const imports = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  return { code: outputFiles[0]?.text ?? "", imports };
}

export async function startWorker(bindings: Record<string, string>): Promise<TestWorker> {
  const miniflare = new Miniflare({
    modules: true,
    script: (await bundleWorker('export { default } from "./test/children/httpWorker.ts"')).code,
    compatibilityDate: "2026-04-01",
    d1Databases: ["DB"],
    bindings,
  });
  const database = await miniflare.getD1Database("DB");
  return {
    port: Number((await miniflare.ready).port),
    store: () => emptyD1Store(database),
    stop: () => miniflare.dispose(),
  };
}
