import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { Miniflare } from "miniflare";
import type { BundledStore } from "../../src/stores/bundledStore.js";
import { createD1Store, type D1Handle, migrateD1 } from "../../src/stores/drivers/d1.js";

/** What a statement of a batch gives. */
export interface BatchResult {
  results: unknown[];
  /** What D1 bills. */
  meta: { rows_read: number };
}

/** A Worker in its real runtime, with a D1 database. */
export interface TestWorker {
  /** Where it listens, on 127.0.0.1. */
  port: number;
  /** The Worker's database; its statements run in the runtime, as those of a Worker do. */
  database: D1Handle;
  /** Runs a statement, and gives its rows. */
  run(sql: string, ...values: unknown[]): Promise<unknown[]>;
  /** What the Worker has printed so far. */
  printed(): string;
  /** The database with the current schema and without records. */
  emptyStore(): Promise<BundledStore>;
  stop(): Promise<void>;
}

/** Bundles as for Workers, and names the modules that the runtime has to bring. */
export async function bundleWorker(contents: string, { minify = false } = {}) {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL("../../", import.meta.url)), loader: "ts" },
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

const tables = ["users", "groups", "groupMembers", "blacks", "groupRequests", "conversations"];

/** Starts a Worker; without one, there is only its database. */
export async function startWorker(main = "export default {}", bindings = {}): Promise<TestWorker> {
  const common = { modules: true, compatibilityDate: "2026-04-01", d1Databases: { DB: "database" } } as const;
  const script = async (contents: string) => (await bundleWorker(contents)).code;
  let printed = "";
  const miniflare = new Miniflare({
    handleRuntimeStdio(...outputs: NodeJS.ReadableStream[]) {
      for (const output of outputs) output.on("data", (text: Buffer) => (printed += text));
    },
    workers: [
      // Miniflare's own proxy of a database can lose step with it on a busy machine.
      {
        ...common,
        name: "bridge",
        script: await script('export { default } from "./test/children/d1Bridge.ts"'),
        serviceBindings: { MAIN: "main" },
      },
      { ...common, name: "main", script: await script(main), bindings },
    ],
  });
  const { href, port } = await miniflare.ready;

  const database = {
    prepare: (sql: string) => ({ bind: (...values: unknown[]) => ({ sql, values }) }),
    async batch(statements: unknown[]): Promise<BatchResult[]> {
      const body = JSON.stringify(statements);
      const response = await fetch(href, { method: "POST", headers: { "x-test-batch": "1" }, body });
      if (!response.ok) throw new Error(await response.text());
      return response.json() as Promise<BatchResult[]>;
    },
  };
  return {
    port: Number(port),
    database,
    run: async (sql, ...values) => (await database.batch([{ sql, values }]))[0]?.results ?? [],
    async emptyStore() {
      await migrateD1(database);
      await database.batch(tables.map((table) => ({ sql: `DELETE FROM ${table}`, values: [] })));
      return createD1Store(database);
    },
    printed: () => printed,
    stop: () => miniflare.dispose(),
  };
}
