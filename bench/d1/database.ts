import { readFileSync } from "node:fs";
import type { D1Handle } from "../../src/stores/drivers/d1.js";

/** A D1 database in its real runtime. */
export interface D1 {
  handle: D1Handle;
  /** Runs statements as one batch, and gives the rows of each. */
  batch(statements: readonly unknown[]): Promise<{ results: unknown[] }[]>;
  /** How many rows the last batch has read and written, as D1 counts and charges them. */
  rows(): Readonly<Record<"read" | "written", number>>;
  stop(): Promise<void>;
}

/** Starts the runtime on a folder that keeps the database. */
export async function openD1(folder: string): Promise<D1> {
  // Here, because all other trials would wait for it.
  const { Miniflare } = await import("miniflare");
  const miniflare = new Miniflare({
    modules: true,
    script: readFileSync(new URL("d1/bridge.js", import.meta.url), "utf8"),
    compatibilityDate: "2026-04-01",
    d1Databases: { DB: "database" },
    d1Persist: folder,
  });
  const { href } = await miniflare.ready;
  let rows = { read: 0, written: 0 };
  async function batch(statements: readonly unknown[]): Promise<{ results: unknown[] }[]> {
    const response = await fetch(href, { method: "POST", body: JSON.stringify(statements) });
    if (!response.ok) throw new Error(await response.text());
    const results = (await response.json()) as { results: unknown[]; read: number; written: number }[];
    const sumOf = (kind: keyof typeof rows) => results.reduce((sum, result) => sum + result[kind], 0);
    rows = { read: sumOf("read"), written: sumOf("written") };
    return results;
  }
  const prepare = (sql: string) => ({ bind: (...values: unknown[]) => ({ sql, values }) });
  return { handle: { prepare, batch }, batch, rows: () => rows, stop: () => miniflare.dispose() };
}
