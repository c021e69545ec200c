import type { OpenimClient } from "../../../src/openim/index.js";

export interface LoggedChange {
  operationType: string;
  ns?: { coll: string };
  documentKey?: { _id: unknown };
  fullDocument?: object;
  txnNumber?: number;
  clusterTime?: { high: number };
}

export interface Faults {
  /** Is called before each answer, with the options that were given; what it throws is the answer. */
  failing?(what: "watch" | "tryNext" | "find", options?: { batchSize?: number }): void | Promise<void>;
  /** The first place from which changes are still known. */
  oldest?: number;
}

export type Document = { _id: unknown } & Record<string, unknown>;

export class MongoLog {
  changes: LoggedChange[];
  /** The documents by the names of their collections, and by their IDs. */
  readonly collections: ReadonlyMap<string | undefined, ReadonlyMap<string, Document>>;
  constructor(path: string);
  write(changes: readonly LoggedChange[], transaction?: number): void;
  insert(coll: string, document: Document): void;
  update(coll: string, document: Document): void;
  delete(coll: string, id: unknown): void;
  drop(coll: string): void;
  refresh(): void;
  documents(coll: string): Document[];
  client(faults?: Faults): OpenimClient;
}

export function mongoError(message: string, code?: number): Error;
