import { failure } from "../../../src/envelope.js";
import { OperationError, PageTooLong } from "../../../src/errors.js";
import { reportError } from "../../../src/observer.js";
import { answerCall, json, operationIDLength, reporting } from "../answer.js";
import type { Body, HttpAnswer, HttpRequest } from "../request.js";
import type { ResolvedOptions } from "../resolveOptions.js";
import type { Route } from "../route.js";
import { tokenOf } from "../tokenOf.js";
import { within } from "../within.js";
import { askAnew, hasComeRound } from "./askAnew.js";
import { readSentBody } from "./sentBody.js";
import { SignedIn } from "./signedIn.js";
import type { Upstream } from "./upstream.js";
import { clientHasGone, tooLate, UpstreamFailure } from "./upstreamFailure.js";

/** The longest body of a request without an administrator's token, in bytes. */
const bodyBytesOfOthers = 524_288;

/** A path that im-admin takes beside an upstream. */
export interface UpstreamPath {
  /** The path at the upstream. */
  path: string;
  /** The name in reports to the observer. */
  operation: string;
  needsToken: boolean;
  /** What im-admin answers itself where it can. */
  list?: Route;
}

/** A request to such a path, with what is known of it. */
interface RelayedRequest {
  request: HttpRequest;
  at: UpstreamPath;
  environment: unknown;
  context: unknown;
  operationID: string;
  token: string;
  /** Ends what the upstream is asked. */
  abort: AbortController;
  /** Tells the observer of a failure. */
  report(error: unknown, operation?: string): void;
}

/** Answers administrators' lists where that can be done with errCode 0, and asks the upstream for all else. */
export class UpstreamPaths {
  readonly #options: ResolvedOptions;
  readonly #upstream: Upstream;
  readonly #signedIn: SignedIn;

  constructor(options: ResolvedOptions, upstream: Upstream) {
    this.#options = options;
    this.#upstream = upstream;
    this.#signedIn = new SignedIn(upstream);
  }

  /** Answers a request to a path. It never rejects. */
  async answer(request: HttpRequest, at: UpstreamPath, environment: unknown, context: unknown): Promise<HttpAnswer> {
    const operationID = request.header("operationID") ?? "";
    const token = tokenOf(request);
    const abort = new AbortController();
    request.onGone?.(() => abort.abort(clientHasGone));
    const report: RelayedRequest["report"] = (error, operation = "upstream") => {
      if (error === clientHasGone) return;
      const call = { operationID: operationID.slice(0, operationIDLength) };
      const observer = reporting(this.#options.observerOf(request, environment, context), call, context);
      reportError(observer, { operation, ...call, error });
    };
    try {
      return await this.#read({ request, at, environment, context, operationID, token, abort, report });
    } catch (error) {
      abort.abort();
      report(error);
      const { status, what } = error instanceof UpstreamFailure ? error : { status: 500, what: "" };
      return json(status, JSON.stringify(failure(new OperationError("ServerInternalError", what))));
    }
  }

  /** Reads the body, which may be as long as its sender is trusted. */
  async #read(relayed: RelayedRequest): Promise<HttpAnswer> {
    const { request, at, token, abort, report } = relayed;
    if (hasComeRound(request, this.#upstream)) throw new UpstreamFailure(508, "the upstream leads back to im-admin");
    const signer = at.needsToken ? this.#signerOf(relayed) : undefined;
    const adminUserID = (await signer?.catch((error) => report(error, at.operation))) || undefined;
    abort.signal.throwIfAborted();
    // Without a token, the upstream refuses a request whatever its body is.
    if (at.needsToken && token === "" && !adminUserID) return this.#decide(relayed, { json: "" }, undefined);
    const { bodyBytes } = this.#options;
    const limit = adminUserID ? bodyBytes : Math.min(bodyBytes, bodyBytesOfOthers);
    const read = await readSentBody(request, limit, this.#upstream.timeoutMs);
    return "refusal" in read ? read.refusal : this.#decide(relayed, read.body, adminUserID);
  }

  /** The administrator in whose name a token is signed, if it is one. */
  async #signerOf({ request, token }: RelayedRequest): Promise<string | undefined> {
    const { authenticate, callTimeoutMs } = this.#options;
    const asked = (async () => authenticate(token, request))();
    const told: unknown = await within(callTimeoutMs, asked, `authenticate took longer than ${callTimeoutMs} ms`);
    const { adminUserID } = told as { adminUserID?: unknown };
    return typeof adminUserID === "string" ? adminUserID : undefined;
  }

  /** Answers here or by the upstream. One deadline holds for both questions to the upstream. */
  async #decide(relayed: RelayedRequest, body: Body, adminUserID: string | undefined): Promise<HttpAnswer> {
    const { at, abort } = relayed;
    const timer = setTimeout(() => abort.abort(tooLate()), this.#upstream.timeoutMs);
    try {
      const own = adminUserID && (await this.#ownAnswer(relayed, body, adminUserID));
      return own || (await askAnew({ ...relayed, path: at.path, body, upstream: this.#upstream }));
    } finally {
      clearTimeout(timer);
    }
  }

  /** Answers an administrator's list, unless the upstream has to. */
  async #ownAnswer(relayed: RelayedRequest, body: Body, adminUserID: string): Promise<HttpAnswer | undefined> {
    const { request, at, environment, context, operationID, token, abort, report } = relayed;
    const { list } = at;
    // Without an operationID, the upstream says nothing of a token.
    if (list === undefined || operationID === "") return undefined;
    const isSignedIn = await this.#signedIn.has(token, adminUserID, operationID, abort.signal);
    if (isSignedIn === undefined) report(new Error("the upstream does not say whether a token is an administrator's"));
    if (!isSignedIn) return undefined;
    const known: ResolvedOptions = { ...this.#options, authenticate: () => ({ adminUserID }) };
    let isTooLong = false;
    const route: Route = {
      ...list,
      run: async (...call) => {
        try {
          return await list.run(...call);
        } catch (error) {
          isTooLong = error instanceof PageTooLong;
          throw error;
        }
      },
    };
    const answer = await answerCall({ ...request, readBody: async () => body }, route, known, environment, context);
    // The upstream would read what is too long for us, and we would pass it on.
    if (isTooLong) return answer;
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
