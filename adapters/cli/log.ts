import cluster from "node:cluster";
import { constants, openSync } from "node:fs";
import pino, { type Logger } from "pino";
import { linesForPeople } from "./linesForPeople.js";
import { LineWriter } from "./lineWriter.js";

/** The levels, from the one that logs everything to the one that logs nothing. */
export const logLevels = ["debug", "info", "warn", "error", "silent"] as const;

export type LogLevel = (typeof logLevels)[number];

/** A log, and a function that ends it. */
export interface Log {
  logger: Logger;
  /** Resolves when all lines are written. If nobody reads the log, it resolves after half a second. */
  end(): Promise<void>;
}

/** How long the process waits at its end for the reader of the log, in milliseconds. */
const flushTime = 500;

/**
 * A log on standard error, in JSON or, on a terminal, in lines for people. The service goes on if nobody reads it or a
 * write fails.
 */
export function createLog(level: LogLevel): Log {
  const writer = new LineWriter(standardError(), (dropped) => {
    logger.error({ dropped }, "lines of the log were dropped, since nobody read them or they could not be written");
  });
  const format = process.stderr.isTTY ? linesForPeople(process.stderr.hasColors()) : withoutControls;
  // If there are several processes, tell them apart.
  const base = cluster.isWorker ? { pid: process.pid } : null;
  const logger = pino({ level, base }, { write: (line) => writer.write(format(line)) });
  return { logger, end: () => writer.flush(flushTime) };
}

/** Standard error as a descriptor whose writes fail instead of waiting for a reader. */
function standardError(): number {
  // Node did that to a pipe or a socket when it made process.stderr. On a terminal, it did the opposite.
  if (!process.stderr.isTTY) return 2;
  try {
    return openSync("/dev/fd/2", constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    return 2;
  }
}

/** Escapes characters that JSON allows, but that terminals obey or take for the end of a line. */
function withoutControls(line: string): string {
  return line.replace(/[\x7f-\x9f\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
