import type { Page, Route } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { signAdminToken } from "../../../adapters/auth.js";
import { serve } from "../../helpers/cliProcess.js";
import { deferred } from "../../helpers/deferred.js";
import { httpUpstream } from "../../helpers/http/upstreams.js";
import { bodyOf, secret, useConsole } from "../helpers/console/open.js";
import { violations } from "../helpers/console/violations.js";

const openConsole = useConsole();
const flags = ["--token-endpoint"];
const group = "/groups/2559217223";
const endpoint = "**/auth/get_admin_token";

/** A page that asks how to sign in. */
async function signedOut(options: Parameters<typeof openConsole>[0] = { flags }) {
  const opened = await openConsole({ place: group, seen: "5,000 members", ...options });
  await opened.page.getByRole("button", { name: "Sign out" }).click();
  return opened;
}

async function fill(page: Page, userID: string, given: string): Promise<void> {
  await page.getByLabel("User ID", { exact: true }).fill(userID);
  const field = page.getByLabel("Secret", { exact: true });
  await field.fill(given);
  await field.press("Enter");
}

it("signs in with a user ID and the secret, and keeps the secret nowhere", async () => {
  const { page, url, sent } = await signedOut();
  await fill(page, " imAdmin ", secret);
  await page.getByText("5,000 members").waitFor();
  expect(sent("/auth/get_admin_token")).toEqual([{ secret, userID: "imAdmin" }]);
  await page.getByRole("banner").getByText("imAdmin").waitFor();
  expect(page.url()).toBe(`${url}/console#${group}`);
  const kept = await page.evaluate(() =>
    JSON.stringify([
      { ...sessionStorage },
      { ...localStorage },
      document.cookie,
      history.state,
      document.body.outerHTML,
    ]),
  );
  expect(kept).toContain("im-admin-token");
  expect(kept).not.toContain(secret);
  await page.getByRole("button", { name: "Sign out" }).click();
  expect(await page.getByLabel("Secret", { exact: true }).inputValue()).toBe("");
});

it("signs in with a token of the OpenIM server upstream", async () => {
  const token = await signAdminToken({ secret, userID: "imAdmin" });
  const asked: unknown[] = [];
  const upstream = await httpUpstream(async (request, response) => {
    const body = JSON.parse((await request.toArray()).join("") || "{}");
    // im-admin has no copy yet, and asks for lists.
    if (request.url === "/user/search_notification_account")
      return response.end(bodyOf({ total: 0, notificationAccounts: null }));
    if (request.url !== "/auth/get_admin_token") return response.writeHead(404).end("404 page not found");
    asked.push(body);
    return response.end(bodyOf({ token, expireTimeSeconds: 7_776_000 }));
  });
  const flags = ["--secret", secret, "--admin", "imAdmin", "--db", ":memory:", "--upstream", upstream, "--console"];
  const { url } = await serve(flags);
  const { page: other } = await openConsole();
  const page = await other.context().browser()?.newPage();
  if (page === undefined) throw new Error("there is no browser");
  onTestFinished(() => page.close());
  await page.goto(`${url}/console#/accounts`);
  await fill(page, "imAdmin", secret);
  await page.getByRole("banner").getByText("imAdmin").waitFor();
  expect(asked).toEqual([{ secret, userID: "imAdmin" }]);
  expect(await page.evaluate(() => sessionStorage.getItem("im-admin-token"))).toBe(token);
});

it("has fields that a password manager can fill, and that everybody can read", async () => {
  const { page } = await signedOut();
  const fields = page.locator("form input");
  const attributes = await fields.evaluateAll((all) =>
    all.map((one) => ["name", "type", "autocomplete"].map((name) => one.getAttribute(name))),
  );
  expect(attributes).toEqual([
    ["userID", "text", "username"],
    ["secret", "password", "current-password"],
  ]);
  expect(await violations(page)).toEqual([]);
});

