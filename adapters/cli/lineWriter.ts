import { write } from "node:fs";

/** The most characters that wait. The writer drops further lines. */
const mostWaiting = 1_048_576;
/** The most bytes of one write. A pipe takes so many as a whole, so that lines of several processes do not mix. */
const mostAtOnce = 4_096;
/** The pause before the writer tries again, if there was no room; in milliseconds. */
const retryTime = 100;

/**
 * Writes lines to a file, a pipe or a terminal, in their order. It never waits for a reader: if there is no room for a line
 * or a write fails, it drops the line and counts it.
 */
export class LineWriter {
  readonly #fileDescriptor: number;
  readonly #onDropped: (count: number) => void;
  #lines: string[] = [];
  #waiting = 0;
  #dropped = 0;
  #isWriting = false;
  #onIdle: (() => void) | undefined;

  /** @param onDropped learns how many lines were dropped when there is room again. It may write a line about that. */
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

  /** Resolves when all lines are written, at the latest after `limit` milliseconds. */
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

  /** Takes the lines for the next write. */
  #take(): string {
    let bytes = 0;
    // It takes at least one line.
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
        // This timer does not keep the process alive.
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
