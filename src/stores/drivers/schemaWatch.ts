/** Notices that the schema of a file has changed: a map was installed, or a host's migration has taken triggers away. */
import { doneInTime } from "../sqlite/answer.js";
import type { SqlDatabase } from "../sqlite/database.js";
import { goneTriggers, keepAgain, lostTriggers } from "../sqlite/upkeep/installMap.js";
import { whenFree } from "./busy.js";
import { type Connection, pragma } from "./connection.js";
import { oneAtATime } from "./oneAtATime.js";

/** How often a file without a map is looked at, in milliseconds. */
const lookingPause = 1000;

interface WatchedFile {
  database: SqlDatabase;
  /** How long it may take to mend the lists, in milliseconds. */
  patience: number;
  path: string;
  isMapped: boolean;
  forgetMap(): void;
  untilFinished<Result>(part: Promise<Result>): Promise<Result>;
}

/**
 * Returns a function that looks whether the schema has changed. If a host's migration has made a mapped table again, its
 * triggers are gone: they and the lists are made again. It resolves to false if that cannot be done now.
 */
export function schemaWatch(connection: Connection, watched: WatchedFile): () => boolean | Promise<boolean> {
  const { database, patience, path, forgetMap, untilFinished } = watched;
  let { isMapped } = watched;
  let lookedAt = 0;
  /** It changes with each CREATE and DROP of any program; undefined before the first look at a file with a map. */
  let version = isMapped ? undefined : pragma(connection, "schema_version");
  let isKept = true;
  const look = oneAtATime(() => untilFinished(lookNow()));
  const mend = oneAtATime(async (lost: readonly string[]) => {
    await keepAgain(database);
    warn(`the triggers on ${lost.join(" and ")} were gone: they were made again, and the lists were built`);
  });
  return () => {
    // Looking takes some microseconds, which a file without a map pays once a second: it may get a map meanwhile.
    if (!isMapped && performance.now() < lookedAt + lookingPause) return true;
    if (!isKept || mayHaveChanged()) return look();
    lookedAt = performance.now();
    return true;
  };

  /** Whether the schema has changed. If another program locks the whole file, nobody knows: looking waits for it. */
  function mayHaveChanged(): boolean {
    try {
      return pragma(connection, "schema_version") !== version;
    } catch {
      return true;
    }
  }

  async function lookNow(): Promise<boolean> {
    const present = await whenFree(() => pragma(connection, "schema_version"));
    forgetMap();
    const lost = await lostTriggers(database);
    isMapped = lost !== undefined;
    const isMended =
      lost === undefined || lost.length === 0 || (await doneInTime(patience, () => mend(lost))) !== undefined;
    if (!isMended && isKept) {
      warn(`${goneTriggers(lost)}, but read from your rows, which is slow: im-admin check --repair --db ${path}`);
    }
    isKept = isMended;
    version = present;
    lookedAt = performance.now();
    return isKept;
  }
}

function warn(message: string): void {
  process.emitWarning(`im-admin: ${message}`, { code: "IM_ADMIN_LOST_TRIGGERS" });
}
