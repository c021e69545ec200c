/** Why MongoDB's driver reaches no server that it may ask. */

export const unreachable =
  "MongoDB cannot be reached: look whether it runs, whether its URL has the right host and replica set, and whether " +
  "this machine can resolve the hosts that rs.conf() names";

const tooOld =
  "this MongoDB is too old for the installed version of the package mongodb: upgrade MongoDB, or install mongodb@6";

const noMember =
  "no host in MongoDB's URL is a member of its replica set now: mongod runs alone, as for maintenance, or the replica " +
  "set has another name than the URL says";

const notInitiated = "MongoDB's replica set has not been initiated: call rs.initiate";

const noPrimary =
  "MongoDB's replica set has no primary at present: look at rs.status(), if that does not change by itself";

const unresolved =
  "MongoDB's host name cannot be resolved: look at its URL, and whether this machine can resolve the hosts that " +
  "rs.conf() names";

/** The error of the system, and what it means. */
const systemErrors: Readonly<Record<string, string>> = {
  ECONNREFUSED: "no MongoDB listens at the host and port of its URL: look whether mongod runs",
  ENOTFOUND: unresolved,
  EAI_AGAIN: unresolved,
};

const unreachableErrors = new Set([
  "MongoServerSelectionError",
  "MongoTopologyClosedError",
  "MongoNetworkError",
  "MongoNetworkTimeoutError",
  "MongoCompatibilityError",
]);

export function isUnreachable({ name }: Error): boolean {
  return unreachableErrors.has(name);
}

/** What the driver knows of a server. */
interface ServerDescription {
  type?: string;
  error?: unknown;
}

/** What the driver knows of all servers, which it gives as the reason if it can select none. */
interface TopologyDescription {
  compatible?: boolean;
  servers?: ReadonlyMap<string, ServerDescription>;
}

/** The cause in a sentence, without hosts. */
export function whyUnreachable(error: Error): string {
  if (error.name === "MongoCompatibilityError") return tooOld;
  const { reason } = error as { reason?: TopologyDescription };
  if (!(reason?.servers instanceof Map)) return sentenceOf(error) ?? unreachable;
  const servers: ServerDescription[] = [...reason.servers.values()];
  const isTooOld = servers.some(({ error }) => (error as Error | undefined)?.name === "MongoCompatibilityError");
  if (isTooOld || reason.compatible === false) return tooOld;
  // The driver forgets each server that is no member of the set.
  if (servers.length === 0) return noMember;
  if (servers.some(({ type }) => type === "RSGhost")) return notInitiated;
  if (servers.some(({ type = "Unknown" }) => type.startsWith("RS"))) return noPrimary;
  const sentences = new Set(servers.map(({ error }) => sentenceOf(error)));
  return (sentences.size === 1 && [...sentences][0]) || unreachable;
}

/** What an error of the system means that has led to another one. */
function sentenceOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const sentence = systemErrors[String((error as { code?: unknown }).code)];
  return sentence ?? sentenceOf(error.cause);
}
