import { jwtVerify } from "jose";
import { expect, it } from "vitest";
import { imAdmin } from "../../helpers/cliProcess.js";

const day = 86_400;

it.each<[string, string[], Record<string, string>, number]>([
  ["from flags", ["--secret", "s1", "--secret", "s2", "--admin", "a1"], {}, 90 * day],
  ["from flags with several values", ["--secret", "s1\r\ns2", "--admin", "a1,a2"], {}, 90 * day],
  ["with a lifetime", ["--secret", "s1", "--admin", "a1", "--expires", "1s"], {}, 1],
  ["with the longest lifetime", ["--secret", "s1", "--admin", "a1", "--expires", "100y"], {}, 36_525 * day],
  [
    "from the environment",
    [],
    { IM_ADMIN_SECRET: "s1\ns2\n", IM_ADMIN_ADMIN: "a1, a2", IM_ADMIN_EXPIRES: "12h" },
    day / 2,
  ],
  [
    "from flags rather than the environment, where an empty variable is none",
    ["--secret", "s1"],
    { IM_ADMIN_SECRET: "other", IM_ADMIN_ADMIN: "a1", IM_ADMIN_EXPIRES: "" },
    90 * day,
  ],
])("prints a token and nothing else, %s", async (_, args, environment, seconds) => {
  const { status, stdout, stderr } = await imAdmin(["token", ...args], environment);
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^\S+\n$/);
  const { payload } = await jwtVerify(stdout.trim(), new TextEncoder().encode("s1"), { clockTolerance: 3600 });
  const { iat = 0 } = payload;
  expect(payload).toEqual({ UserID: "a1", PlatformID: 10, iat, exp: iat + seconds });
});

it.each([
  ["a flag", ["--secret", " a, b "], {}],
  ["the environment", [], { IM_ADMIN_SECRET: " a, b " }],
])("keeps the commas and blanks of a secret from %s", async (_, flags, environment) => {
  const { stdout } = await imAdmin(["token", "--admin", "a1", ...flags], environment);
  const { payload } = await jwtVerify(stdout.trim(), new TextEncoder().encode(" a, b "));
  expect(payload["UserID"]).toBe("a1");
});