it("says what to do when the server gives no token, and lets in at the next attempt", async () => {
  const { page } = await signedOut();
  await fill(page, "imAdmin", "a wrong secret");
  const alert = page.getByRole("alert");
  await alert.getByText("The server gave no token").waitFor();
  expect(await alert.textContent()).toContain("secret or userID is wrong");
  expect(await alert.textContent()).toContain("Check the user ID and the secret");
  expect(await page.getByLabel("Secret", { exact: true }).getAttribute("aria-invalid")).toBe("true");
  for (let attempt = 0; attempt < 10; attempt++) {
    const answered = page.waitForResponse(endpoint);
    await fill(page, "imAdmin", "a wrong secret");
    await answered;
    await page.getByRole("button", { name: "Sign in", exact: true, disabled: false }).waitFor();
  }
  expect(await alert.textContent()).toContain("try again in a minute");
  await page.route(endpoint, (route) => route.abort());
  await fill(page, "imAdmin", secret);
  await alert.getByText("The server cannot be reached").waitFor();
  await page.unroute(endpoint);
  const token = await signAdminToken({ secret, userID: "imAdmin" });
  await page.route(endpoint, (route) => route.fulfill({ body: bodyOf({ token, expireTimeSeconds: 60 }) }));
  await fill(page, "imAdmin", secret);
  await page.getByText("5,000 members").waitFor();
});

it.each([
  ["one that has no such endpoint", { status: 404, body: "404 page not found" }, "The answer was HTTP 404"],
  ["one that gives no token", { status: 200, body: bodyOf({}) }, "Something other than im-admin answered"],
  [
    "OpenIM, to somebody who is no administrator",
    { status: 200, body: '{"errCode":1001,"errMsg":"ArgsError","errDlt":"userID is error., userID=u00"}' },
    "Check the user ID and the secret",
  ],
  [
    "one whose token im-admin does not accept",
    { status: 200, body: bodyOf({ token: "no token" }) },
    "A token has three parts",
  ],
])("says what is wrong with a server: %s", async (_, answer, text) => {
  const { page } = await signedOut();
  await page.route(endpoint, (route) => route.fulfill(answer));
  await fill(page, "imAdmin", secret);
  await page.getByRole("alert").getByText(text).waitFor();
});

it("signs in with a token where somebody has no secret, and remembers no refusal of the other way", async () => {
  const { page, token } = await signedOut();
  await fill(page, "imAdmin", "a wrong secret");
  await page.getByText("The server gave no token").waitFor();
  await page.getByRole("button", { name: "Sign in with a token instead" }).click();
  expect(await page.getByRole("alert").count()).toBe(0);
  await page.getByLabel("Administrator's token").fill(token);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByText("5,000 members").waitFor();
});

it("asks only for a token where the server gives none", async () => {
  const { page } = await signedOut({ flags: [] });
  expect(await page.locator("form input").evaluateAll((all) => all.map((one) => one.getAttribute("name")))).toEqual([
    "token",
  ]);
  expect(await page.getByRole("button", { name: "Sign in with the secret instead" }).count()).toBe(0);
});

it("leaves a token alone that another tab has given while the server was asked", async () => {
  const { page, url } = await signedOut();
  const late = deferred<Route>();
  await page.route(endpoint, (route) => late.fulfil(route));
  await fill(page, "imAdmin", secret);
  const asked = await late.promise;
  const another = await signAdminToken({ secret, userID: "imAdmin", expiresInSeconds: 3_600 });
  const tab = await page.context().newPage();
  await tab.goto(`${url}/console#token=${another}&place=/accounts`);
  await page.getByText("5,000 members").waitFor();
  const token = await signAdminToken({ secret, userID: "imAdmin", expiresInSeconds: 7_200 });
  await asked.fulfill({ body: bodyOf({ token }) }).catch(() => {});
  // When the page has drawn another list, it has had the time to read the answer.
  await page.getByRole("banner").getByRole("link", { name: "Notification accounts" }).click();
  await page.getByText("4 accounts").waitFor();
  expect(await page.evaluate(() => sessionStorage.getItem("im-admin-token"))).toBe(another);
});
