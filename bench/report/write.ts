import { readFileSync, writeFileSync } from "node:fs";
import type { Edition } from "../editions.js";
import type { Options } from "../options.js";
import type { Result } from "../rounds.js";
import type { Scale } from "../scale.js";
import { type Figure, figuresOf } from "./figures.js";
import { describeMachine } from "./machine.js";
import { bounds, duration, ratio, targetSpread, value } from "./numbers.js";
import { performanceTables, withTables } from "./performancePage.js";
import { textTable } from "./table.js";
import { isMet, type Target, targetsOf } from "./targets.js";

export interface Run {
  /** The folder of the package, with a slash at its end. */
  root: string;
  flags: readonly string[];
  options: Options;
  edition: Edition;
  scale: Scale;
  results: readonly Result[];
}

/** Prints the tables; a complete run writes the files as well. */
export function writeReport({ root, flags, options, edition, scale, results }: Run): void {
  const figures = figuresOf(results);
  const targets = targetsOf(figures, edition.definitions);
  process.stdout.write(`${tablesOf(figures, targets)}\n`);
  if (!options.isComplete) return;

  const isDefault = flags.every((flag) => flag === "--postgres");
  const folder = `${root}bench/`;
  const suffix = `${edition.suffix}${isDefault ? "" : `-${scale.members}`}`;
  const machine = describeMachine(root);
  const command = ["npm run bench", ...(flags.length === 0 ? [] : ["--", ...flags])].join(" ");
  const report = {
    date: new Date().toISOString(),
    command,
    ...machine,
    rounds: options.rounds,
    scale,
    targets,
    figures,
  };
  writeFileSync(`${folder}results${suffix}.json`, formatted(report));
  // The documentation shows charts and tables of a complete run with its defaults.
  for (const [name, draw] of Object.entries(edition.charts)) {
    writeFileSync(`${isDefault ? `${root}docs/` : folder}${name}${suffix}.svg`, draw(figures, scale.members));
  }
  if (!isDefault) return;
  const page = `${root}docs/performance.md`;
  writeFileSync(
    page,
    withTables(readFileSync(page, "utf8"), edition, performanceTables(figures, targets, machine, edition, scale)),
  );
}

function tablesOf(figures: readonly Figure[], targets: readonly Target[]): string {
  const rows = figures.map(
    ({ trial, contestant, unit, median, min, max, mean, p99, calls, details, ...figure }, index) => [
      figures[index - 1]?.trial === trial ? "" : trial,
      contestant,
      value(median, unit),
      `${value(min, unit)}..${value(max, unit)}`,
      value(mean, unit),
      duration(p99),
      ratio(figure.ratio),
      String(calls),
      Object.entries(details)
        .map(([name, number]) => `${name} ${number.toLocaleString("en")}`)
        .join(", "),
    ],
  );
  const head = ["trial", "contestant", "median", "min..max", "mean", "p99", "ratio to the first", "calls", "details"];
  const aims = targets.map((target) => {
    const { name, unit, median, mean, goal, worst = "" } = target;
    const verdict = { true: "met", false: "MISSED", undefined: "" }[`${isMet(target)}`];
    return [name, targetSpread(median, unit), targetSpread(mean, unit), bounds(goal, unit), verdict, worst];
  });
  return [
    textTable(head, rows, 2),
    ...(aims.length > 0 ? ["", textTable(["targets", "medians", "means", "goal", "", "worst of all"], aims)] : []),
  ].join("\n");
}

/** As Biome formats it: a list of numbers is one line. */
function formatted(report: object): string {
  const oneLine = (numbers: string) => numbers.replaceAll(/\s+/g, " ").replace("[ ", "[").replace(" ]", "]");
  return `${JSON.stringify(report, rounded, 2).replaceAll(/\[[\s\d.,e+-]+\]/g, oneLine)}\n`;
}

/** Five digits say more than the rounds can. */
function rounded(_key: string, value: unknown): unknown {
  return typeof value === "number" && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value;
}
