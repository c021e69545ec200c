import { fork } from "node:child_process";
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
  bar.start(results.length * rounds, 0, { job: "" });
  try {
    for (let round = 0; round < rounds; round += 1) {
      for (const trial of trials) {
        const { name } = trial;
        await prepare(trial);
        const measured = results.filter(({ trial }) => trial === name);
        if (round % 2 === 1) measured.reverse();
        // To start a process takes longer than to measure a quick trial, so that its contestants share one.
        const isShared = isQuick || trial.measureInTurns !== undefined;
        for (const together of isShared ? [measured] : measured.map((result) => [result])) {
          const contestants = together.map(({ contestant }) => contestant);
          bar.update({ job: `${name}, ${contestants.join(", ")}` });
          const measurements = await runInChild({ trial: name, contestants, world });
          for (const [index, { rounds }] of together.entries()) rounds.push(...measurements.slice(index, index + 1));
          bar.increment(together.length);
        }
        requireSameAnswers(name, measured);
      }
    }
  } finally {
    bar.stop();
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

async function runInChild(job: Job): Promise<Measurement[]> {
  const child = fork(new URL("child.js", import.meta.url));
  return new Promise((resolve, reject) => {
    let measurements: Measurement[] | undefined;
    child.once("message", (message) => {
      measurements = message as Measurement[];
    });
    child.once("error", reject);
    child.once("exit", (code) => {
      if (measurements !== undefined && code === 0) resolve(measurements);
      else reject(new Error(`${job.trial}, ${job.contestants.join(", ")}: the process ended with ${code}`));
    });
    child.send(job);
  });
}
