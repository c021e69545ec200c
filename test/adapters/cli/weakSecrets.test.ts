import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { imAdmin, serve } from "../../helpers/cliProcess.js";
import { temporaryFolder } from "../../helpers/stores.js";

const weak = "15 characters..";
const strong = "16 characters...";
const admin = ["--admin", "a1"];

/** The messages of a log, but for the one at its end. */
function messages(stderr: string): [level: number, message: string][] {
  const lines = stderr.trim().split("\n");
  return lines.map((line) => JSON.parse(line)).map(({ level, msg }) => [level, msg]);
}

const ending: [number, string] = [30, "finishing the requests under way"];
const warning: [number, string] = [
  40,
  "a secret has fewer than 16 characters, and can be guessed: make one with openssl rand -base64 32",
];

it.each([
  ["warns of 15 characters", ["--secret", weak], [warning]],
  ["warns of 15 characters in one of two secrets", ["--secret", strong, "--secret", weak], [warning]],
  ["warns of 15 characters that take 30 bytes", ["--secret", "é".repeat(15)], [warning]],
  ["warns of them on localhost", ["--secret", weak, "--host", "localhost"], [warning]],
  ["warns of them on 127.1.2.3", ["--secret", weak, "--host", "127.1.2.3"], [warning]],
  [
    "warns of them elsewhere where they are allowed",
    ["--secret", weak, "--host", "0.0.0.0", "--allow-weak-secret"],
    [warning],
  ],
  ["does not warn of 16 characters", ["--secret", strong], []],
  ["does not warn of them elsewhere", ["--secret", strong, "--host", "0.0.0.0"], []],
  ["does not warn of the secret that it makes", ["--demo", "--host", "0.0.0.0"], []],
])("serve %s", async (_what, flags, expected) => {
  const { stop } = await serve(["--db", ":memory:", ...admin, ...flags]);
  const { status, stderr } = await stop();
  expect([status, messages(stderr)]).toEqual([0, [...expected, ending]]);
  expect(stderr).not.toContain("characters..");
});

it("serve lets the environment allow a weak secret", async () => {
  const environment = { IM_ADMIN_SECRET: weak, IM_ADMIN_HOST: "0.0.0.0", IM_ADMIN_ALLOW_WEAK_SECRET: "1" };
  const { stop } = await serve(["--db", ":memory:", ...admin], environment);
  expect((await stop()).status).toBe(0);
});

it.each([
  ["0.0.0.0", ["--secret", weak]],
  ["::", ["--secret", strong, "--secret", weak]],
  ["128.0.0.1", ["--secret", weak]],
  ["localhost.example.org", ["--secret", weak, "--demo"]],
])("serve does not listen on %s with a weak secret, and makes no database", async (host, flags) => {
  const database = join(temporaryFolder(), "im.db");
  const args = ["serve", "--port", "0", "--db", database, "--host", host, ...admin, ...flags];
  expect(await imAdmin(args, { IM_ADMIN_ALLOW_WEAK_SECRET: "no" })).toEqual({
    status: 2,
    stdout: "",
    stderr:
      `im-admin: a secret has fewer than 16 characters, and other machines may reach ${host}: ` +
      "make one with openssl rand -base64 32, or give --allow-weak-secret\nim-admin serve --help tells what there is.\n",
  });
  expect(existsSync(database)).toBe(false);
});

it("serve takes no weak secret from beside the database of a demo", async () => {
  const database = join(temporaryFolder(), "im.db");
  writeFileSync(`${database}.secret`, `${weak}\n`);
  expect(await imAdmin(["serve", "--demo", "--port", "0", "--db", database])).toEqual({
    status: 1,
    stdout: "",
    stderr: `im-admin: ${database}.secret holds no secret of 16 characters or more: delete it, and a new one is made\n`,
  });
});
