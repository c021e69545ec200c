import { jwtVerify } from "jose";
import { expect, it } from "vitest";
import { imAdmin, post, serve } from "../../helpers/cliProcess.js";

const expiry = { "90 days": 7_776_000, "12 hours": 43_200 };

it.each([
  ["from flags", ["--secret", "s1", "--secret", "s2", "--admin", "a1"], {}, expiry["90 days"]],
  ["from flags with several values", ["--secret", "s1\r\ns2", "--admin", "a1,a2"], {}, expiry["90 days"]],
  ["with a lifetime", ["--secret", "s1", "--admin", "a1", "--expires", "12h"], {}, expiry["12 hours"]],
  [
    "from the environment",
    [],
    { IM_ADMIN_SECRET: "s1\ns2\n", IM_ADMIN_ADMIN: "a1, a2", IM_ADMIN_EXPIRES: "12h" },
    expiry["12 hours"],
  ],
  [
    "from flags rather than the environment, where an empty variable is none",
    ["--secret", "s1"],
    { IM_ADMIN_SECRET: "other", IM_ADMIN_ADMIN: "a1", IM_ADMIN_EXPIRES: "" },
    expiry["90 days"],
  ],
])("prints a token and nothing else, %s", async (_, args, environment, seconds) => {
  const { status, stdout, stderr } = await imAdmin(["token", ...args], environment);
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^\S+\n$/);
  const { payload } = await jwtVerify(stdout.trim(), new TextEncoder().encode("s1"));
  const { iat = 0 } = payload;
  expect(payload).toEqual({ UserID: "a1", PlatformID: 10, iat, exp: iat + seconds });
});

it.each([
  ["a flag", ["--secret", " a, b "], {}],
  ["the environment", [], { IM_ADMIN_SECRET: " a, b " }],
])("takes a secret from %s as it is, with its commas and blanks", async (_, flags, environment) => {
  const { stdout } = await imAdmin(["token", "--admin", "a1", ...flags], environment);
  const { payload } = await jwtVerify(stdout.trim(), new TextEncoder().encode(" a, b "));
  expect(payload["UserID"]).toBe("a1");
});

it("accepts tokens that were signed with any of its secrets, and no others", async () => {
  const { url } = await serve(["--db", ":memory:", "--secret", "s1", "--secret", "s2", "--admin", "a1"]);
  const answers = ["s1", "s2", "s3"].map(async (secret) => {
    const { stdout } = await imAdmin(["token", "--secret", secret, "--admin", "a1"]);
    const pagination = { pageNumber: 1, showNumber: 1 };
    return (await post(`${url}/user/search_notification_account`, stdout.trim(), { pagination })).errCode;
  });
  expect(await Promise.all(answers)).toEqual([0, 0, 1505]);
});

it.each([
  ["repeated", ["--admin", "a1", "--admin", "a2"], {}],
  ["with a comma", ["--admin", "a1,a2"], {}],
  ["in the environment", [], { IM_ADMIN_ADMIN: "a1,a2" }],
])("accepts each of several administrators, %s", async (_, flags, environment) => {
  const { url } = await serve(["--db", ":memory:", "--secret", "s1", ...flags], environment);
  const answers = ["a1", "a2", "a3"].map(async (admin) => {
    const { stdout } = await imAdmin(["token"], { IM_ADMIN_SECRET: "s1", IM_ADMIN_ADMIN: admin });
    const pagination = { pageNumber: 1, showNumber: 1 };
    return (await post(`${url}/user/search_notification_account`, stdout.trim(), { pagination })).errCode;
  });
  expect(await Promise.all(answers)).toEqual([0, 0, 1002]);
});
