import { SingleBar } from "cli-progress";

/** A bar on a terminal, which it leaves as it was also when it is interrupted; nothing where the output is piped. */
export function progressBar(label: string): SingleBar {
  return new SingleBar({
    format: `${label} [{bar}] {percentage}% {eta_formatted}`,
    stream: process.stderr,
    clearOnComplete: true,
    linewrap: true,
  });
}

/** A bar that is told how many of how many steps are done; it begins with the first and ends with the last. */
export function stepBar(label: string): (done: number, steps: number) => void {
  let bar: SingleBar | undefined;
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
