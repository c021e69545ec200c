/** How long it takes to put lists over the tables that a host has, beside the indexes that pages by OFFSET need. */
import type pg from "pg";
import type { Trial } from "../../trial.js";
import { installOverHost, plainIndexes, poolOf, removeFromHost } from "../build.js";

const contestants: Readonly<Record<string, (pool: pg.Pool) => Promise<void>>> = {
  async "CREATE INDEX"(pool) {
    for (const index of plainIndexes) await pool.query(index.replace("plain.", "host."));
  },
  "im-admin": installOverHost,
};

export const mappedTrial: Trial = {
  name: "lists are put over a host's tables",
  contestants: Object.keys(contestants),
  databases: [],
  unit: "ms",
  async measure(contestant, { postgres = "" }) {
    const server = poolOf(postgres, "postgres");
    await server.query("CREATE DATABASE loaded TEMPLATE pages");
    const pool = poolOf(postgres, "loaded");
    await removeFromHost(pool);
    const start = performance.now();
    await contestants[contestant]?.(pool);
    const value = performance.now() - start;
    await pool.end();
    await server.query("DROP DATABASE loaded");
    await server.end();
    return { value, mean: value, p99: value, calls: 1, answers: "" };
  },
};
