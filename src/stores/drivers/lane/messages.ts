/** The messages between a store and its threads. */
import type { MessagePort } from "node:worker_threads";
import type { CheckedValues } from "../../../checkedRecords.js";
import type { RecordName } from "../../../records.js";
import type { Engine } from "../connection.js";
import type { FileOptions } from "../fileDatabase.js";
import type { Calls } from "../fileStore.js";

/** The data that a thread starts with. */
export interface ThreadStart {
  engine: Engine["name"];
  file: FileOptions;
  /** The identity of the file that the store has open. */
  identity: string;
}

/** A call for a thread, which makes one at a time. `close` is the last one. */
export type ThreadCall = { name: keyof Calls; given: readonly unknown[] } | "close";

/** The port through which a thread receives records. It sends an empty message for each chunk that it has taken. */
export interface RecordPort {
  port: MessagePort;
  /** Its only number counts the sent messages. The thread sleeps until it changes. */
  sent: Int32Array<SharedArrayBuffer>;
}

/** A chunk of records. The last one ends the put, or makes it fail. */
export type RecordChunk = { records: [RecordName, CheckedValues][] } | { end: "whole" | "broken" };

/** The outcome of a call. The first message of a thread is `"ready"`. */
export type Outcome = { result: unknown } | { failure: PlainError };

/** An error as a plain object, since an error that passes between threads loses fields such as its code. */
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
