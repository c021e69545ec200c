import type { ErrorName } from "../src/errors.js";
import { requireKnown } from "../src/knownOptions.js";
import { BoundedMap } from "./boundedMap.js";
import type { AdminRequest } from "./http/request.js";
import { isExpired, signingKey, signJwt, verifyJwt } from "./jwt.js";
import { defaultExpiresInSeconds, requireLifetime, requireUserIDs, secretComparison } from "./secrets.js";

export type { AdminRequest } from "./http/request.js";

/** Why a request was refused, as the `errMsg` of the answer; `ArgsError` if it has no token. */
export type AuthenticationFailure = Extract<ErrorName, "ArgsError" | "NoPermissionError" | `Token${string}`>;

/**
 * The administrator who sent the request, or why it is refused. The `reason`, if there is one, stands in the `errDlt` of the
 * answer, and in the observer's report.
 */
export type Authentication = { adminUserID: string } | { failure: AuthenticationFailure; reason?: string };

/**
 * Tells who sent a request. If it throws or rejects, the request is answered as 500.
 *
 * `token` is the `token` header, or `""` without one. You may also use a session, another header or a client
 * certificate, through `request`.
 */
export type Authenticate = (token: string, request: AdminRequest) => Authentication | Promise<Authentication>;

/** An {@link Authenticate} that needs only the token. */
export type TokenAuthenticator = (token: string) => Promise<Authentication>;

/** The options of {@link jwtAuthenticator}. */
export interface JwtAuthenticatorOptions {
  /** The secrets that may have signed a token; several during a rotation. */
  secrets: readonly string[];
  /** The users who are administrators. A valid token of any other user is refused with 1002. */
  adminUserIDs: readonly string[];
  /**
   * Called for each otherwise valid token. If it returns true, the token is refused with 1506. If it throws, the
   * request is answered as 500.
   */
  isRevoked?: ((token: string, adminUserID: string) => boolean | Promise<boolean>) | undefined;
  /**
   * By how many seconds the clocks of those who mint tokens may differ from this one, from 0 to 300: `nbf` and `iat` may
   * lie so far ahead, and `exp` so far back.
   * @default 5
   */
  clockTolerance?: number | undefined;
}

/** How many tokens of administrators are remembered, until they expire. */
const mostVerified = 1_000;
/** Clocks that differ by more than five minutes need to be set. */
const mostTolerance = 300;

/**
 * Accepts the tokens that the OpenIM server mints: JSON Web Tokens, HS256 only, with the claims `UserID` and `exp`. It
 * remembers up to 1,000 tokens of administrators until they expire, so that it verifies each signature once.
 *
 * Failures: 1001 no token, 1501 expired, 1503 no JWT, a required claim missing or a time in milliseconds, 1504 `nbf` or
 * `iat` in the future, 1505 bad signature, other algorithm or unknown key, 1506 revoked, 1002 no administrator.
 *
 * @throws TypeError for an unknown option, without a secret, for an empty secret, if adminUserIDs is no list of IDs, or for
 * a clockTolerance out of its range
 */
export function jwtAuthenticator(options: JwtAuthenticatorOptions): TokenAuthenticator {
  requireKnown("jwtAuthenticator", options, ["secrets", "adminUserIDs", "isRevoked", "clockTolerance"]);
  const { secrets, adminUserIDs, isRevoked, clockTolerance = 5 } = options;
  if (isRevoked !== undefined && typeof isRevoked !== "function") throw new TypeError("isRevoked must be a function");
  if (!Array.isArray(secrets) || secrets.length === 0) {
    throw new TypeError('secrets must be a list of one secret or more, such as ["..."]');
  }
  requireUserIDs("adminUserIDs", adminUserIDs);
  if (typeof clockTolerance !== "number" || !(clockTolerance >= 0 && clockTolerance <= mostTolerance)) {
    throw new TypeError(`clockTolerance must be a number of seconds from 0 to ${mostTolerance}`);
  }
  const keys = secrets.map(signingKey);
  const administrators = new Set(adminUserIDs);
  // To verify a signature takes longer than all else of a call.
  const verified = new BoundedMap<string, { adminUserID: string; exp: number }>(mostVerified);
  return async (token) => {
    if (token === "") return { failure: "ArgsError" };
    let known = verified.get(token);
    if (known === undefined || isExpired(known.exp, clockTolerance)) {
      const found = await verifyJwt(token, keys, clockTolerance);
      if ("failure" in found) return found;
      const { claims } = found;
      if (typeof claims.UserID !== "string") return { failure: "TokenMalformedError" };
      known = { adminUserID: claims.UserID, exp: claims.exp };
      if (!administrators.has(known.adminUserID)) return { failure: "NoPermissionError" };
      verified.set(token, known);
    }
    const { adminUserID } = known;
    if (await isRevoked?.(token, adminUserID)) return { failure: "TokenKickedError" };
    return { adminUserID };
  };
}

/** One of the tokens that {@link fixedTokenAuthenticator} knows. */
export interface FixedToken {
  token: string;
  /** The administrator whom the observer is told for this token. */
  adminUserID: string;
}

/**
 * Accepts a fixed list of tokens, compared in constant time. Any other token is refused with 1507, and a missing token
 * with 1001.
 *
 * @throws TypeError for a token or an adminUserID that is empty or no string
 */
export function fixedTokenAuthenticator(tokens: readonly FixedToken[]): TokenAuthenticator {
  if (!Array.isArray(tokens)) throw new TypeError("tokens must be a list of { token, adminUserID }");
  for (const { token, adminUserID } of tokens) {
    if (typeof token !== "string" || token === "") throw new TypeError("a token must be a non-empty string");
    if (typeof adminUserID !== "string" || adminUserID === "") {
      throw new TypeError("a token's adminUserID must be a non-empty string");
    }
  }
  const known = tokens.map(({ token, adminUserID }) => ({ isEqual: secretComparison(token), adminUserID }));
  return async (token) => {
    if (token === "") return { failure: "ArgsError" };
    let adminUserID: string | undefined;
    for (const candidate of known) if (candidate.isEqual(token)) adminUserID = candidate.adminUserID;
    return adminUserID === undefined ? { failure: "TokenNotExistError" } : { adminUserID };
  };
}

/** The options of {@link signAdminToken}. */
export interface SignAdminTokenOptions {
  /** One of the authenticator's secrets. */
  secret: string;
  /** The administrator whose token it is. */
  userID: string;
  /**
   * How long the token is valid.
   * @default 7776000, which is 90 days
   */
  expiresInSeconds?: number | undefined;
  /**
   * The `PlatformID` claim; 10 is the reference server's number for administrators.
   * @default 10
   */
  platformID?: number | undefined;
}

/**
 * Mints a token as the OpenIM server does.
 *
 * @throws TypeError for an unknown option, an empty secret or userID, a lifetime that is no positive integer, or a
 * platformID that is no integer
 */
export async function signAdminToken(options: SignAdminTokenOptions): Promise<string> {
  requireKnown("signAdminToken", options, ["secret", "userID", "expiresInSeconds", "platformID"]);
  const { secret, userID, expiresInSeconds = defaultExpiresInSeconds, platformID = 10 } = options;
  if (typeof userID !== "string" || userID === "") throw new TypeError("userID must not be empty");
  requireLifetime(expiresInSeconds);
  if (!Number.isInteger(platformID)) throw new TypeError("platformID must be an integer");
  const issuedAt = Math.floor(Date.now() / 1000);
  const claims = { UserID: userID, PlatformID: platformID, iat: issuedAt, exp: issuedAt + expiresInSeconds };
  return signJwt(claims, signingKey(secret));
}
