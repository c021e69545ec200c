/** What a trial needs of MongoDB's driver beside what following needs. */
import type { OpenimClient } from "../../../../src/openim/index.js";

export interface TrialClient extends Omit<OpenimClient, "db" | "startSession"> {
  db(name: string): TrialDatabase;
  startSession(): TrialSession;
}

export interface TrialDatabase {
  collection(name: string): TrialCollection;
  listCollections(): { toArray(): Promise<{ name: string }[]> };
}

export interface TrialCollection {
  insertOne(document: object, options?: WriteOptions): Promise<unknown>;
  updateOne(filter: object, update: object, options?: WriteOptions): Promise<unknown>;
  deleteOne(filter: object, options?: WriteOptions): Promise<unknown>;
  drop(): Promise<unknown>;
}

interface WriteOptions {
  session?: TrialSession | undefined;
}

export interface TrialSession {
  withTransaction(run: () => Promise<unknown>): Promise<unknown>;
  endSession(): Promise<unknown>;
}

/** The database in which a trial writes, and whose collections it drops again. */
export const scratchName = "im_admin_try";

const parts = /^(mongodb(?:\+srv)?:\/\/(?:([^@/]*)@)?[^@/?]+)(?:\/([^@/?]*))?(\?.*)?$/i;

/** The same URL with the scratch database. If it has a user, that stays a user of the database that the URL named. */
export function scratchUrl(url: string): string {
  const [, start = url, user, database, options = ""] = parts.exec(url) ?? [];
  const isKnown = user === undefined || /[?&](authSource=|authMechanism=(?!SCRAM))/i.test(options);
  const source = isKnown ? "" : `${options === "" ? "?" : "&"}authSource=${database || "admin"}`;
  return `${start}/${scratchName}${options}${source}`;
}
