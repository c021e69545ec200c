import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { Values } from "./flags.js";
import { reasonOf } from "./reason.js";
import { isWeak, leastCharacters } from "./weakSecrets.js";

/** The secret of a demo whose user gave none, and what to tell of its tokens. */
export interface DemoSecret {
  secrets: Values;
  lasts: string;
}

/**
 * Keeps the secret beside the database file, so that tokens are still good after the demo has been started again.
 *
 * @param isShared whether several processes need the same
 */
export function demoSecret(db: string, isShared: boolean): DemoSecret {
  if (!existsSync(db)) {
    if (isShared) throw new Error("several processes need one secret: give it with --secret");
    return { secrets: [randomSecret()], lasts: "good until this server ends" };
  }
  const path = `${db}.secret`;
  return { secrets: [keptSecret(path)], lasts: `signed with the secret in ${path}` };
}

/** Only the owner of the file may read it. */
function keptSecret(path: string): string {
  let kept: string;
  try {
    if (!existsSync(path)) writeFileSync(path, `${randomSecret()}\n`, { flag: "wx", mode: 0o600 });
    kept = readFileSync(path, "utf8").trim();
  } catch (error) {
    throw new Error(`cannot keep a secret in ${path}: ${reasonOf(error)}; give one with --secret`, { cause: error });
  }
  if (isWeak(kept)) {
    throw new Error(
      `${path} holds no secret of ${leastCharacters} characters or more: delete it, and a new one is made`,
    );
  }
  return kept;
}

function randomSecret(): string {
  return randomBytes(32).toString("base64url");
}
