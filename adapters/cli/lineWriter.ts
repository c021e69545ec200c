import { write } from "node:fs";

/** How many characters wait at most to be written; lines past them are dropped. */
const mostWaiting = 1_048_576;
/** How many bytes are written at once, which a pipe takes as a whole: several processes may write to the same one. */
const mostAtOnce = 4_096;
/** When a write is tried again for which there was no room, in milliseconds. */
const retryTime = 100;

/**
 * Writes lines to a file, a pipe or a terminal, in their order, without ever waiting for whoever reads them. Lines for
 * which there is no room, or which cannot be written, are dropped and counted.
 */
export class LineWriter {
  readonly #fileDescriptor: number;
  readonly #onDropped: (count: number) => void;
  #lines: string[] = [];
  #waiting = 0;
  #dropped = 0;
  #isWriting = false;
  #onIdle: (() => void) | undefined;

  /** @param onDropped told how many lines were dropped, once there is room again; it may write a line that says so */
  constructor(fileDescriptor: number, onDropped: (count: number) => void) {
    this.#fileDescriptor = fileDescriptor;
    this.#onDropped = onDropped;
  }

  write(line: string): void {
    if (this.#waiting + line.length > mostWaiting) {
      this.#dropped += 1;
      return;
    }
    this.#lines.push(line);
    this.#waiting += line.length;
    if (!this.#isWriting) this.#writeNext();
  }

  /** Resolves when all lines are written, or after so many milliseconds. */
  flush(limit: number): Promise<void> {
    return new Promise((resolve) => {
      if (!this.#isWriting) return resolve();
      const deadline = setTimeout(resolve, limit);
      this.#onIdle = () => {
        clearTimeout(deadline);
        resolve();
      };
    });
  }

  #writeNext(): void {
    const text = this.#take();
    this.#isWriting = text !== "";
    if (this.#isWriting) this.#send(Buffer.from(text));
    else this.#onIdle?.();
  }

  /** The lines that are written next. */
  #take(): string {
    let bytes = 0;
    // One line is taken in any case.
    const rest = this.#lines.findIndex((line, index) => {
      bytes += Buffer.byteLength(line);
      return index > 0 && bytes > mostAtOnce;
    });
    const text = this.#lines.splice(0, rest < 0 ? this.#lines.length : rest).join("");
    this.#waiting -= text.length;
    return text;
  }

  #send(bytes: Buffer): void {
    write(this.#fileDescriptor, bytes, (error, written) => {
      if (error?.code === "EAGAIN") {
        // Whoever ends the process does not wait for it.
        setTimeout(() => this.#send(bytes), retryTime).unref();
      } else if (error === null && written < bytes.length) {
        this.#send(bytes.subarray(written));
      } else {
        if (error === null) this.#tellDropped();
        else this.#dropped += linesIn(bytes);
        this.#writeNext();
      }
    });
  }

  #tellDropped(): void {
    if (this.#dropped === 0 || this.#waiting > mostWaiting / 2) return;
    const count = this.#dropped;
    this.#dropped = 0;
    this.#onDropped(count);
  }
}

function linesIn(bytes: Buffer): number {
  return bytes.reduce((count, byte) => (byte === 0x0a ? count + 1 : count), 0);
}
