/** Measures one trial of one contestant, in a process of its own, so that no other trial disturbs it. */

import { trialsOf } from "./editions.js";
import type { Job } from "./trial.js";

process.once("message", async ({ trial: name, contestant, world }: Job) => {
  const trial = trialsOf(world).find((trial) => trial.name === name);
  if (trial === undefined) throw new Error(`there is no trial ${name}`);
  process.send?.(await trial.measure(contestant, world), () => process.disconnect());
});
