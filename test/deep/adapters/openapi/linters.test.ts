import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
// They are CommonJS.
import spectral, { type RulesetDefinition } from "@stoplight/spectral-core";
import rulesets from "@stoplight/spectral-rulesets";
import { expect, it } from "vitest";
import { type OpenApiOptions, openApiDocument } from "../../../../adapters/openapi/index.js";
import { temporaryFolder } from "../../../helpers/stores.js";
import { deep } from "../../helpers/recipes.js";

const options: [string, OpenApiOptions][] = [
  ["as it is", {}],
  ["closed", { closed: true, adminToken: true }],
  [
    "with tokens, a base path and servers of a host",
    { adminToken: true, basePath: "/admin", servers: [{ url: "https://chat.example.org" }] },
  ],
];

it.each(options)("leaves nothing for Redocly's recommended rules to find: %s", (_, given) => {
  const file = join(temporaryFolder(), "openapi.json");
  writeFileSync(file, JSON.stringify(openApiDocument(given)));
  const redocly = join(deep, "node_modules/.bin/redocly");
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const output = execFileSync(redocly, ["lint", "--extends=recommended", "--format=json", file], {
    env,
    stdio: "pipe",
  });
  const found = JSON.parse(output.toString());
  expect([found.totals.errors, found.totals.warnings, found.problems]).toEqual([0, 0, []]);
});

it.each(options)("leaves nothing for Spectral's recommended rules to find: %s", async (_, given) => {
  const linter = new spectral.Spectral();
  // Its types do not fit each other.
  linter.setRuleset({ extends: [[rulesets.oas as RulesetDefinition, "recommended"]] });
  const found = await linter.run(JSON.parse(JSON.stringify(openApiDocument(given))));
  expect(found.map(({ code, path, message }) => `${code} ${path.join(".")}: ${message}`)).toEqual([]);
});
