import { requireKnown } from "../../knownOptions.js";
import type { BundledStore } from "../../stores/bundledStore.js";
import { followingOf } from "../../stores/following.js";
import { noClient } from "./failures.js";
import { Follower } from "./follower.js";
import type { OpenimClient } from "./mongo.js";

/** What following has done so far. */
export interface FollowProgress {
  /** Whether a whole copy is being made. The lists meanwhile show what was there before. */
  isCopying: boolean;
  /** How many documents the last copy has read until now. */
  copied: number;
  /** About how many documents there were when the last copy was begun. */
  toCopy: number;
  /** How many whole copies were made. */
  copies: number;
  /** How many changes were applied. */
  changes: number;
  /** How many values were changed, since the database cannot hold them as they are. */
  mended: number;
  /** How many documents were left out, since the database cannot hold their keys. */
  leftOut: number;
  /** How many documents were passed over, since another one with a greater `_id` has their key. */
  passedOver: number;
  /** The `_id` of the last of them; undefined before there was one. */
  lastPassedOver: string | undefined;
  /** Up to when the lists have all changes, in milliseconds since the epoch; undefined before the first copy is whole. */
  heardAt: number | undefined;
  /** Why nothing can be followed at present. It has no host and no password. Following tries again by itself. */
  failure: string | undefined;
}

/** The options of {@link followOpenIm}. */
export interface FollowOptions {
  /**
   * A `MongoClient` of the package `mongodb`, version 6.22 or 7, whose URL names OpenIM's database, or better a function that
   * makes one. Its user needs the role `read` there. The function is called again after each failure, since a client that has
   * seen its servers in another state may never find them again. `followOpenIm` closes the clients that the function makes.
   */
  client: OpenimClient | (() => OpenimClient | Promise<OpenimClient>);
  /** A store in an SQLite file or in PostgreSQL, which nobody else writes to. `followOpenIm` does not close it. */
  store: BundledStore;
  /** Ends following. What has begun is finished. */
  signal?: AbortSignal | undefined;
  /** Is called when something of the progress has changed, at least every five seconds. What it throws is ignored. */
  onChange?: ((progress: FollowProgress) => unknown) | undefined;
  /**
   * Let a copy remove any number of records. Otherwise a copy fails that lacks more than a fifth of a kind, and more
   * than 10.
   * @default false
   */
  yes?: boolean | undefined;
}

/**
 * Makes a copy of OpenIM's records, and then follows what OpenIM writes, until the signal is aborted. It resolves then.
 * MongoDB must be a replica set. When it has lost its history, or somebody has dropped a collection, the copy is made
 * again. After any failure it tries again, after pauses of up to 15 seconds.
 *
 * @throws TypeError for wrong options
 * @throws Error if MongoDB never was a replica set, or does not accept the user
 */
export async function followOpenIm(options: FollowOptions): Promise<void> {
  requireKnown("followOpenIm", options, ["client", "store", "signal", "onChange", "yes"]);
  const { client, store, signal, onChange = () => {}, yes = false } = options;
  if (typeof client !== "function" && typeof client?.db !== "function") throw new TypeError(noClient);
  const target = followingOf(store ?? {});
  if (target === undefined) throw new TypeError("store must be a store of im-admin in a file or in PostgreSQL");
  if (typeof yes !== "boolean") throw new TypeError("yes must be true or false");
  await new Follower({ client, target, onChange, yes }, signal ?? new AbortController().signal).run();
}
