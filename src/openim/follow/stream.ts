/** What is asked of MongoDB's stream of changes, and what it tells. */
import { collectionNames } from "../collections.js";
import { type Change, type OpenimStream, tokenText } from "./mongo.js";

/** What happens to whole collections. */
export const wholeChanges = new Set(["drop", "rename", "dropDatabase", "invalidate"]);

const isOurs = { $in: collectionNames };

/**
 * Only changes of our collections, and those of whole ones, are told. What an update has written is left out: it stands in
 * the whole document, too, and together they could be longer than the 16 MiB that MongoDB can send.
 */
export const pipeline = [
  {
    $match: {
      $or: [{ "ns.coll": isOurs }, { "to.coll": isOurs }, { operationType: { $in: ["dropDatabase", "invalidate"] } }],
    },
  },
  { $project: { updateDescription: 0 } },
];

/** The present place of a stream. */
export async function placeOf(stream: OpenimStream): Promise<string> {
  await stream.tryNext();
  if (stream.resumeToken == null) throw new Error("MongoDB names no place in its changes: it must be 4.4 or newer");
  return tokenText(stream.resumeToken);
}

/** When the last change was made, by MongoDB's clock. */
export function timeOf(changes: readonly Change[]): number {
  return ((changes.at(-1)?.clusterTime?.high ?? 0) >>> 0) * 1000;
}
