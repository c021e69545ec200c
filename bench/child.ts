/** Measures trials in a process of its own, so that no other one disturbs them. It ends when it is disconnected. */

import { editionOf } from "./editions.js";
import type { Measurement } from "./measure.js";
import type { Job } from "./trial.js";

process.on("message", async ({ trial: name, contestants, world }: Job) => {
  const trial = editionOf(world).trials.find((trial) => trial.name === name);
  if (trial === undefined) throw new Error(`there is no trial ${name}`);
  const measurements: Measurement[] = [];
  if (trial.measureInTurns !== undefined) measurements.push(...(await trial.measureInTurns(contestants, world)));
  else for (const contestant of contestants) measurements.push(await trial.measure(contestant, world));
  process.send?.(measurements);
});
