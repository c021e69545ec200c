import { parseArgs } from "node:util";

/** What is measured: all that runs within a process, PostgreSQL, or what a host's own writes cost with a map. */
export type EditionName = "inProcess" | "postgres" | "hosts";

/** The trials to run, and how thoroughly. */
export interface Options {
  /** Members of the large group. */
  members: number;
  rounds: number;
  /** How long the calls of a trial are measured, in milliseconds. */
  milliseconds: number;
  /** Only trials whose names contain this. */
  only: string;
  edition: EditionName;
  /** Whether no trial is left out. */
  hasAllTrials: boolean;
  /** A run that only shows that all works: it writes no files. */
  isQuick: boolean;
  /** Whether nothing is measured: it tells what has changed since the results. */
  age: boolean;
  help: boolean;
}

export const help = `npm run bench -- [flags]

  --members N       members of the large group (1000000; 300000 with --postgres, 100000 with --hosts)
  --rounds N        how often each trial is run (3)
  --only TEXT       only trials whose names contain TEXT; writes no files
  --postgres        PostgreSQL alone, a server of its own; has a result of its own
  --hosts           what a host's own writes cost with a map, in PostgreSQL and in SQLite; has a result of its own, too
  --quick           70,000 members (2,000 with --hosts), one short round, to see whether all works; writes no files
  --age             measures nothing: lists what has changed since each result in the code that it measures
`;

const quick = { members: 70_000, rounds: 1, milliseconds: 30 };
const thorough = { members: 1_000_000, rounds: 3, milliseconds: 400 };

/** For each edition, the least number of members, and the defaults of a quick run and of a thorough one. */
const editions = {
  inProcess: { least: 70_000, quick, thorough },
  // Its bulk statements alone take minutes.
  postgres: { least: 70_000, quick, thorough: { ...thorough, members: 300_000 } },
  // Rounds that are short and many show better what is noise.
  hosts: {
    least: 1000,
    quick: { ...quick, members: 2000 },
    thorough: { ...thorough, members: 100_000, rounds: 7 },
  },
} as const;

export function readOptions(flags: string[]): Options {
  const { values } = parseArgs({
    args: flags,
    options: {
      members: { type: "string" },
      rounds: { type: "string" },
      only: { type: "string", default: "" },
      postgres: { type: "boolean", default: false },
      hosts: { type: "boolean", default: false },
      quick: { type: "boolean", default: false },
      age: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.hosts && values.postgres) throw new TypeError("--hosts has PostgreSQL already: leave --postgres out");
  const edition = values.hosts ? "hosts" : values.postgres ? "postgres" : "inProcess";
  const { least, [values.quick ? "quick" : "thorough"]: defaults } = editions[edition];
  return {
    members: count("members", values.members, defaults.members, least),
    rounds: count("rounds", values.rounds, defaults.rounds, 1),
    milliseconds: defaults.milliseconds,
    only: values.only,
    edition,
    hasAllTrials: values.only === "",
    isQuick: values.quick,
    age: values.age,
    help: values.help,
  };
}

function count(flag: string, value: string | undefined, otherwise: number, least: number): number {
  const number = value === undefined ? otherwise : Number(value);
  if (!Number.isInteger(number) || number < least) throw new TypeError(`--${flag} must be an integer >= ${least}`);
  return number;
}
