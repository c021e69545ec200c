import { isExpired } from "./jwt.js";

/** How many tokens are remembered; where there are more, those are forgotten that came first. */
const mostTokens = 1_000;

/** Administrators' tokens that were found good, and are so until they expire: to verify a signature takes longer than all else. */
export class VerifiedTokens {
  readonly #tokens = new Map<string, { adminUserID: string; exp: number }>();

  find(token: string): string | undefined {
    const known = this.#tokens.get(token);
    if (known === undefined || !isExpired(known.exp)) return known?.adminUserID;
    this.#tokens.delete(token);
    return undefined;
  }

  add(token: string, adminUserID: string, exp: number): void {
    const [oldest] = this.#tokens.keys();
    if (oldest !== undefined && this.#tokens.size >= mostTokens) this.#tokens.delete(oldest);
    this.#tokens.set(token, { adminUserID, exp });
  }
}
