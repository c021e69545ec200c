import { readBody } from "./body.js";

/** What a runtime may do faster than by the means of the Fetch standard alone. */
export interface Platform {
  Response: typeof Response;
  /** Reads a request's body; undefined where it is longer than the limit. */
  readBody(request: Request, limit: number): Promise<Uint8Array | undefined>;
}

/** Any runtime, by the standard's means. */
export const standardPlatform: Platform = { Response, readBody };
