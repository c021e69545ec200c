import { failure } from "../../../src/envelope.js";
import { argsError, OperationError } from "../../../src/errors.js";
import { json } from "../answer.js";
import type { Body, HttpAnswer, HttpRequest } from "../request.js";
import { within } from "../within.js";

/** Reads the body of a request, or gives the answer to a request whose body is too long or late. */
export async function readSentBody(
  request: HttpRequest,
  limit: number,
  timeoutMs: number,
): Promise<{ body: Body } | { refusal: HttpAnswer }> {
  const tooLong = () => refused(413, argsError(`body must have at most ${limit} bytes`));
  if (Number(request.header("content-length")) > limit) return tooLong();
  try {
    const isLate = argsError(`body must arrive whole within ${timeoutMs} ms`);
    const body = await within(timeoutMs, request.readBody(limit), isLate);
    return body === undefined ? tooLong() : { body };
  } catch (error) {
    if (error instanceof OperationError) return refused(408, error);
    throw error;
  }
}

function refused(status: number, error: OperationError): { refusal: HttpAnswer } {
  return { refusal: json(status, JSON.stringify(failure(error))) };
}
