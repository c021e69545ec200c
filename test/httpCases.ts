import { bodyCases } from "./httpBodyCases.js";
import { errorCases, orderCases } from "./httpErrorCases.js";
import type { HttpCase } from "./httpRequest.js";
import { corsCases, routeCases } from "./httpRouteCases.js";
import { successCases } from "./httpSuccessCases.js";

/** The requests that every adapter must answer alike, by what they show. */
export const httpCases: Record<string, Record<string, HttpCase>> = {
  successes: successCases,
  "the table of errors": errorCases,
  "the order of checks": orderCases,
  bodies: bodyCases,
  "paths and methods": routeCases,
  CORS: corsCases,
};
