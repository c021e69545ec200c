import cluster from "node:cluster";
import { constants, openSync } from "node:fs";
import pino, { type Logger } from "pino";
import { linesForPeople } from "./linesForPeople.js";
import { LineWriter } from "./lineWriter.js";

/** What a log may leave out, from the least that it leaves out to all. */
export const logLevels = ["debug", "info", "warn", "error", "silent"] as const;

export type LogLevel = (typeof logLevels)[number];

/** A log, and its end. */
export interface Log {
  logger: Logger;
  /** Resolves when all lines are written; of a log that nobody reads, after half a second. */
  end(): Promise<void>;
}

/** How long the end of the process waits for whoever reads the log, in milliseconds. */
const flushTime = 500;

/** A log on standard error: lines of JSON, or, on a terminal, for people. One that nobody reads, or that cannot be written, does not stop the service. */
export function createLog(level: LogLevel): Log {
  const writer = new LineWriter(standardError(), (dropped) => {
    logger.error({ dropped }, "lines of the log were dropped, since nobody read them or they could not be written");
  });
  const format = process.stderr.isTTY ? linesForPeople(process.stderr.hasColors()) : withoutControls;
  // Of several processes, it says which one.
  const base = cluster.isWorker ? { pid: process.pid } : null;
  const logger = pino({ level, base }, { write: (line) => writer.write(format(line)) });
  return { logger, end: () => writer.flush(flushTime) };
}

/** Standard error, in such a way that a write fails rather than waits for a reader. */
function standardError(): number {
  // Node has made a pipe or a socket so when it made process.stderr. With a terminal it does the opposite.
  if (!process.stderr.isTTY) return 2;
  try {
    return openSync("/dev/fd/2", constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return 2;
  }
}

/** Escapes what JSON need not and terminals obey, or take for the end of a line. */
function withoutControls(line: string): string {
  return line.replace(/[\x7f-\x9f\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
