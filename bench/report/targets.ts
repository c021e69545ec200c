/** The ratios and values that im-admin is built for. */
import { type Spread, spread } from "../statistics.js";
import { smallPageTrials } from "../trials/http.js";
import { httpLoadTrials } from "../trials/httpLoad.js";
import type { Figure } from "./figures.js";

export interface Target {
  name: string;
  unit: "ratio" | "ms";
  /** Of medians, round by round. */
  median: Spread;
  /** Of means, which show a few slow calls, such as a merge of an index. */
  mean: Spread;
  /** The goal, if there is one. */
  goal?: Goal;
  /** The trial with the greatest value in the first round, if the target is the greatest of several. */
  worst?: string;
}

/** Bounds of the median of all rounds. */
export interface Goal {
  atMost?: number;
  atLeast?: number;
  /** A bound of means. */
  meanAtMost?: number;
}

/** A figure, and the one that it is divided by, if any. */
export type Pair = readonly [trial: string, contestant: string, otherTrial?: string, otherContestant?: string];

export interface Definition {
  name: string;
  unit?: Target["unit"];
  goal?: Goal;
  /** The greatest of them counts, in each round. */
  of: readonly Pair[];
}

const ours = "im-admin";
const theirs = "better-sqlite3";

const places = ["first", "random", "last"];
const suffixes = ["", ", random IDs"];
const groupMembers = "group members";
const lists = [groupMembers, `${groupMembers}, random IDs`];
const thousandGroups = "join requests of 1,000 groups";
const oneGroup = "join requests of 1 group: first page of 20";

const besideFirst = (list: string, place: string): Pair => [
  `${list}: ${place} page of 20`,
  ours,
  `${list}: first page of 20`,
  ours,
];

const pages: readonly Definition[] = [
  ...[...lists, thousandGroups].flatMap((list) =>
    ["random", "last"].map((place) => ({
      name: `${list}: ${place} page / first page`,
      of: [besideFirst(list, place)],
    })),
  ),
  ...places.map((place): Definition => {
    const name = `${thousandGroups}: ${place} page`;
    return { name: `${name} / first page of one group`, of: [[`${name} of 20`, ours, oneGroup, ours]] };
  }),
  ...lists.flatMap((list) =>
    places.map((place): Definition => {
      const trial = `${list}: ${place} page of 20`;
      return {
        name: `${list}: ${place} page: OFFSET and count(*) / im-admin`,
        ...(place === "last" && { goal: { atLeast: 300 } }),
        of: [[trial, theirs, trial, ours]],
      };
    }),
  ),
];

/** The cost of upkeep, divided by the cost without it. */
function upkeep(trial: string, goal?: Goal): Definition {
  return { name: `${trial}: upkeep / none`, ...(goal && { goal }), of: [[trial, "upkeep", trial, "without upkeep"]] };
}

/** The goals of single rows. A change of the role moves a member in the list. */
const goalsOfRows: Readonly<Record<string, Goal>> = {
  "a member joins": { atMost: 1.9, meanAtMost: 2.5 },
  "a member leaves": { atMost: 1.9, meanAtMost: 2.5 },
  "a member gets another role": { atMost: 3 },
};

const built = "lists are put over a host's tables";

const mapped: Definition = {
  name: `${built}: im-admin / CREATE INDEX`,
  of: [[built, "im-admin", built, "CREATE INDEX"]],
};

const writes = suffixes.flatMap((suffix): Definition[] => {
  const rows = Object.entries(goalsOfRows);
  const batch = `a member in a batch of 10,000 into 300,000${suffix}`;
  const bulk = `a whole group is loaded${suffix}`;
  return [
    ...rows.map(([row, goal]) => upkeep(`one row: ${row}${suffix}`, goal)),
    upkeep(batch),
    {
      name: `${bulk}: plain inserts / upkeep`,
      goal: { atLeast: 0.4 },
      of: [[bulk, "without upkeep", bulk, "upkeep"]],
    },
  ];
});

export const definitions: readonly Definition[] = [
  ...pages,
  ...smallPageTrials.flatMap(({ name }) =>
    ["bare node:http", "bare, from memory"].map(
      (bare): Definition => ({
        name: `${name}: requests per second, im-admin / ${bare}`,
        ...(bare === "bare node:http" && { goal: { atLeast: 1 } }),
        of: [[name, ours, name, bare]],
      }),
    ),
  ),
  ...Object.entries({ "kept connections": 5, "new connections": 20 }).map(
    ([connections, atMost]): Definition => ({
      name: `light reads over HTTP beside the worst heavy calls, p99, ${connections}: times idle`,
      goal: { atMost },
      of: httpLoadTrials.map(({ name }): Pair => [name, connections]),
    }),
  ),
  ...writes,
  mapped,
];

/** Those whose trials have been run. */
export function targetsOf(figures: readonly Figure[], definitions: readonly Definition[]): Target[] {
  return definitions.flatMap(({ name, unit = "ratio", goal, of }) => {
    const found = of.flatMap(([trial, contestant, otherTrial, otherContestant]): Found[] => {
      const figure = figures.find((figure) => figure.trial === trial && figure.contestant === contestant);
      const other = figures.find((figure) => figure.trial === otherTrial && figure.contestant === otherContestant);
      if (figure === undefined || (otherTrial !== undefined && other === undefined)) return [];
      const divided = (values: readonly number[], others: readonly number[] = []) =>
        values.map((value, round) => value / (others[round] ?? 1));
      const medians = divided(figure.rounds, other?.rounds);
      return [{ trial, medians, means: divided(figure.means, other?.means) }];
    });
    if (found.length === 0) return [];
    const median = greatest(found.map(({ medians }) => medians));
    const worst = found.find(({ medians }) => medians[0] === median[0])?.trial;
    return {
      name,
      unit,
      median: spread(median),
      mean: spread(greatest(found.map(({ means }) => means))),
      ...(goal && { goal }),
      ...(worst !== undefined && of.length > 1 && { worst }),
    };
  });
}

/** What is measured of one pair, round by round. */
interface Found {
  trial: string;
  medians: readonly number[];
  means: readonly number[];
}

/** For each round, the greatest of several. */
function greatest(series: readonly (readonly number[])[]): number[] {
  return (series[0] ?? []).map((_, round) => Math.max(...series.map((values) => values[round] ?? 0)));
}

/** Whether the medians of all rounds meet the goal; undefined without a goal. */
export function isMet({ median, mean, goal }: Target): boolean | undefined {
  if (goal === undefined) return undefined;
  const { atMost = Number.POSITIVE_INFINITY, atLeast = 0, meanAtMost = Number.POSITIVE_INFINITY } = goal;
  return median.median <= atMost && median.median >= atLeast && mean.median <= meanAtMost;
}
