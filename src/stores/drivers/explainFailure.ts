import { failedBy, type Result, recover } from "../sqlite/failures.js";

/** Sentences for failures that SQLite explains badly or not at all. */
const sentences: Partial<Record<Result, string>> = {
  NOTADB:
    "it is no SQLite database, or it is encrypted, or its first page is damaged: name another file, or restore a backup",
  CORRUPT: `its pages are damaged: ${recover}`,
  FULL: "the disk is full",
  IOERR:
    "its file system fails to read, write or lock it: look at the disk, and do not put the file on a network file system such as NFS",
  PROTOCOL:
    "its file system cannot lock it as SQLite must: put it on a disk of this machine, not on a network file system such as NFS",
};

/** A sentence for a failure of SQLite that concerns the whole file; undefined for any other failure. */
export function explainFailure(error: unknown): string | undefined {
  return Object.entries(sentences).find(([result]) => failedBy(error, result as Result))?.[1];
}
