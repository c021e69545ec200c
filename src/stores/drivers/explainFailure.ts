import { recover } from "../sqlite/comparison.js";
import { failedBy, type Result } from "./connection.js";

/** Sentences for failures that SQLite explains badly or not at all. */
const sentences: Partial<Record<Result, string>> = {
  NOTADB:
    "it is no SQLite database, or it is encrypted, or its first page is damaged: name another file, or restore a backup",
  CORRUPT: `its pages are damaged: ${recover}`,
  FULL: "the disk is full",
};

/** A sentence for a failure of SQLite that concerns the whole file; undefined for any other failure. */
export function explainFailure(error: unknown): string | undefined {
  return Object.entries(sentences).find(([result]) => failedBy(error, result as Result))?.[1];
}
