import { failure } from "../../src/envelope.js";
import { argsError } from "../../src/errors.js";
import { reference } from "./components.js";
import type { JsonObject } from "./document.js";

/** The answer to a body that is too long. */
export function tooLong(bodyBytes: number): JsonObject {
  const value = { ...failure(argsError(`body must have at most ${bodyBytes} bytes`)) };
  return {
    description: `The body has more than ${bodyBytes} bytes.`,
    content: { "application/json": { schema: reference("Failure"), example: value } },
  };
}
