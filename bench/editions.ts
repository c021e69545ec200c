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
  /** The name of its result, `bench/results/<name>.md`. */
  name: string;
  /** What it measures, as Git names paths. */
  measures: readonly string[];
  /** Which trials docs/performance.md shows, and which two contestants of them. */
  shown: { trials: RegExp; contestants: readonly [string, string] };
  /** What docs/ shows of a run with the defaults, by the names of the files. */
  charts: Readonly<Record<string, (figures: readonly Figure[], members: number) => string>>;
  /** What its part of docs/performance.md is marked with. */
  marker: string;
}

/** What every trial runs: the functions, the records and the definitions of the lists. */
const common = ["src/*.ts", "src/operations", "src/answers", "src/stores/*.ts", "src/stores/lists"];
const firstAndLast = /^group members: (first|random|last) page of 20$/;

const inProcess: Edition = {
  trials,
  definitions,
  build,
  name: "sqlite",
  measures: [...common, "src/stores/sqlite", "src/stores/drivers", "adapters/http", "adapters/*.ts"],
  shown: { trials: firstAndLast, contestants: ["im-admin", "better-sqlite3"] },
  charts: { pages: pagesChart },
  marker: "bench",
};

const postgres: Edition = {
  trials: postgresTrials,
  definitions: postgresDefinitions,
  server: serverSettings,
  build: buildPostgres,
  name: "postgres",
  measures: [...common, "src/stores/postgres"],
  shown: { trials: firstAndLast, contestants: ["im-admin", "OFFSET and count(*)"] },
  charts: { "pages-postgres": pagesChart },
  marker: "bench-postgres",
};

const hosts: Edition = {
  trials: hostTrials,
  definitions: hostDefinitions,
  server: serverSettings,
  build: buildHosts,
  name: "hosts",
  measures: [...common, "src/stores/sqlite", "src/stores/postgres", "src/tables"],
  shown: { trials: /^/, contestants: ["plain", "mapped"] },
  charts: {},
  marker: "bench-hosts",
};

export const editions: Readonly<Record<EditionName, Edition>> = { inProcess, postgres, hosts };

export function editionOf({ edition }: { edition: EditionName }): Edition {
  return editions[edition];
}
