import type { Json } from "../../src/json.js";

/** What is known of a request before its body is read. */
export interface AdminRequest {
  /** In capitals, such as `POST`. */
  method: string;
  /** Without the query. Where a router or a framework has cut off the path under which we are mounted, it is the rest. */
  path: string;
  /** The value of a header, whatever the case of its name; undefined where it is missing. */
  header(name: string): string | undefined;
  /** What the runtime handed over: a `Request`, or Node's `IncomingMessage` with what the host has added to it. */
  raw: unknown;
}

/** A request of any runtime, as plain data. */
export interface HttpRequest extends AdminRequest {
  /** The network address of the client, where the runtime tells. */
  address?: string | undefined;
  /** Has a function called when the client goes before it has its answer, where the runtime tells. */
  onGone?(listener: () => void): void;
  /** Has a function called soon, between which and others like it the runtime sees to other requests. */
  inTurn?(goOn: () => void): void;
  /** Gives the body, or undefined where it is longer than `limit` bytes. It is called once at most. */
  readBody(limit: number): Promise<Body | undefined>;
}

/** A body: its JSON, or the value that a parser of the host has made of it. */
export type Body = { json: Uint8Array | string } | { value: unknown };

/** An answer to a request, as plain data. */
export interface HttpAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** Null where there is none. */
  body: Json | null;
}
