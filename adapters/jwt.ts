/** JSON Web Tokens signed with HMAC and SHA-256 (HS256), the only ones that the OpenIM server mints; by Web Crypto. */

/** What a token says. */
export type Claims = Readonly<Record<string, unknown>>;

/** The claims of a token that is valid now. */
export interface CurrentClaims extends Claims {
  /** When it expires, in seconds since the epoch. */
  exp: number;
  UserID?: unknown;
}

/** Why a token is no good. */
export interface Refusal {
  failure: "TokenMalformedError" | "TokenUnknownError" | "TokenExpiredError" | "TokenNotValidYetError";
  /** What the failure's name does not say. */
  reason?: string;
}

/** The year 5000, in seconds. A later time is one in milliseconds: those of the year 1973 and later are. */
const year5000 = 95_617_584_000;

/** Why a token is unknown. Nobody learns a secret by that, and who has set a wrong one learns where to look. */
const otherSignature = "its signature is of another secret than the server's, or it was damaged on its way";
const otherKind = "only HS256 without extensions is known";

/** A secret, and what Web Crypto makes of it when it is first used. */
export interface SigningKey {
  readonly secret: Uint8Array<ArrayBuffer>;
  imported?: CryptoKey;
}

const utf8 = new TextEncoder();
const hmac = { name: "HMAC", hash: "SHA-256" };

/** @throws TypeError where the secret is empty or no text */
export function signingKey(secret: string): SigningKey {
  if (typeof secret !== "string" || secret === "") throw new TypeError("a secret must be a non-empty string");
  return { secret: utf8.encode(secret) };
}

async function imported(key: SigningKey): Promise<CryptoKey> {
  // Workers allow no cryptography before the first request, when keys are made.
  key.imported ??= await crypto.subtle.importKey("raw", key.secret, hmac, false, ["sign", "verify"]);
  return key.imported;
}

export async function signJwt(claims: Claims, key: SigningKey): Promise<string> {
  const content = [{ alg: "HS256", typ: "JWT" }, claims].map((part) =>
    encoded(bytesOf(utf8.encode(JSON.stringify(part)))),
  );
  const signature = await crypto.subtle.sign(hmac.name, await imported(key), utf8.encode(content.join(".")));
  return [...content, encoded(bytesOf(new Uint8Array(signature)))].join(".");
}

/** The claims of a token that one of the keys has signed and that is valid now, or why there are none. */
export async function verifyJwt(
  token: string,
  keys: readonly SigningKey[],
  clockTolerance: number,
): Promise<{ claims: CurrentClaims } | Refusal> {
  const parts = token.split(".");
  const [header = "", payload = "", last = ""] = parts;
  const parameters = parsed(header);
  const signature = decoded(last);
  if (parts.length !== 3 || typeof parameters?.["alg"] !== "string" || signature === undefined)
    return { failure: "TokenMalformedError" };
  // A critical extension changes what the token means; there is none that we know.
  if (parameters["alg"] !== "HS256" || "crit" in parameters) return { failure: "TokenUnknownError", reason: otherKind };
  const content = utf8.encode(`${header}.${payload}`);
  for (const key of keys) {
    if (!(await crypto.subtle.verify(hmac.name, await imported(key), signature, content))) continue;
    return currentClaims(parsed(payload), clockTolerance);
  }
  return { failure: "TokenUnknownError", reason: otherSignature };
}

/** Whether a token's time is over, in seconds, even by a clock that is late by the tolerance. */
export function isExpired(exp: number, clockTolerance: number): boolean {
  return exp + clockTolerance <= Math.floor(Date.now() / 1000);
}

function currentClaims(claims: Claims | undefined, clockTolerance: number): { claims: CurrentClaims } | Refusal {
  if (claims === undefined) return { failure: "TokenMalformedError" };
  const { exp, nbf = 0, iat = 0 } = claims;
  for (const [claim, time] of Object.entries({ exp, nbf, iat })) {
    if (typeof time !== "number") return { failure: "TokenMalformedError" };
    if (time < year5000) continue;
    const reason = `${claim} lies beyond the year 5000, as a time in milliseconds does: give it in seconds`;
    return { failure: "TokenMalformedError", reason };
  }
  const now = Math.floor(Date.now() / 1000);
  if (Math.max(Number(nbf), Number(iat)) > now + clockTolerance) return { failure: "TokenNotValidYetError" };
  return isExpired(Number(exp), clockTolerance)
    ? { failure: "TokenExpiredError" }
    : { claims: { ...claims, exp: Number(exp) } };
}

/** An object in JSON in base64url. */
function parsed(text: string): Claims | undefined {
  const bytes = decoded(text);
  if (bytes === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Claims) : undefined;
  } catch {
    return undefined;
  }
}

function bytesOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

/** Base64url of bytes, each of which is a character. */
function encoded(binary: string): string {
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function decoded(text: string): Uint8Array<ArrayBuffer> | undefined {
  // One character more than a multiple of four is part of no byte.
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) return undefined;
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  // The last character may have bits that mean nothing: a token must not have two spellings, one of them revoked.
  if (encoded(binary) !== text) return undefined;
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
