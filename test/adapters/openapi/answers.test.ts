import { describe, expect, it } from "vitest";
import { openApiDocument } from "../../../adapters/openapi/index.js";
import { httpCases } from "../../helpers/http/cases.js";
import { type HttpCase, requestOf } from "../../helpers/http/request.js";
import { type DocumentValidators, validatorsOf } from "../../helpers/openapi/validators.js";

const known = new Map<string, DocumentValidators>();

/** The validators of a handler with these options, which take long to make. */
function validatorsFor(
  { basePath, limits, adminToken }: NonNullable<HttpCase["options"]>,
  closed: boolean,
): DocumentValidators {
  const options = { basePath, limits, adminToken: adminToken !== undefined, closed };
  const key = JSON.stringify(options);
  const validators = known.get(key) ?? validatorsOf(openApiDocument(options));
  known.set(key, validators);
  return validators;
}

// What all adapters answer, as the tests of requests hold them to it.
describe.each(Object.entries(httpCases))("%s", (_subject, cases) => {
  // A browser's preflight request has no body.
  const answered = Object.entries(cases).filter(([, { status }]) => status !== 204);
  const forms = answered.flatMap(([name, example]) => [false, true].map((closed) => [name, closed, example] as const));
  it.each(forms)("%s, as the document says, closed: %s", (_name, closed, example) => {
    const { method, path } = requestOf(example);
    const { status = 200, text } = example;
    const validators = validatorsFor(example.options ?? {}, closed);
    const operation = new URL(`http://localhost${path}`).pathname.replace(/\/+$/, "");
    const answer = JSON.parse(text);
    expect(
      validators.knows(method, operation)
        ? validators.faultsOfAnswer(operation, status, answer)
        : [...validators.faultsOfFailure(answer), ...([404, 405].includes(status) ? [] : [`status ${status}`])],
    ).toEqual([]);
  });
});
