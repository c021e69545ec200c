import type { Records } from "../records.js";
import type { Store } from "../store.js";

/** A store that im-admin brings: the six methods, how it is filled, and how it is closed. */
export interface BundledStore extends Store, Records {
  /** Gives back what the store holds, such as an open file; it answers no call after that. */
  close(): Promise<void>;
}
