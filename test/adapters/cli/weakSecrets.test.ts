import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { imAdmin } from "../../helpers/cliProcess.js";
import { temporaryFolder } from "../../helpers/stores.js";

const weak = "15 characters..";
const strong = "16 characters...";

/** Starts serve with a file that is no database, so that it always ends. */
function serveNowhere(flags: string[], environment: Record<string, string> = {}) {
  return imAdmin(["serve", "--port", "0", "--db", "/no/such/folder/im.db", "--admin", "a1", ...flags], environment);
}

it.each([
  ["0.0.0.0", ["--secret", weak]],
  ["0.0.0.0", ["--secret", "é".repeat(15)]],
  ["0.0.0.0", ["--secret", "🔑".repeat(15)]],
  ["::", ["--secret", strong, "--secret", weak]],
  ["128.0.0.1", ["--secret", weak]],
  ["localhost.example.org", ["--secret", weak, "--demo"]],
])("serve does not listen on %s with %j", async (host, flags) => {
  expect(await serveNowhere(["--host", host, ...flags], { IM_ADMIN_ALLOW_WEAK_SECRET: "no" })).toEqual({
    status: 2,
    stdout: "",
    stderr: `im-admin: a secret has fewer than 16 characters, and other machines may reach ${host}: make one with openssl rand -base64 32, or give --allow-weak-secret
im-admin serve --help tells what there is.
`,
  });
});

it.each([
  [["--secret", weak], {}],
  [["--secret", weak, "--host", "localhost"], {}],
  [["--secret", weak, "--host", "LOCALHOST"], {}],
  [["--secret", weak, "--host", "127.1.2.3"], {}],
  [["--secret", weak, "--host", "::1"], {}],
  [["--secret", weak, "--host", "0.0.0.0", "--allow-weak-secret"], {}],
  [[], { IM_ADMIN_SECRET: weak, IM_ADMIN_HOST: "0.0.0.0", IM_ADMIN_ALLOW_WEAK_SECRET: "1" }],
  [["--secret", strong, "--host", "0.0.0.0"], {}],
  [["--demo", "--host", "0.0.0.0"], {}],
])("serve goes on with %j and %j", async (flags, environment) => {
  expect(await serveNowhere(flags, environment)).toEqual({
    status: 1,
    stdout: "",
    stderr:
      "im-admin: cannot open the database /no/such/folder/im.db: there is no folder /no/such/folder: make it first\n",
  });
});

it("serve takes no weak secret from beside the database of a demo", async () => {
  const database = join(temporaryFolder(), "im.db");
  for (const kept of [`${weak}\n`, "\n"]) {
    writeFileSync(`${database}.secret`, kept);
    expect(await imAdmin(["serve", "--demo", "--port", "0", "--db", database])).toEqual({
      status: 1,
      stdout: "",
      stderr: `im-admin: ${database}.secret holds no secret of 16 characters or more: delete it, and a new one is made\n`,
    });
  }
});
