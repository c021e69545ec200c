import { expect, it } from "vitest";
import { serve } from "../../helpers/cliProcess.js";

const given = ["--db", ":memory:", "--secret", "a secret of sixteen characters", "--admin", "imAdmin"];

it("serves the console at /console, and says so", async () => {
  const { url, stdout } = await serve([...given, "--console"]);
  expect(stdout).toBe(`im-admin answers on ${url}, from :memory:\nits console is ${url}/console\n`);
  const response = await fetch(`${url}/console`);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  expect(await response.text()).toContain('<meta name="im-admin-api" content="">');
  const etag = response.headers.get("etag") ?? "";
  expect((await fetch(`${url}/console/`, { headers: { "if-none-match": etag } })).status).toBe(304);
  expect((await fetch(`${url}/console/else`)).status).toBe(404);
  expect((await fetch(`${url}/console`, { method: "POST", body: "{}" })).status).toBe(405);
  const head = await fetch(`${url}/console`, { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
});

it("serves none where nobody asked for it", async () => {
  const { url, stdout } = await serve(given);
  expect(stdout).not.toContain("console");
  const response = await fetch(`${url}/console`);
  expect([response.status, response.headers.get("content-type")]).toEqual([404, "application/json"]);
});

it("prints a link with the token where no server sees it, and prints no token without --demo", async () => {
  const { url, stdout, token } = await serve(["--db", ":memory:", "--demo", "--console"]);
  expect(stdout).toContain(`\n  ${url}/console#token=${token}&place=/groups/2559217223\n`);
});
