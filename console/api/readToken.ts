/** Whose a token is, and until when it is good, in milliseconds since the epoch. */
export interface TokenHolder {
  userID: string;
  expires: number;
}

/** Reads what a token says of itself; undefined where it is none that says anything, such as a fixed one. */
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
