import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { Miniflare } from "miniflare";
import { onTestFinished } from "vitest";
import type { RecordSet } from "../../src/index.js";
import { recordNames } from "../../src/records.js";
import type { BundledStore } from "../../src/stores/bundledStore.js";
import { createD1Store, type D1Handle, migrateD1 } from "../../src/stores/drivers/d1.js";
import { ourName } from "../../src/stores/sqlite/sql.js";
import type { Asked } from "../children/durableObject.js";
import { httpWorld } from "./http/world.js";
import { bundleNext } from "./nextVersion.js";

/** What a statement of a batch gives. */
export interface BatchResult {
  results: unknown[];
  /** What D1 bills. */
  meta: { rows_read: number; rows_written: number };
}

/** A Worker in its real runtime, with a D1 database. */
export interface TestWorker {
  /** Where it listens, on 127.0.0.1. */
  port: number;
  /** The Worker's database. Its statements run in the runtime, as a Worker's statements do. */
  database: D1Handle;
  /** Runs a statement, and gives its rows. */
  run(sql: string, ...values: unknown[]): Promise<unknown[]>;
  /** What the Worker has printed so far. */
  printed(): string;
  /** The database with the current schema and without records. */
  emptyStore(): Promise<BundledStore>;
  /** Drops all that is in the database. */
  dropAll(): Promise<void>;
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
    loader: { ".sql": "text" },
  });
  const imports = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  return { code: outputFiles[0]?.text ?? "", imports };
}

const common = {
  modules: true,
  compatibilityDate: "2026-04-01",
} as const;
/** What runs the store cases needs Node's assertions, and how many rounds of them are asked for. */
export const forCases = {
  compatibilityFlags: ["nodejs_compat"],
  bindings: Object.fromEntries(Object.entries(process.env).filter(([name]) => name === "ROUNDS" || name === "SEED")),
};
const script = async (contents: string) => (await bundleWorker(contents)).code;

/** Starts a Worker; without one, there is only its database. */
export async function startWorker(
  main = "export default {}",
  options: { bindings?: Record<string, string | undefined>; compatibilityFlags?: string[] } = {},
): Promise<TestWorker> {
  const d1Databases = { DB: "database" };
  let printed = "";
  const miniflare = new Miniflare({
    handleRuntimeStdio(...outputs: NodeJS.ReadableStream[]) {
      for (const output of outputs) output.on("data", (text: Buffer) => (printed += text));
    },
    workers: [
      // Miniflare's own proxy of a database can lose step with it on a busy machine.
      {
        ...common,
        d1Databases,
        name: "bridge",
        script: await script('export { default } from "./test/children/d1Bridge.ts"'),
        serviceBindings: { MAIN: "main" },
      },
      { ...common, d1Databases, name: "main", script: await script(main), ...options },
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
  const run = async (sql: string, ...values: unknown[]) => (await database.batch([{ sql, values }]))[0]?.results ?? [];
  let isMigrated = false;
  return {
    port: Number(port),
    database,
    run,
    async emptyStore() {
      if (!isMigrated) await migrateD1(database);
      isMigrated = true;
      await database.batch(recordNames.map((table) => ({ sql: `DELETE FROM ${ourName(table)}`, values: [] })));
      const store = createD1Store(database);
      // The first read settles what has changed.
      await store.listNotificationAccounts({ keyword: "", offset: 0, limit: 1 });
      return store;
    },
    async dropAll() {
      isMigrated = false;
      const found = await run(`SELECT type, name FROM sqlite_schema
        WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE '\\_cf%' ESCAPE '\\'
        ORDER BY sql NOT LIKE 'CREATE VIRTUAL%'`);
      const drops = (found as { type: string; name: string }[]).map(
        ({ type, name }) => `DROP ${type} IF EXISTS ${name}`,
      );
      if (drops.length > 0) await database.batch(drops.map((sql) => ({ sql, values: [] })));
    },
    printed: () => printed,
    stop: () => miniflare.dispose(),
  };
}

/** Starts the fetch handler in a Worker with D1, which has these records, until the test is over. */
export async function startHttpWorker(records: RecordSet = httpWorld): Promise<TestWorker> {
  const worker = await startWorker('export { default } from "./test/children/httpWorker.ts"');
  onTestFinished(() => worker.stop());
  await (await worker.emptyStore()).put(records);
  return worker;
}

/** Starts a runtime with Durable Objects, and gives what asks the object of a name. */
export async function startDurableObjects() {
  const main = "./test/children/durableObject.ts";
  const next = await bundleNext('export * from "./src/stores/drivers/durableObject.ts"', { globalName: "next" });
  const miniflare = new Miniflare({
    ...common,
    ...forCases,
    script: next + (await script(`export * from "${main}"; export { default } from "${main}"`)),
    durableObjects: { OBJECTS: { className: "TestObject", useSQLite: true } },
  });
  async function ask(name: string, asked: Asked): Promise<unknown[]> {
    const body = JSON.stringify(asked);
    const response = await miniflare.dispatchFetch(`http://objects/${name}`, { method: "POST", body });
    if (!response.ok) throw new Error(await response.text());
    return response.json() as Promise<unknown[]>;
  }
  return { ask, stop: () => miniflare.dispose() };
}
