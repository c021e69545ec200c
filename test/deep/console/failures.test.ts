import type { Request } from "playwright-core";
import { expect, it } from "vitest";
import { deferred } from "../../helpers/deferred.js";
import { texts } from "../../helpers/http/request.js";
import { bodyOf, useConsole } from "../helpers/console/open.js";

const openConsole = useConsole();
const group = "/groups/2559217223";
const members = "**/get_group_member_list";

it("says that the server is gone, and shows the list when it is back", async () => {
  const { page, url, stop } = await openConsole({ place: group, seen: "5,000 members" });
  await stop();
  await page.getByLabel("Number of the row").fill("3000");
  await page.getByRole("button", { name: "Go", exact: true }).click();
  await page.getByText("The server cannot be reached").waitFor();
  // The list keeps its position and its rows.
  await page.getByText("5,000 members").waitFor();

  // Start a new server on another port, since another program may use the old port by now.
  const again = await openConsole();
  await page.route(members, (route) => route.continue({ url: route.request().url().replace(url, again.url) }));
  await page.getByRole("button", { name: "Try again" }).click();
  await page.locator('[aria-rowindex="3001"] .name').waitFor();
  await page.getByText("The server cannot be reached").waitFor({ state: "detached" });
});

it.each([
  ["HTML of a proxy", 502, "<h1>Bad gateway</h1>"],
  ["JSON of somebody else", 200, '{"error":"no"}'],
  ["null", 200, "null"],
  ["an envelope without data", 200, '{"errCode":0,"errMsg":"","errDlt":""}'],
])("says that something else answered: %s", async (_, status, body) => {
  const { page, goTo } = await openConsole();
  await page.route(members, (route) => route.fulfill({ status, body }));
  await goTo(group, "Something other than im-admin answered");
  await page.getByText(`The answer was HTTP ${status} `).waitFor();
});

it("leaves rows empty that the server counts but does not return", async () => {
  const { page, goTo } = await openConsole();
  const body = bodyOf({ total: 3, members: [{ userID: "u1" }] });
  await page.route(members, (route) => route.fulfill({ status: 200, body }));
  await goTo(group, "3 members");
  expect(await page.locator('[aria-rowindex="2"]').innerText()).toContain("u1");
  expect(await page.locator('[aria-rowindex="4"]').innerText()).toMatch(/^(–\s*){5}$/);
});

it("says that something else answered if an item lacks its parts", async () => {
  const { page, goTo } = await openConsole();
  const body = bodyOf({ total: 1, blacks: [{ ownerUserID: "u1" }] });
  await page.route("**/get_black_list", (route) => route.fulfill({ status: 200, body }));
  await goTo("/users/u1/blacklist", "Something other than im-admin answered");
});

it("shows a skeleton while the server is slow, and the rows when they come", async () => {
  const { page, goTo } = await openConsole();
  const allowed = deferred();
  await page.route(members, (route) => allowed.promise.then(() => route.continue()));
  await goTo(group);
  await page.locator(".bone").first().waitFor();
  expect(await page.getByRole("grid").getAttribute("aria-busy")).toBe("true");
  allowed.fulfil();
  await page.getByText("5,000 members").waitFor();
  await page.locator(".bone").first().waitFor({ state: "detached" });
  expect(await page.getByRole("grid").getAttribute("aria-busy")).toBe("false");
});

it("names a group that does not exist, with the operation ID of the request", async () => {
  const { page, goTo } = await openConsole();
  // The heading asks for members too, for one at a time.
  const isOfList = (request: Request) =>
    request.url().endsWith("/get_group_member_list") && request.postDataJSON().pagination.showNumber > 1;
  const request = page.waitForRequest(isOfList);
  await goTo("/groups/no%2Fsuch%20group");
  const alert = page.getByRole("alert");
  await alert.getByText("No such group: no/such group", { exact: true }).waitFor();
  await alert.getByText("1004 RecordNotFoundError", { exact: true }).waitFor();
  const operationID = (await request).headers()["operationid"] ?? "";
  expect(operationID).toMatch(/^console-\d+-\w+$/);
  await alert.getByText(operationID).waitFor();
});

it("says that the server failed without guessing why", async () => {
  const { page, goTo } = await openConsole();
  await page.route(members, (route) => route.fulfill({ status: 200, body: texts.internalError }));
  await goTo(group);
  await page.getByText("The server failed", { exact: true }).waitFor();
  await page.getByText("Search the server's log for the operation ID to find the cause.").waitFor();
});

it.each(["/nowhere", "/groups/", "/groups/%E0%A4%A", "?", "/users//blacklist", "/groups/a/b/c?row=-5&filter=99&row=x"])(
  "shows a screen for an impossible address: #%s",
  async (place) => {
    const { page } = await openConsole({ place });
    await page.getByRole("heading", { level: 1 }).waitFor();
  },
);
