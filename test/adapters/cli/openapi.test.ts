import { expect, it } from "vitest";
import { openApiDocument } from "../../../adapters/openapi/index.js";
import { imAdmin } from "../../helpers/cliProcess.js";

const printed = (document: unknown) => `${JSON.stringify(document, null, 2)}\n`;

it("prints the document", async () => {
  expect(await imAdmin(["openapi"])).toEqual({ status: 0, stdout: printed(openApiDocument()), stderr: "" });
});

it("prints it as a server with these options has it", async () => {
  const { stdout } = await imAdmin(["openapi", "--base-path", "admin", "--token-endpoint"]);
  expect(stdout).toBe(printed(openApiDocument({ basePath: "/admin", adminToken: true })));
});

it.each(["/a?b", "https://chat.example/admin"])("takes %s for wrong usage, which is no path", async (given) => {
  expect(await imAdmin(["openapi", "--base-path", given])).toMatchObject({
    status: 2,
    stdout: "",
    stderr: expect.stringContaining(
      `option '--base-path <path>' argument '${given}' is invalid. It must be a path such as "/admin".`,
    ),
  });
});
