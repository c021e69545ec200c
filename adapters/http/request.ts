import type { Json } from "../../src/json.js";

/** A request before its body is read. */
export interface AdminRequest {
  /** In capitals, such as `POST`. */
  method: string;
  /** Without the query. If a router or a framework has removed the path under which it mounts us, it is the rest. */
  path: string;
  /** The value of a header, in any case of its name; undefined if it is missing. */
  header(name: string): string | undefined;
  /**
   * The request of the runtime: a `Request`, or Node's `IncomingMessage` with the properties that the host has added.
   */
  raw: unknown;
}

/** A request of any runtime, as plain data. */
export interface HttpRequest extends AdminRequest {
  /** The network address of the client, if the runtime knows it. */
  address?: string | undefined;
  /** Calls a function if the client goes before it has its answer. Not every runtime can tell. */
  onGone?(listener: () => void): void;
  /** Calls a function soon. Between such calls, the runtime handles other requests. */
  inTurn?(goOn: () => void): void;
  /** Returns the body, or undefined if it is longer than `limit` bytes. Call it at most once. */
  readBody(limit: number): Promise<Body | undefined>;
}

/** A body: its JSON, or the value from a parser of the host. */
export type Body = { json: Uint8Array | string } | { value: unknown };

/** An answer to a request, as plain data. */
export interface HttpAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** Null for no body; a stream for the answer of an upstream. */
  body: Json | ReadableStream<Uint8Array> | null;
  /** What became of the call of an operation: its errCode, and the fields that it ignored. */
  call?: { errCode: number; ignored: readonly string[] };
}
