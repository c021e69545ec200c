import { failure } from "../../src/envelope.js";
import { argsError } from "../../src/errors.js";
import { reference } from "./components.js";
import type { JsonObject } from "./document.js";

/** The answers that come before the operation. */
export function refused(bodyBytes: number): JsonObject {
  const value = { ...failure(argsError(`body must have at most ${bodyBytes} bytes`)) };
  return {
    description: [
      "The request was refused before the operation.",
      "403: `Host` names no known server. 404: the path is that of no operation. 405: the method is not the one in the header `Allow`.",
      `408: the body did not arrive in time. 413: the body has more than ${bodyBytes} bytes.`,
    ].join(" "),
    content: { "application/json": { schema: reference("Failure"), examples: { tooLong: { value } } } },
  };
}

/** The answers beside an upstream that gave none of its own. Generated clients would fail at an empty body, if one was described. */
export const unanswered: JsonObject = {
  description:
    "500: the OpenIM server failed. 502: it gave no answer. 504: it gave none in time. 508: its address leads back here.",
};
