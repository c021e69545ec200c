const reasons: Readonly<Record<string, string>> = {
  ENOENT: "it is not there",
  EISDIR: "it is a folder",
  ENOTDIR: "it is no folder",
  EACCES: "this user has no right to it",
  EPERM: "this user has no right to it",
  EROFS: "the disk cannot be written to",
  ENOSPC: "the disk is full",
};

/** Why something failed. If a file or a folder is the cause, it uses words for people. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return reasons[(error as NodeJS.ErrnoException).code ?? ""] ?? error.message;
}
