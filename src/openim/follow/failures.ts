/** What MongoDB's failures mean. Messages of its driver are not repeated: they may have hosts and parts of passwords. */

/** The changes after a place are not to be had any more: the copy has to be made again. */
export class HistoryLost extends Error {}

/** Nobody cures this by waiting. */
export class Refused extends Error {}

const lostCodes = new Set([
  136, // CappedPositionLost
  260, // InvalidResumeToken
  280, // ChangeStreamFatalError
  286, // ChangeStreamHistoryLost
  10334, // BSONObjectTooLarge
]);

const noReplicaSet =
  "this MongoDB is no replica set, and only a replica set tells of changes: start mongod with --replSet and a keyFile, and " +
  "call rs.initiate with a host name that OpenIM resolves, or let a timer run im-admin import";

const refusals: Readonly<Record<number, string>> = {
  40573: noReplicaSet,
  13: "MongoDB gives this user no right to read OpenIM's database and to follow its changes: give it the role read there",
  18: "MongoDB does not accept this user and password",
  8000: "MongoDB does not accept this user and password",
};

const unreachable =
  "MongoDB cannot be reached: look whether it runs, whether its URL has the right host and replica set, and whether " +
  "this machine can resolve the hosts that rs.conf() names";

const unreachableErrors = new Set([
  "MongoServerSelectionError",
  "MongoTopologyClosedError",
  "MongoNetworkError",
  "MongoNetworkTimeoutError",
]);

/** A failure in words that tell nothing secret. Others than MongoDB's stay as they are. */
export function explained(error: unknown): Error {
  if (!(error instanceof Error)) return new Error("something that is no error was thrown");
  // Node says itself that it does not find the servers of a URL that begins with mongodb+srv.
  const isOfSrv = /^query/.test(String((error as { syscall?: unknown }).syscall));
  if (isOfSrv || unreachableErrors.has(error.name)) return new Error(unreachable);
  if (!/^Mongo/.test(error.name)) return error;
  const { code, codeName, hasErrorLabel } = error as { code?: unknown; codeName?: unknown; hasErrorLabel?: unknown };
  const isFatal =
    typeof hasErrorLabel === "function" && hasErrorLabel.call(error, "NonResumableChangeStreamError") === true;
  const refusal = refusals[Number(code)];
  if (refusal !== undefined) return new Refused(refusal);
  const named = [error.name, code, codeName].filter((part) => /^\w+$/.test(String(part ?? ""))).join(" ");
  if (lostCodes.has(Number(code)) || isFatal) {
    return new HistoryLost(`MongoDB cannot tell what has changed since (${named})`);
  }
  return new Error(`MongoDB cannot be read (${named})`);
}
