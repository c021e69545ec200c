import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type BetterSqlite3 from "better-sqlite3";
import type { Row } from "../sqlite/database.js";
import type { Connection, Engine } from "./connection.js";
import { installAdvice } from "./installAdvice.js";
import { misfit } from "./misfit.js";

/** better-sqlite3, for Node. {@link loadBetterSqlite3} throws if it is not installed. */
export const betterSqlite3: Engine = {
  name: "better-sqlite3",
  connect(path, mode) {
    const Database = loadBetterSqlite3();
    const connection = new Database(path, { readonly: mode === "read", fileMustExist: true });
    return connectionOf(mode === "repair" ? connection.unsafeMode() : connection);
  },
  connectCopy(content) {
    const Database = loadBetterSqlite3();
    return connectionOf(new Database(content, { readonly: true }));
  },
};

/** better-sqlite3 cannot be used. The message says why, and what to do. */
export class Unusable extends Error {
  /** Why it cannot be used. */
  readonly reason: string;
  readonly isInstalled: boolean;

  constructor(reason: string, isInstalled: boolean, cause: unknown) {
    super(`better-sqlite3 cannot be loaded: ${reason}; ${installAdvice()}`, { cause });
    this.reason = reason;
    this.isInstalled = isInstalled;
  }
}

let loaded: typeof BetterSqlite3 | undefined;

/**
 * Loads better-sqlite3, which is an optional dependency.
 *
 * @throws Unusable if it is not installed, is not for this Node, or has no native part
 */
export function loadBetterSqlite3(): typeof BetterSqlite3 {
  loaded ??= load();
  return loaded;
}

function load(): typeof BetterSqlite3 {
  let isInstalled = false;
  try {
    // A bundle in CommonJS has no import.meta.url, but has __filename.
    const require = createRequire(import.meta.url ?? __filename);
    const packageFile = require.resolve("better-sqlite3/package.json");
    isInstalled = true;
    const { version }: { version: string } = require(packageFile);
    const reason = misfit(version, process.versions, () => nativePart(dirname(packageFile)));
    if (reason !== undefined) throw new Error(reason);
    const found: typeof BetterSqlite3 =
      import.meta.url === undefined
        ? require("better-sqlite3")
        : // Next.js and its like copy the packages that they find named in just these words.
          createRequire(import.meta.url)("better-sqlite3");
    // This loads its native part, which may be missing or made for another Node.
    new found(":memory:").close();
    return found;
  } catch (cause) {
    throw new Unusable(isInstalled ? firstSentence(cause) : "it is not installed", isInstalled, cause);
  }
}

function nativePart(folder: string): Buffer {
  const file = join(folder, "build", "Release", "better_sqlite3.node");
  return existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
}

function firstSentence(error: unknown): string {
  const [sentence = ""] = String((error as Error).message)
    .replace(/\s+/g, " ")
    .split(/\.(?: |$)/);
  return sentence;
}

function connectionOf(connection: BetterSqlite3.Database): Connection {
  const prepared = new Map<string, BetterSqlite3.Statement<unknown[], Row>>();
  return {
    all(text, values = []) {
      let statement = prepared.get(text);
      if (statement === undefined) {
        statement = connection.prepare<unknown[], Row>(text);
        prepared.set(text, statement);
      }
      if (statement.reader) return statement.all(values);
      statement.run(values);
      return [];
    },
    close: () => void connection.close(),
  };
}
