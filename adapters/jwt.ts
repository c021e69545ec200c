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
export type JwtFailure = "TokenMalformedError" | "TokenUnknownError" | "TokenExpiredError" | "TokenNotValidYetError";

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
export async function verifyJwt(token: string, keys: readonly SigningKey[]): Promise<CurrentClaims | JwtFailure> {
  const parts = token.split(".");
  const [header = "", payload = "", last = ""] = parts;
  const parameters = parsed(header);
  const signature = decoded(last);
  if (parts.length !== 3 || typeof parameters?.["alg"] !== "string" || signature === undefined)
    return "TokenMalformedError";
  // A critical extension changes what the token means; there is none that we know.
  if (parameters["alg"] !== "HS256" || "crit" in parameters) return "TokenUnknownError";
  const content = utf8.encode(`${header}.${payload}`);
  for (const key of keys) {
    if (!(await crypto.subtle.verify(hmac.name, await imported(key), signature, content))) continue;
    return currentClaims(parsed(payload));
  }
  return "TokenUnknownError";
}

/** Whether the time of a claim, in seconds, has come. */
export function isExpired(exp: number): boolean {
  return exp <= Math.floor(Date.now() / 1000);
}

function currentClaims(claims: Claims | undefined): CurrentClaims | JwtFailure {
  if (claims === undefined) return "TokenMalformedError";
  const { exp, nbf = 0, iat = 0 } = claims;
  if (![exp, nbf, iat].every((time) => typeof time === "number")) return "TokenMalformedError";
  const now = Math.floor(Date.now() / 1000);
  if (Number(nbf) > now) return "TokenNotValidYetError";
  return isExpired(Number(exp)) ? "TokenExpiredError" : { ...claims, exp: Number(exp) };
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
