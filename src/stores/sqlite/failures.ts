/** How SQLite calls fail, whatever the engine is. */

/** The results by which they fail, with their numbers. */
const results = {
  ERROR: 1,
  BUSY: 5,
  READONLY: 8,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  PROTOCOL: 15,
  TOOBIG: 18,
  CONSTRAINT: 19,
  MISMATCH: 20,
  NOTADB: 26,
} as const;

export type Result = keyof typeof results;

/** Whether a call of SQLite failed with this result. Engines report it as a name or as a number. */
export function failedBy(error: unknown, result: Result): boolean {
  if (!(error instanceof Error)) return false;
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  // The lowest byte is the result; the others are details.
  if (typeof errcode === "number") return (errcode & 0xff) === results[result];
  return typeof code === "string" && code.startsWith(`SQLITE_${result}`);
}

/** The results that say that a database is not as it should be. The others only say that it could not be read. */
const ofBroken: readonly Result[] = ["ERROR", "CORRUPT", "CONSTRAINT", "MISMATCH", "NOTADB"];

/** Whether an error says that the database is broken. */
export function isBroken(error: unknown): error is Error {
  return ofBroken.some((result) => failedBy(error, result));
}

/**
 * Whether an expression of a map may have failed for a row. D1 and Durable Objects tell the result in the message. What is
 * said of names and texts concerns the statement.
 */
export function isOfRow(error: unknown): boolean {
  const { code = "", errcode = 0 } = error as { code?: unknown; errcode?: number };
  // The numbers are those of the same results. Workers take no table of all results along.
  const isOf = errcode === 1 || errcode === 18 || /SQLITE_(?:ERROR|TOOBIG)/.test(`${code} ${error}`);
  return isOf && !/no such|syntax|malformed database|ambiguous|too (?:many|long)/.test(String(error));
}

/** What SQLite says of a row, without any value of it. */
export function reasonOf(error: unknown): string {
  const [reason] = /malformed JSON|integer overflow|string or blob too big/.exec(String(error)) ?? [];
  return reason ?? "its expression fails";
}

/** Whether SQLite does not understand a definition, and so reads nothing. */
export function isMalformedSchema(error: unknown): boolean {
  return isBroken(error) && error.message.startsWith("malformed database schema");
}

/** The advice for a file of which nothing but the records can be kept. */
export const copy = "copy its records into a new file: im-admin copy --from <this file> --to <new file>";

/** The advice for a file with damaged pages. */
export const recover = "restore a backup, or let the command .recover of the sqlite3 shell make a new file";
