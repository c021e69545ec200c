import type { IncomingMessage } from "node:http";

/** Keeps what im-admin reads of a body, so that the request can be passed on all the same. */
export class KeptBody {
  readonly #incoming: IncomingMessage;
  readonly #chunks: Buffer[] = [];
  #isReading = false;

  constructor(incoming: IncomingMessage) {
    this.#incoming = incoming;
  }

  /** Whether the client has been asked for its body. */
  get hasBegun(): boolean {
    return this.#isReading;
  }

  /** Keeps the chunks that come from now on. It makes the request flow, so the reader must listen, too. */
  begin(): void {
    this.#isReading = true;
    this.#incoming.on("data", this.#keep);
  }

  /** Returns what has come, and stops keeping. What comes afterwards waits for the next reader. */
  take(): Buffer[] {
    this.#incoming.off("data", this.#keep);
    if (this.#isReading) this.#incoming.pause();
    return this.#chunks;
  }

  // A host may have set an encoding.
  readonly #keep = (chunk: Buffer | string) =>
    this.#chunks.push(
      typeof chunk === "string" ? Buffer.from(chunk, this.#incoming.readableEncoding ?? "utf8") : chunk,
    );
}
