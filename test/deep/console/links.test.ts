import { expect, it } from "vitest";
import { groupMember } from "../../../src/items.js";
import { failureText } from "../../helpers/http/request.js";
import { useConsole } from "../helpers/console/open.js";

const openConsole = useConsole();

it("leads from a member to its groups, and from a group to its members, and back leads back", async () => {
  const { page } = await openConsole({ place: "/groups/2559217223?row=20" });
  await page.getByRole("row").filter({ hasText: "1000000007" }).click();
  const detail = page.locator(".detail");
  await detail.getByRole("link", { name: "Joined groups" }).click();
  await page.getByText("301 groups").waitFor();
  expect(new URL(page.url()).hash).toBe("#/users/1000000007/groups");
  await page.locator('[aria-rowindex="2"]').click();
  await detail.getByRole("link", { name: "Members of the group" }).click();
  await page.getByRole("heading", { name: "Photography 300" }).waitFor();
  await page.getByText("6 members").waitFor();

  // Back to the open details, and with them closed.
  await page.goBack();
  await detail.getByText("Photography 300").first().waitFor();
  await page.goBack();
  await detail.waitFor({ state: "detached" });
  await page.getByText("301 groups").waitFor();
  await page.goBack();
  await page.getByText("5,000 members").waitFor();
  const recent = page.getByRole("navigation", { name: "Recent" });
  await recent.getByRole("link", { name: "Photography 300" }).click();
  await page.getByText("6 members").waitFor();
});

it("shows join requests by result, pending ones first, with the total of each", async () => {
  const { page } = await openConsole({ place: "/users/1000000007/requests", seen: "140 requests" });
  for (const [result, count] of [
    ["Pending", 140],
    ["Accepted", 160],
    ["Refused", 100],
    ["All", 400],
  ]) {
    await page.getByRole("button", { name: `${result} ${count}` }).click();
    await page.getByText(`${count} requests`).waitFor();
  }
  await page.getByRole("button", { name: "Refused" }).click();
  await page.locator('[aria-rowindex="2"]').getByText("Refused").waitFor();
  expect(new URL(page.url()).hash).toBe("#/users/1000000007/requests?result=refused");
});

it("shows the blacklist, whose times are in seconds", async () => {
  const { page } = await openConsole({
    place: "/users/1000000007/blacklist",
    seen: "1 blocked user",
    timezoneId: "Asia/Shanghai",
  });
  await page.locator('[aria-rowindex="2"]').getByText("2023-06-26 14:13").waitFor();
  await page.getByText("Ada Harris").click();
  const time = page.locator(".detail").getByText("2023-06-26 14:13 UTC+8");
  expect(await time.getAttribute("datetime")).toBe("2023-06-26T06:13:20.000Z");
});

it("filters notification accounts by kind", async () => {
  const { page, sent } = await openConsole({ place: "/accounts", seen: "4 accounts" });
  await page.getByLabel("Kind").selectOption("Robots");
  await page.getByText("1 account", { exact: true }).waitFor();
  expect(sent("/search_notification_account").at(-1)).toMatchObject({ appManagerLevel: 4 });
  await page.goBack();
  await page.getByText("4 accounts").waitFor();
});

it("copies a thousand rows around the middle of the view as CSV, and the request for them", async () => {
  const { page, url, copied } = await openConsole({ place: "/groups/2559217223?row=1995", seen: "Rows 1,995–" });
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByRole("button", { name: "Copy rows 2,001–3,000 as CSV" }).click();
  await expect.poll(async () => (await copied()).split("\r\n").length).toBe(1_002);
  const [names, first = ""] = (await copied()).split("\r\n");
  expect(names).toBe(String(Object.keys(groupMember)));
  expect(first).toMatch(/^2559217223,\d+,20,/);

  await page.getByRole("button", { name: "Copy as curl" }).click();
  await expect.poll(copied).toContain("curl");
  expect(await copied()).toBe(`curl -s '${url}/group/get_group_member_list' \\
  -H "operationID: $(date +%s)" -H "token: $TOKEN" \\
  -d '{"groupID":"2559217223","pagination":{"pageNumber":40,"showNumber":50}}'`);
});

it("also copies on a page without a clipboard, which came neither over HTTPS nor from this machine", async () => {
  const { page, goTo } = await openConsole();
  await page.addInitScript(() => {
    const { clipboard } = navigator;
    Object.assign(globalThis, { pasted: () => clipboard.readText() });
    Object.defineProperty(Navigator.prototype, "clipboard", { value: undefined });
  });
  await page.reload();
  await goTo("/groups/2559217223");
  const pasted = () => page.evaluate(() => (globalThis as unknown as { pasted(): Promise<string> }).pasted());
  await page.getByText("Rows 1–").waitFor();
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByRole("button", { name: "Copy as curl" }).click();
  await expect.poll(pasted).toContain("curl -s");
  await page.keyboard.press("Escape");
  await page.locator('[aria-rowindex="2"]').click();
  await page.getByRole("button", { name: "Copy as JSON" }).click();
  await expect.poll(pasted).toContain('"userID": "1001800006"');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/^Cop/);
});

it("says why it could not copy", async () => {
  const { page } = await openConsole({ place: "/groups/2559217223", seen: "Rows 1–" });
  const body = failureText(1001, "ArgsError");
  await page.route("**/get_group_member_list", (route) => route.fulfill({ status: 200, body }));
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByRole("button", { name: "Copy rows 1–1,000 as CSV" }).click();
  await page.getByRole("button", { name: "The request is not valid" }).waitFor();
});
