/** Explains why a database in PostgreSQL cannot be used, and what to do about it. */
export function explainPostgres(error: unknown, name: string): Error {
  const message = error instanceof Error ? error.message : String(error);
  const code = (error as { code?: unknown })?.code;
  const reason = reasonFor(code, message);
  // The database is all right where the server refuses a statement, such as one of a map.
  const isRefused = reason === undefined && typeof code === "string" && /^(?:22|23|42|IM|P0)[0-9A-Z]{3}$/.test(code);
  const problem = isRefused ? `${name}: ${message}` : `cannot use the database ${name}: ${reason ?? message}`;
  return new Error(problem, { cause: error });
}

const password = "give the right one in the URL, in PGPASSWORD, or in the file ~/.pgpass";

function reasonFor(code: unknown, message: string): string | undefined {
  switch (code) {
    case "ECONNREFUSED":
    case "ENOENT":
      return "no PostgreSQL server listens there: start it, or name another host or port";
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return "no address is known for this host: name another";
    case "ECONNRESET":
    case "EPIPE":
    case "EHOSTUNREACH":
    case "ENETUNREACH":
    case "ETIMEDOUT":
      return unreachable;
    case "28P01":
      return `the password is wrong, or there is no such user: ${password}`;
    case "28000":
      return `${message}: name another user, or allow this one in the server's pg_hba.conf`;
    case "3D000":
      return "there is no such database: make it with createdb, or name another";
    case "25006":
      return "this server only reads: name the one that it is a replica of";
    case "42501":
      return `${message}: name the user who owns it, or GRANT the right`;
    case "53300":
      return "the server has no connection left: end some, or raise its max_connections";
    case "57014":
    case "55P03":
    case "25P03":
      return `${message}: raise the limit of time that the server or this user has for it, and try again`;
    case "57P03":
      return "the server is about to start or to stop: try again";
  }
  // Messages of the server itself have a code of five characters.
  if (typeof code === "string" && code.length === 5 && /^[0-9A-Z]+$/.test(code)) return undefined;
  if (message.startsWith("SASL: ") && message.includes("password must be")) return `a password is needed: ${password}`;
  if (message.includes("does not support SSL")) return `${message}: leave sslmode out of the URL, or turn ssl on there`;
  if (message.includes("timeout") || message.startsWith("Connection terminated")) return unreachable;
  return undefined;
}

const unreachable = "the server does not answer: look whether it runs, and whether a firewall stands before it";
