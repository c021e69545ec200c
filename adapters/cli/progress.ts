import { SingleBar } from "cli-progress";

/** The columns for all but the label and the bar itself: brackets, percentage, time left and the cursor. */
const besideBar = 24;
const shortestBar = 4;
const longestBar = 40;

/** A bar that shows how much of the work is done. */
export interface ProgressBar {
  start(total: number, done: number): void;
  update(done: number): void;
  stop(): void;
}

/**
 * A bar on a terminal, which it restores even after an interruption. It draws nothing into a pipe, or on a terminal whose
 * cursor cannot move.
 */
export function progressBar(label: string): ProgressBar {
  const { isTTY, columns = 80 } = process.stderr;
  if (!isTTY || process.env["TERM"] === "dumb") return noBar;
  const shown = label.slice(0, Math.max(0, columns - besideBar - shortestBar));
  return new SingleBar({
    format: `${shown} [{bar}] {percentage}% {eta_formatted}`,
    barsize: Math.min(longestBar, Math.max(shortestBar, columns - shown.length - besideBar)),
    stream: process.stderr,
    clearOnComplete: true,
    linewrap: true,
  });
}

const noBar: ProgressBar = { start() {}, update() {}, stop() {} };

/** Returns a function that shows how many steps are done. The bar appears with the first step and goes with the last. */
export function stepBar(label: string): (done: number, steps: number) => void {
  let bar: ProgressBar | undefined;
  return (done, steps) => {
    if (bar === undefined) {
      bar = progressBar(label);
      bar.start(steps, 0);
    }
    bar.update(done);
    if (done < steps) return;
    bar.stop();
    bar = undefined;
  };
}
