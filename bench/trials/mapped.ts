/** How long it takes to put lists over the tables that a host has, beside the indexes that pages by OFFSET need. */
import { copyFileSync, rmSync } from "node:fs";
import { createOffsetIndexes, dropOffsetIndexes, installOverHost } from "../mapped.js";
import { openConnection } from "../plain.js";
import type { Trial } from "../trial.js";
import { type DatabaseName, pathOf } from "../world.js";

interface Contestant {
  database: DatabaseName;
  prepare?(path: string): void;
  run(path: string): void;
}

const contestants: Readonly<Record<string, Contestant>> = {
  "CREATE INDEX": {
    database: "plain orderly",
    prepare: withConnection(dropOffsetIndexes),
    run: withConnection(createOffsetIndexes),
  },
  "im-admin": { database: "host orderly", run: installOverHost },
};

function withConnection(work: (connection: ReturnType<typeof openConnection>) => void): (path: string) => void {
  return (path) => {
    const connection = openConnection(path);
    work(connection);
    connection.close();
  };
}

export const mappedTrial: Trial = {
  name: "lists are put over a host's tables",
  contestants: Object.keys(contestants),
  databases: ["plain orderly", "host orderly"],
  unit: "ms",
  async measure(contestant, world) {
    const { database, prepare, run } = contestants[contestant] ?? {
      database: "host orderly" as const,
      run: installOverHost,
    };
    const path = `${pathOf(world, database)}-built`;
    copyFileSync(pathOf(world, database), path);
    prepare?.(path);
    const start = performance.now();
    run(path);
    const value = performance.now() - start;
    for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
    return { value, mean: value, p99: value, calls: 1, answers: "" };
  },
};
