import type { Request, Route } from "playwright-core";
import { expect, it } from "vitest";
import { signAdminToken } from "../../../adapters/auth.js";
import { deferred } from "../../helpers/deferred.js";
import { failureText, sign } from "../../helpers/http/request.js";
import { secret, useConsole } from "../helpers/console/open.js";

const openConsole = useConsole();
const group = "/groups/2559217223";

it("removes the token from the address at once, and keeps it for this tab only", async () => {
  const { page, url, token } = await openConsole({ place: group, seen: "5,000 members" });
  expect(page.url()).toBe(`${url}/console#${group}`);
  const kept = await page.evaluate(() => [{ ...sessionStorage }, { ...localStorage }, document.cookie]);
  expect(kept).toEqual([{ "im-admin-token": token, "im-admin-recent": expect.any(String) }, {}, ""]);
  expect(await page.evaluate(() => history.length)).toBe(2);

  await page.reload();
  await page.getByText("5,000 members").waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
});

it("also takes a token from a link in the same tab", async () => {
  const { page, url, token } = await openConsole();
  await page.evaluate((to) => {
    location.hash = to;
  }, `token=${token}&place=/accounts`);
  await page.getByText("4 accounts").waitFor();
  expect(page.url()).toBe(`${url}/console#/accounts`);
});

it("opens with a link whose token is broken", async () => {
  const { page, url } = await openConsole();
  await page.goto(`${url}/console#token=%E0%A4%A&place=/accounts`);
  await page.getByRole("button", { name: "Use the token in the link" }).click();
  await page.getByText("1503 TokenMalformedError").waitFor();
  expect(page.url()).toBe(`${url}/console#/accounts`);
});

it("signs in with a pasted token, even one broken into lines, and stays where it was", async () => {
  const { page, url, token } = await openConsole();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.goto(`${url}/console#${group}`);
  await page.getByLabel("Administrator's token").fill(`${token.slice(0, 60)} ${token.slice(60)}\t`);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("5,000 members").waitFor();
  expect(page.url()).toBe(`${url}/console#${group}`);
});

it.each([
  ["one that is no token", async () => "no-token", "1503 TokenMalformedError", "three parts"],
  ["one that no header can hold", async () => "令牌\u0000", "1503 TokenMalformedError", "three parts"],
  [
    "one with another secret's signature",
    () => signAdminToken({ secret: "quite another secret", userID: "imAdmin" }),
    "1505 TokenUnknownError",
    "signed with another secret",
  ],
  [
    "that of somebody else",
    () => signAdminToken({ secret, userID: "somebody" }),
    "1002 NoPermissionError",
    "no administrator",
  ],
])("does not let in with %s, and says why", async (_, token, title, lead) => {
  const { page } = await openConsole();
  await page.getByRole("button", { name: "Sign out" }).click();
  const field = page.getByLabel("Administrator's token");
  await field.fill(await token());
  await field.press("Enter");
  const alert = page.getByRole("alert");
  await alert.getByText(title).waitFor();
  expect(await alert.textContent()).toContain(lead);
  expect(await alert.textContent()).toMatch(/Operation ID console-\d+-\w+/);
  expect(await field.getAttribute("aria-invalid")).toBe("true");
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
});

it("asks for another token when this one has expired, and goes on where it was", async () => {
  const { page, url, token } = await openConsole();
  const expired = await sign({ UserID: "imAdmin", PlatformID: 10, exp: 1_000_000_000 }, { key: secret });
  await page.goto(`${url}/console#token=${expired}&place=${group}?row=2000`);
  await page.getByRole("button", { name: "Use the token in the link" }).click();
  const alert = page.getByRole("alert");
  await alert.getByText("1501 TokenExpiredError").waitFor();
  expect(await alert.textContent()).toContain("The token has expired");
  await page.getByLabel("Administrator's token").fill(token);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("Rows 2,000–").waitFor();
});

it("still says that the token has expired when work in the background goes on asking", async () => {
  const { page } = await openConsole({ place: group, seen: "5,000 members" });
  const first = deferred<Route>();
  const isOfDownload = (request: Request, pageNumber: number) =>
    request.postDataJSON()?.pagination?.showNumber === 1_000 &&
    request.postDataJSON().pagination.pageNumber === pageNumber;
  await page.route("**/get_group_member_list", (route) =>
    isOfDownload(route.request(), 1) ? first.fulfil(route) : route.continue(),
  );
  await page.route("**/search_notification_account", (route) =>
    route.fulfill({ status: 200, body: failureText(1501, "TokenExpiredError") }),
  );
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByRole("button", { name: "Download all 5,000 rows as CSV" }).click();
  const held = await first.promise;
  await page.getByRole("banner").getByRole("link", { name: "Notification accounts" }).click();
  await page.getByText("The token has expired", { exact: true }).waitFor();
  const second = page.waitForResponse((response) => isOfDownload(response.request(), 2));
  await held.continue();
  await (await second).finished();
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)));
  expect(await page.getByRole("alert").textContent()).toContain("1501 TokenExpiredError");
});

it("stays signed in when a request of an earlier session is refused late", async () => {
  const { page } = await openConsole({ place: group, seen: "5,000 members" });
  const ofThePast = deferred<Route>();
  const isCopy = (request: Request) => request.postDataJSON()?.pagination?.showNumber === 1_000;
  await page.route("**/get_group_member_list", (route) =>
    isCopy(route.request()) ? ofThePast.fulfil(route) : route.continue(),
  );
  const answered = page.waitForResponse((response) => isCopy(response.request()));
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByRole("button", { name: "Copy rows 1–1,000 as CSV" }).click();
  const refused = await ofThePast.promise;
  await page.getByRole("button", { name: "Sign out" }).click();
  const another = await signAdminToken({ secret, userID: "imAdmin", expiresInSeconds: 3_600 });
  await page.getByLabel("Administrator's token").fill(another);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("5,000 members").waitFor();
  await refused.fulfill({ status: 200, body: failureText(1501, "TokenExpiredError") });
  await (await answered).finished();
  // When the page has drawn another list, it has read the answer.
  await page.getByRole("banner").getByRole("link", { name: "Notification accounts" }).click();
  await page.getByText("4 accounts").waitFor();
  expect(await page.evaluate(() => sessionStorage.getItem("im-admin-token"))).toBe(another);
});

it("warns before a token ends, and not while it lasts", async () => {
  const { page, url } = await openConsole({ place: "/accounts", seen: "4 accounts" });
  const warning = page.getByText("Your token ends in less than a minute.");
  expect(await warning.count()).toBe(0);
  const ending = await signAdminToken({ secret, userID: "imAdmin", expiresInSeconds: 44 });
  await page.goto(`${url}/console#token=${ending}&place=${group}`);
  await page.getByRole("button", { name: "Use the token in the link" }).click();
  await page.getByText("5,000 members").waitFor();
  await warning.waitFor({ timeout: 20_000 });
  await page.getByText("5,000 members").waitFor();
});
