import type { Statement } from "./writes.js";

/** How a chat server writes. */
export const waysToWrite = ["prepared once", "prepared each time", "without waiting for the disk"] as const;
export type Way = (typeof waysToWrite)[number];

/** What one write costs beside its time. */
export interface Cost {
  /** Rows that im-admin's triggers append. */
  rowsWritten: number;
  /** Bytes of the log of PostgreSQL. */
  walBytes?: number;
}

/** A connection of a chat server. */
export interface Host {
  /** Makes a write, and gives the number of its rows. */
  write(statements: readonly Statement[]): number | Promise<number>;
  /** Runs statements that are not measured, and lets im-admin forget or settle what it has noted. */
  tidy(statements: readonly string[]): unknown;
  /** Makes a write, takes it back, and gives what it costs. */
  costOf(statements: readonly Statement[]): Cost | Promise<Cost>;
  close(): unknown;
}
