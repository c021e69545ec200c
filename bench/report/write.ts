import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import type { Edition } from "../editions.js";
import type { Options } from "../options.js";
import type { Result } from "../rounds.js";
import type { Scale } from "../scale.js";
import { type Figure, figuresOf } from "./figures.js";
import { describeMachine } from "./machine.js";
import { bounds, duration, ratio, targetSpread, value } from "./numbers.js";
import { textTable } from "./table.js";
import { allTables, shownTable, withTables } from "./tables.js";
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

/** Prints the tables. A run of all trials makes the files as well, and writes them if it was thorough enough. */
export function writeReport(run: Run): void {
  const { options, edition, results } = run;
  const figures = figuresOf(results);
  const targets = targetsOf(figures, edition.definitions);
  const tables = tablesOf(figures, targets);
  process.stdout.write(`${tables}\n`);
  if (!options.hasAllTrials) return;
  for (const [path, text] of filesOf(run, figures, targets, tables)) {
    const [wrong] = /.*(?:NaN|∞|undefined).*/.exec(text) ?? [];
    if (wrong !== undefined) throw new Error(`${path} would have no number here: ${wrong}`);
    if (!options.isQuick) writeFileSync(path, text);
  }
}

/** The files by their paths. Those of a run with its defaults are the documentation's. */
function filesOf(
  { root, flags, options, edition, scale }: Run,
  figures: readonly Figure[],
  targets: readonly Target[],
  tables: string,
): Map<string, string> {
  const isDefault = flags.every((flag) => ["--postgres", "--hosts", "--quick"].includes(flag));
  const name = `${edition.name}${isDefault ? "" : `-${scale.members}`}`;
  const command = ["npm run bench", ...(flags.length === 0 ? [] : ["--", ...flags])].join(" ");
  const { machine, versions } = describeMachine(root);
  const commit = commitOf(root);
  const run = { command, commit, date: new Date().toISOString(), rounds: options.rounds, machine, versions, scale };
  const head = Object.entries(run).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  const where = `Measured on commit ${commit}, on ${run.date.slice(0, 10)}: ${machine.cores} cores of ${machine.cpu}.`;
  const shown = `${shownTable(figures, edition)}\n\n${where}`;
  const result = [
    `# Results: ${name}`,
    fenced(head.join("\n")),
    "## In docs/performance.md",
    shown,
    "## Tables",
    allTables(figures, targets, edition),
    "## All figures",
    fenced(tables),
  ];
  const files = new Map([[`${root}bench/results/${name}.md`, `${result.join("\n\n")}\n`]]);
  for (const [chart, draw] of Object.entries(edition.charts)) {
    files.set(`${root}${isDefault ? "docs" : "bench/results"}/${chart}.svg`, draw(figures, scale.members));
  }
  const page = `${root}docs/performance.md`;
  if (isDefault) files.set(page, withTables(readFileSync(page, "utf8"), edition, shown));
  return files;
}

/** The commit of the code that is measured. It is marked if the code has been changed since. */
function commitOf(root: string): string {
  const git = (...flags: string[]) => execFileSync("git", flags, { cwd: root, encoding: "utf8" }).trim();
  const isChanged = git("status", "--porcelain", "--", "src", "adapters") !== "";
  return `${git("rev-parse", "--short=8", "HEAD")}${isChanged ? ", changed" : ""}`;
}

function fenced(text: string): string {
  return `\`\`\`text\n${text}\n\`\`\``;
}

function tablesOf(figures: readonly Figure[], targets: readonly Target[]): string {
  const rows = figures.map(({ trial, contestant, unit, median, min, max, mean, p99, calls, details, ...figure }) => [
    trial,
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
  ]);
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
