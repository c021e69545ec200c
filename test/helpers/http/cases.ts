import { bodyCases } from "./bodyCases.js";
import { conversionCases } from "./conversionCases.js";
import { errorCases, orderCases } from "./errorCases.js";
import type { HttpCase } from "./request.js";
import { corsCases, routeCases } from "./routeCases.js";
import { successCases } from "./successCases.js";

/** The requests of each subject, by what they show. */
export const httpCases: Record<string, Record<string, HttpCase>> = {
  conversions: conversionCases,
  successes: successCases,
  "the table of errors": errorCases,
  "the order of checks": orderCases,
  bodies: bodyCases,
  paths: routeCases,
  CORS: corsCases,
};
