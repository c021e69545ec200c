import pino, { type Logger } from "pino";

/** What a log may leave out, from the least that it leaves out to all. */
export const logLevels = ["debug", "info", "warn", "error", "silent"] as const;

export type LogLevel = (typeof logLevels)[number];

/** A log of JSON lines on standard error. One that cannot be written, on a full disk, does not end the service. */
export function createLogger(level: LogLevel): Logger {
  // Written at once, so that nothing is left unwritten when the process ends.
  const standardError = pino.destination({ dest: 2, sync: true }).on("error", () => {});
  return pino({ level, base: null }, standardError);
}
