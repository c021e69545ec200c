import { expect, it } from "vitest";
import { openApiDocument } from "../../../adapters/openapi/index.js";
import { imAdmin } from "../../helpers/cliProcess.js";

const printed = (document: unknown) => `${JSON.stringify(document, null, 2)}\n`;

it("prints the document", async () => {
  expect(await imAdmin(["openapi"])).toEqual({ status: 0, stdout: printed(openApiDocument()), stderr: "" });
});

it("prints the document of a server with these options", async () => {
  const { stdout } = await imAdmin(["openapi", "--base-path", "admin", "--token-endpoint"]);
  expect(stdout).toBe(printed(openApiDocument({ basePath: "/admin", adminToken: true })));
});

it("prints the document for generators of TypeScript", async () => {
  const { stdout } = await imAdmin(["openapi", "--closed"]);
  expect(stdout).toBe(printed(openApiDocument({ closed: true })));
});

it.each([
  ["true", true],
  ["1", true],
  ["false", false],
  ["Off", false],
  [" no ", false],
  ["0", false],
  ["", false],
])("takes the environment variable of a switch, %j, for %s", async (value, isOn) => {
  const { stdout } = await imAdmin(["openapi"], { IM_ADMIN_TOKEN_ENDPOINT: value });
  expect("/auth/get_admin_token" in JSON.parse(stdout).paths).toBe(isOn);
});
