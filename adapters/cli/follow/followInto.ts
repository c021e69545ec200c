import { type FollowProgress, followOpenIm } from "../../../src/openim/index.js";
import type { DatabaseFlags, DatabaseKind } from "../databases/databaseKind.js";
import { mongoClient } from "./mongoClient.js";

/** What is followed, and into which database. */
export interface Followed {
  /** MongoDB's URL. */
  url: string;
  /** The flag that named it. */
  flag: string;
  database: DatabaseFlags;
  /** Whether a copy may remove any number of records. */
  yes: boolean;
}

/** A larger cache does not make following faster. */
const cachedKilobytes = 8_192;

/** Follows OpenIM until the signal is aborted. */
export async function followInto(
  kind: DatabaseKind,
  { url, flag, database: flags, yes }: Followed,
  signal: AbortSignal,
  onChange: (progress: FollowProgress) => void,
): Promise<void> {
  const client = await mongoClient(url, flag);
  const database = await kind.openToServe({ ...flags, threads: 0, cachedKilobytes });
  // What waits for MongoDB ends at once.
  const close = () => void client.close(true).catch(() => {});
  signal.addEventListener("abort", close);
  try {
    await followOpenIm({ client, store: database.store, signal, onChange, yes });
  } finally {
    signal.removeEventListener("abort", close);
    await client.close().catch(() => {});
    await database.close();
  }
}
