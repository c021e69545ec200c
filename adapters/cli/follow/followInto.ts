import { type FollowProgress, followOpenIm } from "../../../src/openim/index.js";
import type { DatabaseFlags, DatabaseKind } from "../databases/databaseKind.js";
import { mongoClients } from "./mongoClient.js";

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
  const client = await mongoClients(url, flag);
  const database = await kind.openToServe({ ...flags, threads: 0, cachedKilobytes });
  try {
    await followOpenIm({ client, store: database.store, signal, onChange, yes });
  } finally {
    await database.close();
  }
}
