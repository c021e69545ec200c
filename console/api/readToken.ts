/** The user of a token, and until when it is valid, in milliseconds since the epoch. */
export interface TokenHolder {
  userID: string;
  expires: number;
}

/** Reads the user and the expiry from a token; undefined for tokens that have none, such as fixed tokens. */
export function readToken(token: string): TokenHolder | undefined {
  try {
    const [, claims = ""] = token.split(".");
    const bytes = Uint8Array.from(atob(claims.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
    const { UserID: userID, exp } = JSON.parse(new TextDecoder().decode(bytes));
    return typeof userID === "string" && typeof exp === "number" ? { userID, expires: exp * 1_000 } : undefined;
  } catch {
    return undefined;
  }
}
