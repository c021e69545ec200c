import type { Page, Route } from "playwright-core";
import { expect, it } from "vitest";
import { deferred } from "../../helpers/deferred.js";
import { useConsole } from "../helpers/console/open.js";

const openConsole = useConsole();
const place = "/groups/2559217223";

/** A row by its number in the list, from 1. */
const row = (page: Page, number: number) => page.locator(`[aria-rowindex="${number + 1}"]`);
const tick = (page: Page, number: number) => row(page, number).getByRole("checkbox");
const users = (page: Page) => page.getByLabel("User IDs").inputValue();

it("mutes a conversation for all administrators of a group", async () => {
  const { page, sent } = await openConsole({ place });
  await page.getByLabel("Role", { exact: true }).selectOption("Administrators");
  await page.getByText("20 members").waitFor();
  await page.getByRole("checkbox", { name: "Select all rows" }).check();
  await page.getByText("20 selected").waitFor();
  await page.getByRole("button", { name: "Set conversation", exact: true }).click();

  await page.getByText("Administrators of 全员群 Everybody (20)").first().waitFor();
  expect(await page.getByLabel("Group ID").inputValue()).toBe("2559217223");
  expect(await page.getByLabel("Conversation ID").inputValue()).toBe("sg_2559217223");
  await page.getByRole("checkbox", { name: "Messages" }).check();
  await page.getByRole("button", { name: "Set for 20 users" }).click();
  await page.getByText("Done: the conversation is set for 20 users").waitFor();
  const [request] = sent("/set_conversations");
  expect(request).toMatchObject({ conversation: { conversationID: "sg_2559217223", recvMsgOpt: 2 } });
  expect(request?.["userIDs"]).toHaveLength(20);
});

it("ticks and unticks single rows and ranges of rows", async () => {
  const { page, copied } = await openConsole({ place });
  await tick(page, 2).check();
  await page.getByText("1 selected").waitFor();
  await tick(page, 6).click({ modifiers: ["Shift"] });
  await page.getByText("5 selected").waitFor();
  await tick(page, 4).uncheck();
  await page.getByText("4 selected").waitFor();
  expect(await row(page, 3).getAttribute("aria-selected")).toBe("true");
  expect(await row(page, 4).getAttribute("aria-selected")).toBe("false");
  await page.getByRole("button", { name: "Copy IDs" }).click();
  await expect.poll(copied).toBe("1003600005\n1005400004\n1009000002\n1010800001");
  await page.getByRole("button", { name: "Clear", exact: true }).click();
  await page.getByText("selected").waitFor({ state: "detached" });
});

it("ticks a range of rows that have never been in view", async () => {
  const { page, goTo } = await openConsole({ place });
  await tick(page, 1).check();
  await page.getByText("1 selected").waitFor();
  await goTo(`${place}?row=3990`);
  await tick(page, 4_000).click({ modifiers: ["Shift"] });
  await page.getByText("4,000 selected").waitFor();
});

it("ticks all rows but one, and copies the IDs of a whole list", async () => {
  const { page, copied } = await openConsole({ place });
  await page.getByRole("checkbox", { name: "Select all rows" }).check();
  await page.getByText("5,000 selected").waitFor();
  await tick(page, 1).uncheck();
  await page.getByText("4,999 selected").waitFor();
  await page.getByRole("button", { name: "Copy IDs" }).click();
  await expect.poll(async () => (await copied()).split("\n").length).toBe(4_999);
  expect(await copied()).not.toContain("1001800006");
  // In another search, all rows would be other rows.
  await page.getByRole("searchbox").fill("Ada");
  await page.getByText("selected").waitFor({ state: "detached" });
});

it("stops reading a list that was asked for twice, and takes the ticks of the click", async () => {
  const { page, copied } = await openConsole({ place });
  let held = deferred<Route>();
  await page.route("**/get_group_member_list", (route) => {
    const { pageNumber, showNumber } = route.request().postDataJSON().pagination;
    return showNumber === 1_000 && pageNumber === 2 ? held.fulfil(route) : route.fallback();
  });
  const askTwice = async (name: string) => {
    held = deferred();
    await page.getByRole("button", { name, exact: true }).dblclick();
    await page.getByText("1,000 of 4,999 rows").waitFor();
    return held.promise;
  };
  await page.getByRole("checkbox", { name: "Select all rows" }).check();
  await tick(page, 1).uncheck();
  await askTwice("Set conversation");
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByText("4,999 selected").waitFor();

  const second = await askTwice("Copy IDs");
  await tick(page, 2).uncheck();
  await page.evaluate(() => navigator.clipboard.writeText(""));
  await second.fallback();
  await expect.poll(async () => (await copied()).split("\n").length).toBe(4_999);
  await page.getByText("4,998 selected").waitFor();
});

it("keeps the selection while the administrator looks at another screen", async () => {
  const { page, goTo } = await openConsole({ place });
  await tick(page, 2).check();
  await row(page, 3).locator(".name").click();
  await page.locator(".detail").getByRole("link", { name: "Joined groups" }).click();
  await page.getByText(/^\d+ groups?$/).waitFor();
  expect(await page.getByText("selected").count()).toBe(0);
  await page.goBack();
  await page.getByText("1 selected").waitFor();
  await page.getByRole("checkbox", { name: "Select all rows" }).click();
  await page.getByText("5,000 selected").waitFor();
  await goTo("/accounts", "4 accounts");
  await page.goBack();
  await page.getByText("5,000 selected").waitFor();
});

