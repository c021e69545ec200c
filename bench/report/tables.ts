import type { Edition } from "../editions.js";
import type { Figure } from "./figures.js";
import { bounds, ratio, targetSpread, value } from "./numbers.js";
import { markdownTable } from "./table.js";
import type { Target } from "./targets.js";

/** docs/performance.md with new tables between the markers of an edition. */
export function withTables(page: string, { marker }: Edition, tables: string): string {
  const start = `<!-- ${marker}:start -->`;
  const end = `<!-- ${marker}:end -->`;
  const from = page.indexOf(start);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error(`docs/performance.md must have ${start} and, after it, ${end}`);
  return `${page.slice(0, from)}${start}\n${tables}\n${page.slice(to)}`;
}

/** What docs/performance.md shows: two contestants, and the ratio of the second to the first. */
export function shownTable(figures: readonly Figure[], { shown }: Edition): string {
  const [first, second] = shown.contestants;
  const rows = figures.flatMap((figure) => {
    if (figure.contestant !== first || !shown.trials.test(figure.trial)) return [];
    const other = figures.find(({ trial, contestant }) => trial === figure.trial && contestant === second);
    if (other === undefined) return [];
    return [[figure.trial, value(figure.median, figure.unit), value(other.median, other.unit), ratio(other.ratio)]];
  });
  return markdownTable(["", first, second, `${second} / ${first}`], rows);
}

/** One table for all trials that have the same contestants, in the order of the trials, and one for what is aimed at. */
export function allTables(figures: readonly Figure[], targets: readonly Target[], { trials }: Edition): string {
  const comparisons = [...new Set(trials.map(({ contestants }) => contestants.join()))];
  const tables = comparisons.map((comparison) => {
    const compared = trials.filter(({ contestants }) => contestants.join() === comparison);
    const contestants = compared[0]?.contestants ?? [];
    const rows = compared.map(({ name }) => [
      name,
      ...contestants.map((contestant) => {
        const figure = figures.find((figure) => figure.trial === name && figure.contestant === contestant);
        return figure ? cell(figure) : "";
      }),
    ]);
    return markdownTable(["", ...contestants], rows);
  });
  return [...tables, goalsTable(targets)].join("\n\n");
}

function goalsTable(targets: readonly Target[]): string {
  const rows = targets.flatMap(({ name, unit, median, mean, goal }) => {
    if (goal === undefined) return [];
    const means = goal.meanAtMost === undefined ? [] : [`mean ${targetSpread(mean, unit)}`];
    return [[name, [targetSpread(median, unit), ...means].join(", "), bounds(goal, unit)]];
  });
  return markdownTable(["ratio, or value (least..greatest of the rounds)", "measured", "aimed at"], rows);
}

function cell({ median, mean, unit, details }: Figure): string {
  const counted = (name: string, what: string) => {
    const number = details[name] ?? 0;
    return number === 0 ? [] : [`${number.toLocaleString("en")} ${what}`];
  };
  return [
    value(median, unit),
    // Where few slow calls take most of the time, the median alone would hide them.
    ...(mean > 1.5 * median ? [`mean ${value(mean, unit)}`] : []),
    ...counted("rowsWritten", "rows written"),
    ...counted("walBytes", "bytes of WAL"),
  ].join(", ");
}
