import type { IncomingMessage } from "node:http";
import { GrowingBytes } from "../body.js";

/** Keeps what im-admin reads of a body, so that the request can be passed on all the same. */
export class KeptBody {
  readonly #incoming: IncomingMessage;
  readonly #bytes = new GrowingBytes();
  #isReading = false;

  constructor(incoming: IncomingMessage) {
    this.#incoming = incoming;
  }

  /** Whether the client has been asked for its body. */
  get hasBegun(): boolean {
    return this.#isReading;
  }

  /** Whether a host has read some of the body, or has it decoded, so that nobody can pass it on. */
  get isLost(): boolean {
    const { readableDidRead, readableEncoding } = this.#incoming;
    return readableEncoding !== null || (readableDidRead && !this.#isReading);
  }

  /** Keeps what comes from now on. It makes the request flow, so the reader must listen, too. */
  begin(): void {
    if (this.isLost) return;
    this.#isReading = true;
    this.#incoming.on("data", this.#keep);
  }

  /** Returns what has come, and stops keeping. What comes afterwards waits for the next reader. */
  take(): Uint8Array {
    this.#incoming.off("data", this.#keep);
    if (this.#isReading) this.#incoming.pause();
    return this.#bytes.bytes();
  }

  readonly #keep = (chunk: Buffer) => this.#bytes.append(chunk);
}
