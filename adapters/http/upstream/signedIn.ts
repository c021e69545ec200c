import { BoundedMap } from "../../boundedMap.js";
import { type Upstream, type UpstreamAnswer, unlessAborted } from "./upstream.js";
import { failureOf } from "./upstreamFailure.js";

/** How long the upstream's word whether a token is an administrator's counts, in milliseconds. */
const trustTime = 30_000;
/** The most tokens that are remembered. */
const mostTokens = 1_000;
/** The longest answer of the upstream, in bytes: OpenIM's has some hundred. */
const mostBytes = 65_536;

/** Whether a token is an administrator's; undefined where the upstream does not say. */
type Verdict = boolean | undefined;

/** Which tokens are administrators' for the upstream. It alone can tell whether one was signed out or replaced. */
export class SignedIn {
  readonly #upstream: Upstream;
  /**
   * The answers of the last seconds. Each request waits for its own question: Workers would end it with the request that began
   * it.
   */
  readonly #known = new BoundedMap<string, { verdict: boolean; askedAt: number }>(mostTokens);

  constructor(upstream: Upstream) {
    this.#upstream = upstream;
  }

  /**
   * Whether the upstream takes a token, which has to be well signed, for this administrator's.
   *
   * @throws UpstreamFailure if there is no answer
   */
  async has(token: string, adminUserID: string, operationID: string, signal: AbortSignal): Promise<Verdict> {
    const known = this.#known.get(token);
    const now = performance.now();
    if (known !== undefined && now - known.askedAt < trustTime) return known.verdict;
    const verdict = await this.#ask(token, adminUserID, operationID, signal);
    this.#known.delete(token);
    if (verdict !== undefined) this.#known.set(token, { verdict, askedAt: now });
    return verdict;
  }

  /** Makes the cheapest call that OpenIM answers for administrators alone. It is a look into OpenIM's caches. */
  async #ask(token: string, adminUserID: string, operationID: string, signal: AbortSignal): Promise<Verdict> {
    const headers = { operationID, token, "content-type": "application/json" };
    const body = JSON.stringify({ checkUserIDs: [adminUserID] });
    const answer = await this.#upstream.ask("/user/account_check", headers, body, signal);
    try {
      const text = await unlessAborted(signal, shortText(answer));
      return answer.status === 200 ? verdictIn(text) : undefined;
    } catch (error) {
      throw failureOf(signal.aborted ? signal.reason : error);
    }
  }
}

async function shortText({ body }: UpstreamAnswer): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  if (body === null) return text;
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > mostBytes) return "";
  }
  return text;
}

function verdictIn(answer: string): Verdict {
  try {
    const { errCode } = JSON.parse(answer);
    if (errCode === 0) return true;
    // No permission, or one of the failures of tokens.
    return errCode === 1002 || (errCode >= 1501 && errCode <= 1599) ? false : undefined;
  } catch {
    return undefined;
  }
}
