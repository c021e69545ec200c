import type { CallOptions } from "../../src/call.js";
import type { Envelope } from "../../src/envelope.js";

/** What is done at a path. */
export interface Route {
  /** The name in reports to the observer. */
  operation: string;
  /** Whether only an administrator may call it. */
  needsToken: boolean;
  /** It validates the input, which is whatever JSON the request held. */
  run(input: unknown, options: CallOptions): Promise<Envelope<unknown>>;
}
