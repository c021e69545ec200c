import { requireKnown } from "./knownOptions.js";

/** The most that a request may ask for. Above a limit the answer is 1001, and its `errDlt` states the limit. */
export interface Limits {
  /**
   * Items on one page (`pagination.showNumber`).
   * @default 1000
   */
  showNumber: number;
  /**
   * Bytes of a page's items as JSON in UTF-8. A page of one item may have more.
   * @default 16777216
   */
  pageBytes: number;
  /**
   * Entries of `userIDs` in set_conversations, and of `groupIDs` in received join requests.
   * @default 10000
   */
  userIDs: number;
  /**
   * Characters (Unicode code points) of an identifier.
   * @default 64
   */
  idLength: number;
  /**
   * Characters of `keyword`.
   * @default 255
   */
  keywordLength: number;
  /**
   * Characters of `ex` and of `attachedInfo`.
   * @default 65536
   */
  textLength: number;
  /**
   * Bytes of `ex` and `attachedInfo` in UTF-8 that one set_conversations writes, for all its users together.
   * @default 67108864
   */
  writeBytes: number;
  /**
   * Bytes of an HTTP request's body; only the adapters check it. For a longer body the HTTP status is 413.
   * @default 1048576
   */
  bodyBytes: number;
}

/** Some of the limits. A limit that is left out or undefined keeps its default. */
export type SomeLimits = { readonly [Name in keyof Limits]?: Limits[Name] | undefined };

/** The default limits. */
export const defaultLimits: Readonly<Limits> = Object.freeze({
  showNumber: 1000,
  pageBytes: 16_777_216,
  userIDs: 10_000,
  idLength: 64,
  keywordLength: 255,
  textLength: 65_536,
  writeBytes: 67_108_864,
  bodyBytes: 1_048_576,
});

const limitNames = Object.keys(defaultLimits) as (keyof Limits)[];

/** The contract's largest `int`. */
const maxLimit = 2_147_483_647;

/**
 * Fills the gaps of `limits` with the defaults.
 *
 * @throws TypeError if `limits` is no object, or has a limit that is unknown or no integer from 1 to 2147483647
 */
export function resolveLimits(limits: SomeLimits = {}): Limits {
  requireKnown("limits", limits, limitNames);
  const resolved: Limits = { ...defaultLimits };
  for (const name of limitNames) {
    const limit = limits[name];
    if (limit === undefined) continue;
    if (!Number.isInteger(limit) || limit < 1 || limit > maxLimit) {
      throw new TypeError(`limits.${name} must be an integer from 1 to ${maxLimit}`);
    }
    resolved[name] = limit;
  }
  return resolved;
}

/** A value that depends on the limits. */
export type Limited<Value> = (limits?: SomeLimits) => Value;

/** How many values are kept. A host may call with many different limits. */
const keptValues = 100;

/** Remembers the values that `build` returns for different limits, since building takes longer than a look-up. */
export function limited<Value>(build: (limits: Limits) => Value): Limited<Value> {
  const built = new Map<string, Value>();
  return (limits) => {
    const resolved = limits === undefined ? undefined : resolveLimits(limits);
    const key = resolved === undefined ? "" : Object.values(resolved).join();
    let value = built.get(key);
    if (value === undefined) {
      value = build(resolved ?? defaultLimits);
      if (built.size === keptValues) built.clear();
      built.set(key, value);
    }
    return value;
  };
}