it("gathers users from several searches", async () => {
  const { page } = await openConsole({ place });
  for (const id of ["1003600005", "1005400004"]) {
    await page.getByRole("searchbox").fill(id);
    await page.getByText("1 member", { exact: true }).waitFor();
    await page.getByRole("checkbox", { name: `Select ${id}` }).check();
  }
  await page.getByText("2 selected").waitFor();
  await page.getByRole("button", { name: "Set conversation", exact: true }).click();
  await expect.poll(() => users(page)).toBe("1003600005\n1005400004");
});

it("selects with the keyboard alone", async () => {
  const { page } = await openConsole({ place });
  await row(page, 1).locator(".name").waitFor();
  const grid = page.getByRole("grid");
  await grid.focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Space");
  await page.getByText("1 selected").waitFor();
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Shift+ArrowDown");
  await page.getByText("3 selected").waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Shift+Space");
  await page.getByText("5 selected").waitFor();
  await page.keyboard.press("Shift+End");
  await page.getByText("5,000 selected").waitFor();
  await page.keyboard.press("Escape");
  await page.getByText("selected").waitFor({ state: "detached" });
  await page.keyboard.press("Control+a");
  await page.getByText("5,000 selected").waitFor();
  await page.keyboard.press("Escape");
  await page.getByText("selected").waitFor({ state: "detached" });
  expect(await grid.evaluate((element) => element === document.activeElement)).toBe(true);
});

it("goes from the search to the list, and through a menu, with arrow keys", async () => {
  const { page } = await openConsole({ place });
  await row(page, 1).locator(".name").waitFor();
  await page.getByRole("searchbox").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.locator(".detail").getByText("1001800006").first().waitFor();
  await page.keyboard.press("Escape");
  await page.locator(".detail").waitFor({ state: "detached" });

  await page.getByRole("button", { name: "Export" }).focus();
  await page.keyboard.press("Enter");
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await expect.poll(focused).toBe("Download all 5,000 rows as CSV");
  await page.keyboard.press("ArrowDown");
  expect(await focused()).toBe("Copy rows 1–1,000 as CSV");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  expect(await focused()).toBe("Copy as curl");
  await page.keyboard.press("Escape");
  expect(await focused()).toContain("Export");
});

it("sets the conversation of a group for one member, and proposes the ID of a single chat", async () => {
  const { page, goTo } = await openConsole({ place });
  await row(page, 2).locator(".name").click();
  await page.locator(".detail").getByRole("link", { name: "Set conversation" }).click();
  await expect.poll(() => users(page)).toBe("1003600005");
  await page
    .getByText("in the conversation of group 2559217223 (sg_2559217223)")
    .or(page.getByText("no field is ticked yet"))
    .waitFor();
  expect(await page.getByLabel("Conversation ID").inputValue()).toBe("sg_2559217223");

  // A blacklist names both users.
  await goTo("/users/1000000007/blacklist");
  await row(page, 1).locator(".name").click();
  await page.locator(".detail").getByRole("link", { name: "Set conversation" }).click();
  await expect.poll(() => users(page)).toBe("1000000007");
  expect(await page.getByLabel("The other user's ID").inputValue()).toBe("6399997007");
  expect(await page.getByLabel("Conversation ID").inputValue()).toBe("si_1000000007_6399997007");
  await page.reload();
  await expect.poll(() => users(page)).toBe("1000000007");

  await goTo("/users/1000000007/groups");
  await page.getByRole("main").getByRole("link", { name: "Set conversation" }).click();
  await expect.poll(() => users(page)).toBe("1000000007");

  // Both orders give the ID of the chat server.
  await goTo("/conversations");
  await page.getByLabel("User IDs").fill("u2");
  await page.getByRole("button", { name: "With one user" }).click();
  await page.getByLabel("The other user's ID").fill("u10");
  await expect.poll(() => page.getByLabel("Conversation ID").inputValue()).toBe("si_u10_u2");
  await page.getByLabel("User IDs").fill("u2\nu3");
  await expect.poll(() => page.getByLabel("Conversation ID").inputValue()).toBe("");
});

it("brings back users that a selection has replaced", async () => {
  const { page, goTo } = await openConsole({ place: "/conversations/2559217223" });
  await page.getByLabel("User IDs").fill("u1\nu2");
  await goTo(place);
  await tick(page, 1).check();
  await page.getByRole("button", { name: "Set conversation", exact: true }).click();
  await expect.poll(() => users(page)).toBe("1001800006");
  await page.getByRole("button", { name: "Bring those back" }).click();
  await expect.poll(() => users(page)).toBe("u1\nu2");
});

it("selects an ID with the pointer, without opening its row", async () => {
  const { page } = await openConsole({ place });
  const id = row(page, 2).locator(".id:not(.sub)");
  await id.waitFor();
  const box = await id.boundingBox();
  if (box === null) throw new Error("there is no ID");
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + 1, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width + 2, y, { steps: 5 });
  await page.mouse.up();
  expect(await page.evaluate(() => String(getSelection()))).toBe("1003600005");
  expect(await page.locator(".detail").count()).toBe(0);
  // A click opens the row, also on a selected text.
  await page.mouse.click(box.x + 5, y);
  await page.locator(".detail").waitFor();
});
