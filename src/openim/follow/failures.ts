/** What MongoDB's failures mean. Messages of its driver are not repeated: they may have hosts and parts of passwords. */
import { isUnreachable, unreachable, whyUnreachable } from "./unreachable.js";

/** Why a database without records is not copied. */
export const nothingThere =
  "this database has no records of OpenIM: does MongoDB's URL end with the name of OpenIM's database? If OpenIM has no " +
  "user yet, wait, or let im-admin follow once with --yes";

/** Why something is no client of MongoDB. */
export const noClient = "client must be a MongoClient of the package mongodb, or a function that makes one";

/** The changes after a place are not to be had any more: the copy has to be made again. */
export class HistoryLost extends Error {}

/** Nobody cures this by waiting. */
export class Refused extends Error {}

/** MongoDB has not answered for so long that this connection is given up. */
export class Silent extends Error {
  constructor() {
    super("MongoDB takes connections, but does not answer: look at its log, and at the network between");
  }
}

const lostCodes = new Set([
  136, // CappedPositionLost
  260, // InvalidResumeToken
  280, // ChangeStreamFatalError
  286, // ChangeStreamHistoryLost
  10334, // BSONObjectTooLarge
]);

const isNoReplicaSet = 40573;

const noReplicaSet =
  "this MongoDB is no replica set, and only a replica set tells of changes: start mongod with --replSet and a keyFile, and " +
  "call rs.initiate with a host name that OpenIM resolves, or let a timer run im-admin import";

const noReplicaSetNow =
  "MongoDB is no replica set now, and tells of no changes: it runs alone, as for maintenance; start mongod with --replSet";

const refusals: Readonly<Record<number, string>> = {
  [isNoReplicaSet]: noReplicaSet,
  13: "MongoDB gives this user no right to read OpenIM's database and to follow its changes: give it the role read there",
  18: "MongoDB does not accept this user and password",
  8000: "MongoDB does not accept this user and password",
};

/**
 * A failure in words that tell nothing secret. Others than MongoDB's stay as they are.
 *
 * @param hasFollowed whether this MongoDB was a replica set before
 */
export function explained(error: unknown, hasFollowed: boolean): Error {
  if (!(error instanceof Error)) return new Error("something that is no error was thrown");
  // Node says itself that it does not find the servers of a URL that begins with mongodb+srv.
  if (/^query/.test(String((error as { syscall?: unknown }).syscall))) return new Error(unreachable);
  if (isUnreachable(error)) return new Error(whyUnreachable(error));
  if (!/^Mongo/.test(error.name)) return error;
  const { code, codeName, hasErrorLabel } = error as { code?: unknown; codeName?: unknown; hasErrorLabel?: unknown };
  const isFatal =
    typeof hasErrorLabel === "function" && hasErrorLabel.call(error, "NonResumableChangeStreamError") === true;
  if (Number(code) === isNoReplicaSet && hasFollowed) return new Error(noReplicaSetNow);
  const refusal = refusals[Number(code)];
  if (refusal !== undefined) return new Refused(refusal);
  const named = [error.name, code, codeName].filter((part) => /^\w+$/.test(String(part ?? ""))).join(" ");
  if (lostCodes.has(Number(code)) || isFatal) {
    return new HistoryLost(`MongoDB cannot tell what has changed since (${named})`);
  }
  return new Error(`MongoDB cannot be read (${named})`);
}
