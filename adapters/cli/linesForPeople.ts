import { prettyFactory } from "pino-pretty";

/** Turns a line of the log, which is JSON, into a line for a person at a terminal. */
export function linesForPeople(isColored: boolean): (line: string) => string {
  const pretty = prettyFactory({
    colorize: isColored,
    translateTime: "SYS:HH:MM:ss",
    // The message of a request has these fields.
    ignore: "method,path,status,bytes,durationMs,operation,operationID,errCode,adminUserID",
    messageFormat: (line, messageKey) => requestLine(line) ?? String(line[messageKey]),
  });
  return (line) => pretty(JSON.parse(line, (_, value) => (typeof value === "string" ? harmless(value) : value)));
}

/** Describes a request and its answer; undefined for a line about something else. */
function requestLine(line: Record<string, unknown>): string | undefined {
  const { method, path, status, durationMs, operation, errCode, adminUserID, operationID, msg } = line;
  if (method === undefined) return undefined;
  const outcome = status === undefined ? msg : `${status} in ${durationMs} ms`;
  const call = operation === undefined ? [] : [`${operation}: ${errCode === 0 ? "done" : errCode}`];
  const names = [adminUserID && `for ${adminUserID}`, operationID && `(${operationID})`].filter(Boolean);
  return [method, path, outcome, ...call, ...names].join(" ");
}

/** Replaces control characters, which a terminal would obey, but not the line breaks of a stack. */
function harmless(text: string): string {
  return text.replace(/[^\P{Cc}\n]/gu, "\ufffd");
}
