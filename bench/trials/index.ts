import type { Trial } from "../trial.js";
import { batchTrials } from "./batches.js";
import { blockTrials } from "./blocks.js";
import { bulkTrials } from "./bulk.js";
import { conversationsTrial } from "./conversations.js";
import { d1Trials } from "./d1.js";
import { fairnessTrials } from "./fairness.js";
import { functionTrials } from "./functions.js";
import { hostileTrials } from "./hostile.js";
import { httpTrials } from "./http.js";
import { httpLoadTrials } from "./httpLoad.js";
import { knownKeyTrials } from "./knownKey.js";
import { listTrials } from "./lists.js";
import { loadTrials } from "./load.js";
import { mappedTrial } from "./mapped.js";
import { searchTrials } from "./search.js";
import { writeTrials } from "./writes.js";

/** All trials. Trials that write come last, since they leave free pages in the files. */
export const trials: readonly Trial[] = [
  ...listTrials,
  ...knownKeyTrials,
  ...searchTrials,
  ...hostileTrials,
  ...d1Trials,
  ...httpTrials,
  ...loadTrials,
  ...functionTrials,
  conversationsTrial,
  ...httpLoadTrials,
  ...fairnessTrials,
  ...blockTrials,
  ...writeTrials,
  ...batchTrials,
  ...bulkTrials,
  mappedTrial,
];
