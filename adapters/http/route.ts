import type { GenericSchema } from "valibot";
import type { CallOptions } from "../../src/call.js";
import type { Json } from "../../src/json.js";
import type { Limited } from "../../src/limits.js";
import type { Store, StoreCall } from "../../src/store.js";
import type { History } from "../history/history.js";
import type { HttpAnswer, HttpRequest } from "./request.js";

/** What the host gives for a request. */
export interface Host {
  store(): Store | Promise<Store>;
  history(): History | Promise<History>;
}

/** What answers at a path. */
export interface Place {
  path: string;
  methods: readonly string[];
  /** Never rejects. */
  answer(request: HttpRequest, environment: unknown, context: unknown): Promise<HttpAnswer>;
}

/** The operation at a path. */
export interface Route {
  path: string;
  /** The name in reports to the observer. */
  operation: string;
  /** The schema of the input. */
  schema: Limited<GenericSchema>;
  /** Whether only an administrator may call it. */
  needsToken: boolean;
  /** The limit of its body, if that is lower than for other paths. */
  bodyBytes?: number;
  /** Throws if the request is refused before its body is read. */
  admit?(request: HttpRequest): void;
  /** Returns the envelope of a success as JSON. It validates the input, which may be any JSON. */
  run(input: unknown, options: CallOptions, request: HttpRequest, host: Host, call: StoreCall): Promise<Json>;
}
