import { bodyCases } from "./bodyCases.js";
import { errorCases, orderCases } from "./errorCases.js";
import type { HttpCase } from "./request.js";
import { corsCases, routeCases } from "./routeCases.js";
import { successCases } from "./successCases.js";

/** The requests that every adapter must answer alike, by what they show. */
export const httpCases: Record<string, Record<string, HttpCase>> = {
  successes: successCases,
  "the table of errors": errorCases,
  "the order of checks": orderCases,
  bodies: bodyCases,
  "paths and methods": routeCases,
  CORS: corsCases,
};
