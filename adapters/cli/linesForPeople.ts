import { prettyFactory } from "pino-pretty";

/** Makes of a line of the log, which is JSON, one that a person reads on a terminal. */
export function linesForPeople(isColored: boolean): (line: string) => string {
  const pretty = prettyFactory({
    colorize: isColored,
    translateTime: "SYS:HH:MM:ss",
    // A request says all of itself in its message.
    ignore: "method,path,status,bytes,durationMs,operation,operationID,errCode,adminUserID",
    messageFormat: (line, messageKey) => requestLine(line) ?? String(line[messageKey]),
  });
  return (line) => pretty(JSON.parse(line, (_, value) => (typeof value === "string" ? harmless(value) : value)));
}

/** What was asked, and what came of it; undefined for a line about something else. */
function requestLine(line: Record<string, unknown>): string | undefined {
  const { method, path, status, durationMs, operation, errCode, adminUserID, operationID, msg } = line;
  if (method === undefined) return undefined;
  const outcome = status === undefined ? msg : `${status} in ${durationMs} ms`;
  const call = operation === undefined ? [] : [`${operation}: ${errCode === 0 ? "done" : errCode}`];
  const names = [adminUserID && `for ${adminUserID}`, operationID && `(${operationID})`].filter(Boolean);
  return [method, path, outcome, ...call, ...names].join(" ");
}

/** What a terminal would obey is replaced; lines of a stack stay lines. */
function harmless(text: string): string {
  return text.replace(/[^\P{Cc}\n]/gu, "\ufffd");
}
