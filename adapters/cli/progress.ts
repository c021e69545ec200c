import { SingleBar } from "cli-progress";

/** What a bar takes of a line beside its label and itself: brackets, percentage and time left, and the cursor. */
const besideBar = 24;
const shortestBar = 4;
const longestBar = 40;

/** A bar that goes as far as the work it stands for. */
export interface ProgressBar {
  start(total: number, done: number): void;
  update(done: number): void;
  stop(): void;
}

/**
 * A bar on a terminal, which it leaves as it was also when it is interrupted; nothing where the output is piped, or the
 * terminal has no cursor that can be moved.
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

/** A bar that is told how many of how many steps are done; it begins with the first and ends with the last. */
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
