import { failure } from "../../src/envelope.js";
import { type ErrorName, OperationError } from "../../src/errors.js";
import { fieldDocstringsOf } from "./described.js";
import type { JsonObject } from "./document.js";

/** The detail in an example of each failure. */
const wrong: Readonly<Record<ErrorName, string>> = {
  ArgsError: "pagination.pageNumber must be an integer >= 1",
  NoPermissionError: "the caller is no administrator",
  RecordNotFoundError: "user u404",
  DismissedAlreadyError: "group g2",
  TokenExpiredError: "",
  TokenMalformedError: "",
  TokenNotValidYetError: "",
  TokenUnknownError: "its signature is of another secret than the server's, or it was damaged on its way",
  TokenKickedError: "",
  TokenNotExistError: "",
  ServerInternalError: "",
};

/** An example of each failure. */
export const failureExamples: JsonObject = Object.fromEntries(
  (Object.keys(wrong) as ErrorName[]).map((name) => [
    name,
    {
      summary: fieldDocstringsOf("errorCodes")[name],
      value: { ...failure(new OperationError(name, wrong[name])) },
    },
  ]),
);
