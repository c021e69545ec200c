import { describe, expect, it } from "vitest";
import { createFetchHandler } from "../../../adapters/fetch.js";
import { openApiDocument } from "../../../adapters/openapi/index.js";
import { sendTo } from "../../helpers/http/adapters.js";
import { httpCases } from "../../helpers/http/cases.js";
import { type HttpCase, httpWorld, requestOf, secret, tokens } from "../../helpers/http/request.js";
import { optionsFor } from "../../helpers/http/setup.js";
import { type DocumentValidators, validatorsOf } from "../../helpers/openapi/validators.js";
import { memoryStore } from "../../helpers/stores.js";

const known = new Map<string, DocumentValidators>();

/** The validators of a handler with these options, which take long to make. */
function validatorsFor({ basePath, limits, adminToken }: HttpCase["options"] = {}): DocumentValidators {
  const options = { basePath, limits, adminToken: adminToken !== undefined };
  const key = JSON.stringify(options);
  const validators = known.get(key) ?? validatorsOf(openApiDocument(options));
  known.set(key, validators);
  return validators;
}

describe.each(Object.entries(httpCases))("%s", (_subject, cases) => {
  it.each(Object.entries(cases))("%s, as the document says", async (_name, example) => {
    const store = memoryStore();
    await store.put(httpWorld);
    const send = sendTo(createFetchHandler(optionsFor(example, store, { secret, revoked: tokens.revoked })));
    const request = requestOf(example);
    const { status, text } = await send(request);
    // What a browser asks before a request has no body.
    if (status === 204) return expect(request.method).toBe("OPTIONS");
    const validators = validatorsFor(example.options);
    const path = new URL(`http://localhost${request.path}`).pathname.replace(/\/+$/, "");
    const answer = JSON.parse(text);
    expect(
      validators.knows(request.method, path)
        ? validators.faultsOfAnswer(path, status, answer)
        : [...validators.faultsOfFailure(answer), ...([404, 405].includes(status) ? [] : [`status ${status}`])],
    ).toEqual([]);
  });
});
