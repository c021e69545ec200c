import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { SingleBar } from "cli-progress";
import type { Measurement } from "./measure.js";
import type { Options } from "./options.js";
import type { Job, Trial } from "./trial.js";
import type { World } from "./world.js";

/** All that one contestant did in a trial, round by round. */
export interface Result {
  trial: string;
  contestant: string;
  unit: Trial["unit"];
  rounds: Measurement[];
}

/**
 * Runs all trials in each round, their contestants in alternating order, each in a process of its own unless they take turns.
 * A quick run has one process for all.
 *
 * @param prepare what comes before a trial in each round
 */
export async function runRounds(
  trials: readonly Trial[],
  world: World,
  { rounds, isQuick }: Options,
  prepare: (trial: Trial) => Promise<void>,
): Promise<Result[]> {
  const results = trials.flatMap(({ name, unit, contestants }) =>
    contestants.map((contestant): Result => ({ trial: name, contestant, unit, rounds: [] })),
  );
  const bar = progressBar();
  let child: ChildProcess | undefined;
  bar.start(results.length * rounds, 0, { job: "" });
  try {
    for (let round = 0; round < rounds; round += 1) {
      for (const trial of trials) {
        const { name } = trial;
        await prepare(trial);
        const measured = results.filter(({ trial }) => trial === name);
        if (round % 2 === 1) measured.reverse();
        const isShared = isQuick || trial.measureInTurns !== undefined;
        for (const together of isShared ? [measured] : measured.map((result) => [result])) {
          const contestants = together.map(({ contestant }) => contestant);
          bar.update({ job: `${name}, ${contestants.join(", ")}` });
          child ??= fork(new URL("child.js", import.meta.url));
          const measurements = await runIn(child, { trial: name, contestants, world });
          for (const [index, { rounds }] of together.entries()) rounds.push(...measurements.slice(index, index + 1));
          bar.increment(together.length);
          if (!isQuick) child = await ended(child);
        }
        requireSameAnswers(name, measured);
      }
    }
  } finally {
    bar.stop();
    child?.kill();
  }
  return results;
}

function progressBar(): SingleBar {
  return new SingleBar({
    format: "[{bar}] {value}/{total} {eta_formatted} {job}",
    stream: process.stderr,
    clearOnComplete: true,
    noTTYOutput: true,
    notTTYSchedule: 10_000,
  });
}

/** A comparison of different answers would be worthless. */
function requireSameAnswers(name: string, results: readonly Result[]): void {
  const answers = new Set(results.map(({ rounds }) => rounds.at(-1)?.answers));
  if (answers.size > 1) throw new Error(`${name}: the contestants do not give the same answers`);
}

function runIn(child: ChildProcess, job: Job): Promise<Measurement[]> {
  return new Promise((resolve, reject) => {
    const fail = (reason: unknown) => {
      reject(new Error(`${job.trial}, ${job.contestants.join(", ")}: the process ended with ${reason}`));
    };
    child.once("exit", fail);
    child.once("error", fail);
    child.once("message", (measurements) => {
      child.off("exit", fail).off("error", fail);
      resolve(measurements as Measurement[]);
    });
    child.send(job);
  });
}

/** Has a process end by itself, so that it closes what it has opened. */
async function ended(child: ChildProcess): Promise<undefined> {
  if (child.connected) child.disconnect();
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  if (child.exitCode !== 0) throw new Error(`a process that had measured ended with ${child.exitCode}`);
  return undefined;
}
