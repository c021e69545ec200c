import type { Trial } from "../../trial.js";
import { bulkTrial } from "./bulk.js";
import { conversationsTrial } from "./conversations.js";
import { loadTrial } from "./load.js";
import { mappedTrial } from "./mapped.js";
import { pageTrials } from "./pages.js";
import { statementTrials } from "./statements.js";
import { writeTrials } from "./writes.js";

/** All trials on PostgreSQL. Trials that write come last. */
export const postgresTrials: readonly Trial[] = [
  ...pageTrials,
  loadTrial,
  conversationsTrial,
  ...writeTrials,
  ...statementTrials,
  bulkTrial,
  mappedTrial,
];
