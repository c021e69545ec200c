/** What a store and its threads say to each other. */
import type { MessagePort } from "node:worker_threads";
import type { CheckedValues } from "../../../checkedRecords.js";
import type { RecordKeySet, RecordName } from "../../../records.js";
import type { ConversationChange } from "../../../store.js";
import type { Queries, ReadName } from "../../sqlite/reads.js";
import type { Engine } from "../connection.js";
import type { FileOptions } from "../fileDatabase.js";

/** What a thread is started with. */
export interface ThreadStart {
  engine: Engine["name"];
  file: FileOptions;
  /** The file that the store has open under this name. */
  identity: string;
}

/** A call that a thread is to make, one at a time; `close` is the last one. */
export type Call =
  | { name: "read"; list: ReadName; query: Queries[ReadName] }
  | { name: "setConversations"; change: ConversationChange }
  | { name: "remove"; keys: RecordKeySet }
  | { name: "put"; records: RecordPort }
  | { name: "close" };

/** Where a thread finds the records that it is to put. It sends an empty message for each chunk that it has taken. */
export interface RecordPort {
  port: MessagePort;
  /** Its only number counts the messages that have been sent; a thread sleeps on it. */
  sent: Int32Array<SharedArrayBuffer>;
}

/** Some records; the last chunk ends the put, or makes it fail. */
export type RecordChunk = { records: [RecordName, CheckedValues][] } | { end: "whole" | "broken" };

/** What became of a call. The first message of a thread is `"ready"`. */
export type Outcome = { result: unknown } | { failure: PlainError };

/** An error as it passes between threads, which lose what is not part of every error. */
export interface PlainError {
  name: string;
  message: string;
  stack?: string | undefined;
  code?: unknown;
  cause?: PlainError | undefined;
}

export function plainError(error: unknown): PlainError {
  if (!(error instanceof Error)) return { name: "Error", message: String(error) };
  const { name, message, stack, cause } = error;
  const { code } = error as { code?: unknown };
  return { name, message, stack, code, cause: cause === undefined ? undefined : plainError(cause) };
}

export function errorOf({ name, message, stack, code, cause }: PlainError): Error {
  const error = new Error(message, cause === undefined ? {} : { cause: errorOf(cause) });
  return Object.assign(error, { name, stack }, code === undefined ? {} : { code });
}
