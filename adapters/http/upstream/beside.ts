import { failure } from "../../../src/envelope.js";
import { OperationError } from "../../../src/errors.js";
import { reportError } from "../../../src/observer.js";
import { answerCall, json, operationIDLength } from "../answer.js";
import type { Body, HttpAnswer, HttpRequest } from "../request.js";
import type { ResolvedOptions } from "../resolveOptions.js";
import type { Route } from "../route.js";
import { tokenOf } from "../tokenOf.js";
import { within } from "../within.js";
import { askAnew, hasComeRound } from "./askAnew.js";
import { readSentBody, toSend } from "./sentBody.js";
import { SignedIn } from "./signedIn.js";
import type { Upstream } from "./upstream.js";
import { clientHasGone, tooLate, UpstreamFailure } from "./upstreamFailure.js";

/** The longest body of a request without an administrator's token, in bytes. */
const bodyBytesOfOthers = 524_288;

/** A path that im-admin takes beside an upstream. */
export interface Taken {
  /** The path at the upstream. */
  path: string;
  /** The name in reports to the observer. */
  operation: string;
  needsToken: boolean;
  /** What im-admin answers itself where it can. */
  list?: Route;
}

/** A request, with what is known of it. */
interface Asked {
  request: HttpRequest;
  taken: Taken;
  /** What the runtime gives beside it. */
  more: [environment: unknown, context: unknown];
  operationID: string;
  token: string;
  report(error: unknown, operation?: string): void;
}

/** The paths that im-admin takes beside an upstream. It answers administrators' lists where it can, and relays all else. */
export class Beside {
  readonly #options: ResolvedOptions;
  readonly #upstream: Upstream;
  readonly #signedIn: SignedIn;

  constructor(options: ResolvedOptions, upstream: Upstream) {
    this.#options = options;
    this.#upstream = upstream;
    this.#signedIn = new SignedIn(upstream);
  }

  /** Answers a request to one of these paths. It never rejects. */
  async answer(request: HttpRequest, taken: Taken, ...more: Asked["more"]): Promise<HttpAnswer> {
    const operationID = request.header("operationID") ?? "";
    const report: Asked["report"] = (error, operation = "upstream") => {
      const call = { operation, operationID: operationID.slice(0, operationIDLength), error };
      if (error !== clientHasGone) reportError(this.#options.observerOf(request, ...more), call);
    };
    try {
      return await this.#answer({ request, taken, more, operationID, token: tokenOf(request), report });
    } catch (error) {
      report(error);
      const { status, what } = error instanceof UpstreamFailure ? error : { status: 500, what: "" };
      return json(status, JSON.stringify(failure(new OperationError("ServerInternalError", what))));
    }
  }

  async #answer(asked: Asked): Promise<HttpAnswer> {
    const { request, taken, token, report } = asked;
    if (hasComeRound(request, this.#upstream)) {
      throw new UpstreamFailure(508, "the upstream leads back to im-admin");
    }
    const { needsToken, operation } = taken;
    const adminUserID = needsToken ? await this.#signer(asked).catch((error) => report(error, operation)) : undefined;
    // The upstream looks at the headers first, and refuses this by them.
    if (needsToken && token === "" && !adminUserID) return this.#decide(asked, { json: "" }, undefined);
    const { bodyBytes } = this.#options;
    const limit = adminUserID ? bodyBytes : Math.min(bodyBytes, bodyBytesOfOthers);
    const read = await readSentBody(request, limit, this.#upstream.timeoutMs);
    return "refusal" in read ? read.refusal : this.#decide(asked, read.body, adminUserID || undefined);
  }

  /** The administrator in whose name a token is signed, if it is one. */
  async #signer({ request, token }: Asked): Promise<string | undefined> {
    const { authenticate, callTimeoutMs } = this.#options;
    const tooLong = `authenticate took longer than ${callTimeoutMs} ms`;
    const asked = (async () => authenticate(token, request))();
    const { adminUserID } = (await within(callTimeoutMs, asked, tooLong)) as { adminUserID?: unknown };
    return typeof adminUserID === "string" ? adminUserID : undefined;
  }

  /** Answers here or by the upstream. One deadline holds for all that the upstream is asked. */
  async #decide(asked: Asked, body: Body, adminUserID: string | undefined): Promise<HttpAnswer> {
    const { request, taken, report } = asked;
    const ending = new AbortController();
    const timer = setTimeout(() => ending.abort(tooLate()), this.#upstream.timeoutMs);
    request.onGone?.(() => ending.abort(clientHasGone));
    try {
      const own = adminUserID && (await this.#own(asked, body, adminUserID, ending.signal));
      if (own) return own;
      return await askAnew({ request, path: taken.path, body: toSend(body), upstream: this.#upstream, ending, report });
    } finally {
      clearTimeout(timer);
    }
  }

  /** Answers an administrator's list, unless the upstream has to. */
  async #own(asked: Asked, body: Body, adminUserID: string, signal: AbortSignal): Promise<HttpAnswer | undefined> {
    const { request, taken, more, operationID, token, report } = asked;
    const { list } = taken;
    // Without an operationID, the upstream says nothing of a token.
    if (list === undefined || operationID === "") return undefined;
    const isSignedIn = await this.#signedIn.has(token, adminUserID, operationID, signal);
    if (isSignedIn === undefined) report(new Error("the upstream does not say whether a token is an administrator's"));
    if (!isSignedIn) return undefined;
    const known: ResolvedOptions = { ...this.#options, authenticate: () => ({ adminUserID }) };
    const answer = await answerCall({ ...request, readBody: async () => body }, list, known, ...more);
    // Clients that work with the upstream get its answer to what im-admin refuses, cannot answer, or reads in another way.
    const { errCode, ignored = [] } = answer.call ?? {};
    const isOurs = errCode === 0 && !ignored.some((name) => isFieldInOtherCase(name, list.schema(known.limits)));
    return isOurs ? answer : undefined;
  }
}

/** Whether the upstream takes a field that im-admin ignores for one that both know, since it does not look at the case. */
function isFieldInOtherCase(name: string, schema: object): boolean {
  const { entries = {} }: { entries?: object } = schema;
  return Object.keys(entries).some((known) => known.toLowerCase() === name.toLowerCase());
}
