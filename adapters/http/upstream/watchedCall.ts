import type { IncomingMessage } from "node:http";
import { gunzipSync } from "node:zlib";
import { GrowingBytes } from "../body.js";
import type { Body } from "../request.js";

/** The longest answer that is looked at, in bytes: those of OpenIM have some fifty. */
const mostOfAnswer = 65_536;

/** A call that is passed on, whose body and answer are kept on their way. */
export class WatchedCall {
  readonly #sent: KeptBytes;
  readonly #received = new KeptBytes(mostOfAnswer);
  #answer: IncomingMessage | undefined;

  /** @param bodyBytes the longest body that is kept */
  constructor(bodyBytes: number) {
    this.#sent = new KeptBytes(bodyBytes);
  }

  sent(chunk: Uint8Array): void {
    this.#sent.append(chunk);
  }

  answered(answer: IncomingMessage): void {
    this.#answer = answer;
    answer.on("data", (chunk: Uint8Array) => this.#received.append(chunk));
  }

  /** What was sent; undefined where it is too long. */
  get body(): Body | undefined {
    const json = this.#sent.bytes();
    return json && { json };
  }

  /**
   * Whether the upstream has answered that it has done what was asked.
   *
   * @throws where its answer cannot be read
   */
  get hasSucceeded(): boolean {
    if (!this.#answer?.complete || this.#answer.statusCode !== 200) return false;
    const bytes = this.#received.bytes();
    if (bytes === undefined) throw new Error(`the upstream answered more than ${mostOfAnswer} bytes`);
    const isZipped = this.#answer.headers["content-encoding"] === "gzip";
    const text = isZipped ? gunzipSync(bytes, { maxOutputLength: mostOfAnswer }) : bytes;
    return JSON.parse(new TextDecoder().decode(text)).errCode === 0;
  }
}

/** What comes, until it is too long. */
class KeptBytes {
  readonly #most: number;
  #bytes: GrowingBytes | undefined = new GrowingBytes();

  constructor(most: number) {
    this.#most = most;
  }

  append(chunk: Uint8Array): void {
    if ((this.#bytes?.length ?? 0) + chunk.length > this.#most) this.#bytes = undefined;
    this.#bytes?.append(chunk);
  }

  bytes(): Uint8Array | undefined {
    return this.#bytes?.bytes();
  }
}
