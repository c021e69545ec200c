import type { Store } from "../../src/store.js";
import type { Database } from "./databases/databaseKind.js";

/** How long a failure to open the database is remembered, in milliseconds. */
const failureTime = 10_000;
/** How long the time of the last import is remembered, in milliseconds. */
const lastImportTime = 1_000;

/** What is known of a copy of OpenIM's. */
interface Copy {
  /** Whether the database is a copy, also before it has been filled. */
  isCopy: boolean;
  /** How old it may be, in seconds. */
  maxAge?: number | undefined;
}

/** The database of `serve`. It may be a copy of OpenIM's: while that cannot be used, OpenIM answers the lists. */
export class ServedDatabase {
  readonly #open: () => Promise<Database>;
  readonly #isCopy: boolean;
  readonly #maxAge: number;
  #opening: Promise<Database> | undefined;
  #lastImport: { time: number | undefined; readAt: number } | undefined;

  constructor(open: () => Promise<Database>, { isCopy, maxAge = Number.POSITIVE_INFINITY }: Copy) {
    this.#open = open;
    this.#isCopy = isCopy;
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
    const time = await this.#copiedAt();
    if (time === undefined)
      throw new Error("the copy has never been whole: im-admin follow or im-admin import --replace fills it");
    const age = ageOf(time);
    if (age > this.#maxAge) throw new Error(`the copy is ${age} seconds old, more than --max-copy-age allows`);
    return database.store;
  }

  /**
   * How old a copy is, in seconds; undefined if the database is no copy. One that has never been whole is as old as if it
   * had been made in 1970, so that alarms go off.
   */
  async copyAge(): Promise<number | undefined> {
    const time = await this.#copiedAt();
    return time === undefined && !this.#isCopy ? undefined : ageOf(time ?? 0);
  }

  /** What the health check tells. Rejects if the database does not answer. */
  async health(): Promise<object> {
    // It reads a table of im-admin's alone: a row or a lock of a host says nothing of the database.
    await (await this.opened()).lastImport();
    const copyAgeSeconds = await this.copyAge();
    const isTooOld = (copyAgeSeconds ?? 0) > this.#maxAge;
    return {
      ...(isTooOld && { status: "the copy is older than --max-copy-age allows" }),
      ...(copyAgeSeconds !== undefined && { copyAgeSeconds }),
    };
  }

  /** Up to when a copy has all changes; undefined if it has never been whole. */
  async #copiedAt(): Promise<number | undefined> {
    const now = Date.now();
    if (this.#lastImport === undefined || Math.abs(now - this.#lastImport.readAt) > lastImportTime) {
      this.#lastImport = { time: await (await this.opened()).lastImport(), readAt: now };
    }
    return this.#lastImport.time;
  }

  async close(): Promise<void> {
    const database = await this.#opening?.catch(() => undefined);
    await database?.close();
  }
}

function ageOf(time: number): number {
  return Math.max(0, Math.floor((Date.now() - time) / 1000));
}
