import type { Records } from "../records.js";
import type { Store } from "../store.js";

/** A store of im-admin: the six methods, and methods to fill and close it. */
export interface BundledStore extends Store, Records {
  /** Closes what the store has opened, such as a file. Calls after that fail. */
  close(): Promise<void>;
}
