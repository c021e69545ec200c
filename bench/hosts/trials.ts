/** Each write to plain tables and to tables with a map, in turns. */
import { type CallLimits, digest, type Measurement, summary, timeInTurns } from "../measure.js";
import type { Trial } from "../trial.js";
import type { World } from "../world.js";
import { type Cost, type Host, type Way, waysToWrite } from "./host.js";
import { openPostgres, type Schema } from "./postgres.js";
import { openSqlite } from "./sqlite.js";
import { largeWrites, ownWrites, type Statement, smallWrites, type Write } from "./writes.js";

type Open = (world: World) => Host | Promise<Host>;
type Contestants = Readonly<Record<string, Open>>;

const schemas = ["plain", "mapped"] as const;

export const contestantOf = (schema: "plain" | "mapped", way: Way) =>
  way === "prepared once" ? schema : `${schema}, ${way}`;

const contestantsOf = (
  open: (world: World, schema: "plain" | "mapped", way: Way) => Host | Promise<Host>,
  ways: readonly Way[],
): Contestants =>
  Object.fromEntries(
    ways.flatMap((way) =>
      schemas.map((schema) => [contestantOf(schema, way), (world: World) => open(world, schema, way)]),
    ),
  );

const own =
  (schema: Schema): Open =>
  (world) =>
    openPostgres(world, schema, "prepared once");
const ownContestants: Contestants = { "without triggers": own("own"), "im-admin's own tables": own("im_admin") };

interface Kind {
  contestants: Contestants;
  isLarge: boolean;
}

function trialOf(engine: string, write: Write, { contestants, isLarge }: Kind): Trial {
  return {
    name: `${engine}: ${write.name}`,
    contestants: Object.keys(contestants),
    databases: [],
    unit: "ms",
    async measureInTurns(names, world) {
      const measured: Measurement[] = [];
      // A call after another one that waits for the disk takes longer, so each way to write has turns of its own.
      for (let first = 0; first < names.length; first += 2) {
        const pair = names.slice(first, first + 2);
        const hosts = await Promise.all(pair.flatMap((name) => contestants[name]?.(world) ?? []));
        measured.push(...(await measureHosts(hosts, { write, isLarge, firstCall: first * mostCalls, world })));
      }
      return measured;
    },
  };
}

interface Run {
  write: Write;
  isLarge: boolean;
  /** In PostgreSQL, the ways to write share their tables, so each writes other rows. */
  firstCall: number;
  world: World;
}

async function measureHosts(hosts: readonly Host[], { write, isLarge, firstCall, world }: Run): Promise<Measurement[]> {
  const { undo = [] } = write;
  const of = (call: number) => write.of(firstCall + call, world.scale);
  const rows = new Map<Host, number>();
  const contenders = hosts.map((host) => ({
    ...(isLarge && { prepare: () => host.tidy(undo) }),
    async call(index: number) {
      rows.set(host, await host.write(of(index)));
    },
  }));
  const limits = isLarge ? once : { ...few, milliseconds: hosts.length * world.milliseconds };
  const times = await timeInTurns(contenders, limits);
  const measured: Measurement[] = [];
  for (const [number, host] of hosts.entries()) {
    if (!rows.get(host)) throw new Error(`${write.name}: nothing is written`);
    if (isLarge) await host.tidy(undo);
    const details = { ...(await leastCost(host, of(mostCalls + 1), isLarge ? 2 : 3)) };
    measured.push({ ...summary(times[number] ?? []), answers: digest(rows.get(host)), details });
    await host.tidy(undo);
    await host.close();
  }
  return measured;
}

/** The most calls of a contestant: there are users enough for as many members who join. */
const mostCalls = 600;
const few: CallLimits = { least: 3, most: mostCalls, milliseconds: 0 };
const once: CallLimits = { least: 1, most: 1, milliseconds: 0 };

/** The least cost of several: in PostgreSQL, the first write to a page since a checkpoint logs the whole page. */
async function leastCost(host: Host, statements: readonly Statement[], times: number): Promise<Cost> {
  const costs: Cost[] = [];
  while (costs.length < times) costs.push(await host.costOf(statements));
  return costs.reduce((least, cost) => ((cost.walBytes ?? 0) < (least.walBytes ?? 0) ? cost : least));
}

export const engines = ["PostgreSQL", "SQLite"] as const;
const openers = { PostgreSQL: openPostgres, SQLite: openSqlite };

/** All trials. Those of many rows come last, since they leave much behind. */
export const hostTrials: readonly Trial[] = [
  ...engines.flatMap((engine) => {
    const kind = { contestants: contestantsOf(openers[engine], waysToWrite), isLarge: false };
    return smallWrites.map((write) => trialOf(engine, write, kind));
  }),
  ...engines.flatMap((engine) => {
    const kind = { contestants: contestantsOf(openers[engine], ["prepared once"]), isLarge: true };
    return largeWrites.map((write) => trialOf(engine, write, kind));
  }),
  ...ownWrites.map((write) => trialOf("PostgreSQL", write, { contestants: ownContestants, isLarge: true })),
];
