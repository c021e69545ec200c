import { BoundedMap } from "../../boundedMap.js";
import type { Upstream } from "./upstream.js";
import { failureOf, tooSilent, UpstreamFailure } from "./upstreamFailure.js";

/** How long the upstream's word whether a token is an administrator's counts, in milliseconds. */
const trustTime = 30_000;
/** How long the upstream may take to say so, in milliseconds. */
const askTimeout = 10_000;
/** The most tokens that are remembered. */
const mostTokens = 1_000;
/** The longest answer of the upstream, in bytes: OpenIM's has some hundred. */
const mostBytes = 65_536;

/** Which tokens are administrators' for the upstream. It alone can tell whether one was signed out or replaced. */
export class SignedIn {
  readonly #upstream: Upstream;
  /** The questions under way, and the answers of the last seconds. */
  readonly #known = new BoundedMap<string, Promise<boolean>>(mostTokens);

  constructor(upstream: Upstream) {
    this.#upstream = upstream;
  }

  /** Whether the upstream takes a token, which has to be well signed, for this administrator's. Rejects if it does not say. */
  has(token: string, adminUserID: string, operationID: string): Promise<boolean> {
    const known = this.#known.get(token);
    if (known !== undefined) return known;
    const asked = this.#ask(token, adminUserID, operationID);
    const forget = () => this.#known.get(token) === asked && this.#known.delete(token);
    asked.then(() => setTimeout(forget, trustTime).unref(), forget);
    this.#known.set(token, asked);
    return asked;
  }

  /** Makes the cheapest call that OpenIM answers for administrators alone. It is a look into OpenIM's caches. */
  #ask(token: string, adminUserID: string, operationID: string): Promise<boolean> {
    const body = JSON.stringify({ checkUserIDs: [adminUserID] });
    const length = String(Buffer.byteLength(body));
    const headers = ["Host", this.#upstream.host, "operationID", operationID, "token", token, "Content-Length", length];
    return new Promise((resolve, reject) => {
      const request = this.#upstream.request("POST", "/user/account_check", headers);
      const timer = setTimeout(() => request.destroy(tooSilent()), askTimeout);
      request.on("close", () => clearTimeout(timer));
      request.on("error", (error) => reject(failureOf(error)));
      request.on("upgrade", (_answer, connection) => {
        connection.destroy();
        reject(noAnswer());
      });
      request.on("response", (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (chunk) => {
          text += chunk;
          if (text.length > mostBytes) request.destroy(noAnswer());
        });
        answer.on("error", (error) => reject(failureOf(error)));
        answer.on("end", () => {
          const isKnown = answer.statusCode === 200 ? isAdministrators(text) : undefined;
          if (isKnown === undefined) reject(noAnswer());
          else resolve(isKnown);
        });
      });
      request.end(body);
    });
  }
}

/** What OpenIM's answer says of the token; undefined where it says nothing of it. */
function isAdministrators(answer: string): boolean | undefined {
  try {
    const { errCode } = JSON.parse(answer);
    if (errCode === 0) return true;
    // No permission, or one of the failures of tokens.
    return errCode === 1002 || (errCode >= 1501 && errCode <= 1599) ? false : undefined;
  } catch {
    return undefined;
  }
}

function noAnswer(): UpstreamFailure {
  return new UpstreamFailure(502, "the upstream does not say whether a token is an administrator's");
}
