import type { Store } from "../../src/store.js";
import { countAccounts } from "../http/nodeListener.js";
import type { Database } from "./databases/databaseKind.js";

/** How long a failure to open the database is remembered, in milliseconds. */
const failureTime = 10_000;
/** How long the time of the last import is remembered, in milliseconds. */
const lastImportTime = 1_000;

/** The database of `serve`. It may be a copy of OpenIM's: while that cannot be used, OpenIM answers the lists. */
export class ServedDatabase {
  readonly #open: () => Promise<Database>;
  readonly #maxAge: number;
  #opening: Promise<Database> | undefined;
  #lastImport: { time: number | undefined; readAt: number } | undefined;

  /** @param maxAge how old a copy may be, in seconds */
  constructor(open: () => Promise<Database>, maxAge = Number.POSITIVE_INFINITY) {
    this.#open = open;
    this.#maxAge = maxAge;
  }

  /** The open database. If it cannot be opened, a call ten seconds later tries again. */
  opened(): Promise<Database> {
    if (this.#opening === undefined) {
      this.#opening = this.#open();
      this.#opening.catch(() => setTimeout(() => (this.#opening = undefined), failureTime).unref());
    }
    return this.#opening;
  }

  /** The store of a copy. Rejects if it cannot be opened, has never been filled, or is too old. */
  async copy(): Promise<Store> {
    const database = await this.opened();
    const age = await this.copyAge();
    if (age === undefined)
      throw new Error("the copy has never been whole: im-admin follow or im-admin import --replace fills it");
    if (age > this.#maxAge) throw new Error(`the copy is ${age} seconds old, more than --max-copy-age allows`);
    return database.store;
  }

  /** How old a copy is, in seconds; undefined if it has never been filled. */
  async copyAge(): Promise<number | undefined> {
    const now = Date.now();
    if (this.#lastImport === undefined || Math.abs(now - this.#lastImport.readAt) > lastImportTime) {
      this.#lastImport = { time: await (await this.opened()).lastImport(), readAt: now };
    }
    const { time } = this.#lastImport;
    return time === undefined ? undefined : Math.max(0, Math.floor((now - time) / 1000));
  }

  /** What the health check tells. Rejects if the database does not answer. */
  async health(): Promise<object> {
    await countAccounts((await this.opened()).store);
    const copyAgeSeconds = await this.copyAge();
    const isTooOld = (copyAgeSeconds ?? Number.POSITIVE_INFINITY) > this.#maxAge;
    return {
      ...(isTooOld && { status: "the copy is older than --max-copy-age allows" }),
      ...(copyAgeSeconds !== undefined && { copyAgeSeconds }),
    };
  }

  async close(): Promise<void> {
    const database = await this.#opening?.catch(() => undefined);
    await database?.close();
  }
}
