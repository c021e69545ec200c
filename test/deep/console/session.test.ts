import { expect, it } from "vitest";
import { signAdminToken } from "../../../adapters/auth.js";
import { secret, useConsole } from "../helpers/console/open.js";

const openConsole = useConsole();
const database = ":memory:";
const group = "/groups/2559217223";

it("takes the token from the address at once, and keeps it for the tab alone", async () => {
  const { page, url, token } = await openConsole({ database, place: group });
  await page.getByText("5,000 members").waitFor();
  expect(page.url()).toBe(`${url}/console#${group}`);
  const kept = await page.evaluate(() => [Object.values(sessionStorage), Object.values(localStorage), document.cookie]);
  expect(kept).toEqual([[token], [], ""]);
  expect(await page.evaluate(() => history.length)).toBe(2);

  await page.reload();
  await page.getByText("5,000 members").waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
});

it("takes a token also from a link that is opened in the same tab", async () => {
  const { page, url, token } = await openConsole({ database });
  await page.evaluate((to) => {
    location.hash = to;
  }, `token=${token}&place=/accounts`);
  await page.getByText("4 accounts").waitFor();
  expect(page.url()).toBe(`${url}/console#/accounts`);
});

it("opens also with a link whose token is broken", async () => {
  const { page, url } = await openConsole({ database });
  await page.goto(`${url}/console#token=%E0%A4%A&place=/accounts`);
  await page.getByText("1503 TokenMalformedError").waitFor();
  expect(page.url()).toBe(`${url}/console#/accounts`);
});

it("signs in with a token that was pasted, even one broken into lines, and stays where it was", async () => {
  const { page, url, token } = await openConsole({ database });
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
  const { page } = await openConsole({ database });
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
  const { page, url, token } = await openConsole({ database });
  // A token that is over is the only one of which the test can know when it is.
  const expired = await expiredToken();
  await page.goto(`${url}/console#token=${expired}&place=${group}?row=2000`);
  await page.getByText("1501 TokenExpiredError").waitFor();
  await page.getByText("The token has expired. Get a new one.").waitFor();
  await page.getByLabel("Administrator's token").fill(token);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("Rows 2,000–").waitFor();
});

it("stays signed in when a request of an earlier session is refused late", async () => {
  const permissions = ["clipboard-read", "clipboard-write"];
  const { page } = await openConsole({ database, permissions, place: group });
  await page.getByText("5,000 members").waitFor();
  const body = '{"errCode":1501,"errMsg":"TokenExpiredError","errDlt":"1501 TokenExpiredError"}';
  let refuse = async () => {};
  const isRefused = new Promise<void>((resolve) => {
    void page.route("**/get_group_member_list", async (route) => {
      if (route.request().postDataJSON().pagination.showNumber !== 1_000) return route.continue();
      refuse = async () => {
        await route.fulfill({ status: 200, body });
        resolve();
      };
    });
  });
  const asked = page.waitForRequest((request) => request.postDataJSON()?.pagination.showNumber === 1_000);
  const answered = page.waitForResponse(
    (response) => response.request().postDataJSON()?.pagination.showNumber === 1_000,
  );
  await page.getByRole("button", { name: "Copy CSV" }).click();
  await asked;
  await page.getByRole("button", { name: "Sign out" }).click();
  const another = await signAdminToken({ secret, userID: "imAdmin", expiresInSeconds: 3_600 });
  await page.getByLabel("Administrator's token").fill(another);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("5,000 members").waitFor();
  await refuse();
  await isRefused;
  await (await answered).finished();
  // The page has read the answer by the time that it has drawn another list.
  await page.getByRole("banner").getByRole("link", { name: "Notification accounts" }).click();
  await page.getByText("4 accounts").waitFor();
  expect(await page.evaluate(() => Object.values(sessionStorage))).toEqual([another]);
});

/** A token that ended in 2001, signed by hand, since none can be had that is over already. */
async function expiredToken(): Promise<string> {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const content = `${encode({ alg: "HS256", typ: "JWT" })}.${encode({ UserID: "imAdmin", PlatformID: 10, exp: 1_000_000_000 })}`;
  const bytes = new TextEncoder().encode(secret);
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const signature = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(content));
  return `${content}.${Buffer.from(signature).toString("base64url")}`;
}
