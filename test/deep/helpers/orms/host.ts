/** What an object-relational mapper is given, and what it does with a chat server's tables. */
import { createRequire } from "node:module";

export interface Target {
  engine: "sqlite" | "postgres";
  /** The file, or the URL of the database, whose schema `chat` has the tables. */
  place: string;
  /** A folder for files of its own. */
  folder: string;
}

/** An ORM that has connected. */
export interface Orm {
  /** Makes the tables `person`, `room` and `membership`. */
  create(): Promise<unknown>;
  /** Its migrations, with what they do. All rows stay, and all columns that the map reads. */
  migrations: readonly (readonly [what: string, migrate: () => Promise<unknown>])[];
  close(): Promise<unknown>;
}

/** Loads a package that `test/deep/package.json` names. */
export const load = createRequire(new URL("../../package.json", import.meta.url));
