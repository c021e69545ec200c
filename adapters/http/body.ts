import { argsError, type OperationError } from "../../src/errors.js";
import type { Body } from "./request.js";

const none: Uint8Array = new Uint8Array();

/** Bytes that come in chunks. */
export class GrowingBytes {
  length = 0;
  #space = none;
  readonly #expected: number;

  /** @param expected how many will come, if that is known. The system gives memory only where something is written. */
  constructor(expected = 0) {
    this.#expected = expected;
  }

  /** Copies a chunk at once: a list of chunks of one byte each would take a hundred times as much memory. */
  append(chunk: Uint8Array): void {
    const length = this.length + chunk.length;
    if (length > this.#space.length) {
      const larger = new Uint8Array(Math.max(length, 2 * this.#space.length, this.#expected));
      larger.set(this.#space);
      this.#space = larger;
    }
    this.#space.set(chunk, this.length);
    this.length = length;
  }

  bytes(): Uint8Array {
    return this.#space.subarray(0, this.length);
  }
}

/** How long a client may go on sending after its answer, in milliseconds. */
export const discardTimeout = 2_000;

export function incompleteBody(): OperationError {
  return argsError("body must arrive whole");
}

/** The cause of a failure that only the host can mend. */
export function bodyIsGone(advice: string): TypeError {
  return new TypeError(`the request's body was read before im-admin could read it: ${advice}`);
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The input in a body, whatever its content type is. The encoding only explains why a body cannot be read. */
export function inputOf(body: Body, encoding: string | undefined): unknown {
  if ("value" in body) return body.value;
  let refusal = `body must be a JSON object in UTF-8${encoding ? " with Content-Encoding: identity" : ""}`;
  try {
    const text = typeof body.json === "string" ? body.json : utf8.decode(body.json);
    if (!hasManyParts(text)) return JSON.parse(text);
    refusal = `body must have at most ${mostParts} fields, objects and arrays`;
  } catch {
    // It is neither UTF-8 nor JSON.
  }
  throw argsError(refusal);
}

/** The most fields, objects and arrays of a body together. Thousands of them take longer to parse than any strings. */
const mostParts = 1_000;

/** Reads each character once. A regular expression could start again at each quote of a hostile body. */
function hasManyParts(json: string): boolean {
  let parts = 0;
  let isString = false;
  for (let index = 0; index < json.length; index += 1) {
    const character = json[index];
    if (character === '"') isString = !isString;
    else if (isString) index += Number(character === "\\");
    else if (character === "[" || character === "{" || character === ":") parts += 1;
    if (parts > mostParts) return true;
  }
  return false;
}
