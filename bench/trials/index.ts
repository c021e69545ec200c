import type { Trial } from "../trial.js";
import { batchTrials } from "./batches.js";
import { bulkTrials } from "./bulk.js";
import { conversationsTrial } from "./conversations.js";
import { httpTrials } from "./http.js";
import { httpLoadTrials } from "./httpLoad.js";
import { listTrials } from "./lists.js";
import { mappedTrial } from "./mapped.js";
import { searchTrials } from "./search.js";
import { writeTrials } from "./writes.js";

/** All trials. Trials that write come last, since they leave free pages in the files. */
export const trials: readonly Trial[] = [
  ...listTrials,
  ...searchTrials,
  ...httpTrials,
  conversationsTrial,
  ...httpLoadTrials,
  ...writeTrials,
  ...batchTrials,
  ...bulkTrials,
  mappedTrial,
];
