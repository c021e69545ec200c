import { expect, it } from "vitest";
import { openApiDocument } from "../../../adapters/openapi/index.js";
import { validatorsOf } from "../../helpers/openapi/validators.js";
import { exchanges, versions } from "../../helpers/openim/exchanges.js";

it.each(versions)("describes what an OpenIM server answers, if that is upstream: %s", (version) => {
  const { knows, faultsOfAnswer } = validatorsOf(openApiDocument({ upstream: true }));
  const answered = exchanges.flatMap(({ method, path, answers }) => {
    const answer = answers[version];
    return knows(method, path) && answer !== undefined && answer.status < 500 ? [{ path, ...answer }] : [];
  });
  expect(answered.length).toBeGreaterThan(100);
  const faults = answered.map(({ path, status, body }) => [path, ...faultsOfAnswer(path, status, body)]);
  expect(faults.filter(({ length }) => length > 1)).toEqual([]);
});

it("describes the statuses of an upstream that fails", () => {
  const paths = (options: object) => JSON.stringify(openApiDocument(options).paths);
  expect(paths({ upstream: true })).toContain('"5XX":{"$ref":"#/components/responses/Unanswered"}');
  expect(paths({})).not.toContain("5XX");
});

it("cannot be closed beside an upstream", () => {
  expect(() => openApiDocument({ closed: true, upstream: true })).toThrow(
    new TypeError("closed must be left out beside an upstream, whose answers are its own"),
  );
});
