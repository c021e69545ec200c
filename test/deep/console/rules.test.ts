import type { Page, Route } from "playwright-core";
import { expect, it } from "vitest";
import { deferred } from "../../helpers/deferred.js";
import { failureText } from "../../helpers/http/request.js";
import { confirmSetting, useConsole } from "../helpers/console/open.js";

const openConsole = useConsole();
const place = "/groups/2559217223";
const step = (page: Page) => page.getByRole("group", { name: "Set conversations" });

/** Opens the menu of the group's main button. */
async function ask(page: Page): Promise<void> {
  await page.getByText("5,000 members", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Set its conversation" }).click();
}

/** Holds the request for a page of members. */
async function hold(page: Page, pageNumber: number) {
  const held = deferred<Route>();
  await page.route("**/get_group_member_list", (route) => {
    const { pagination } = route.request().postDataJSON();
    return pagination.showNumber === 1_000 && pagination.pageNumber === pageNumber
      ? held.fulfil(route)
      : route.continue();
  });
  return { arrival: held.promise };
}

it("asks for whom a group's conversation is set", async () => {
  const { page } = await openConsole({ place });
  await ask(page);
  const menu = page.getByRole("group", { name: "Set its conversation" });
  await expect
    .poll(async () => (await menu.innerText()).split("\n"))
    .toEqual(["All 5,000 members", "Owner and administrators (21)", "Users that you choose"]);
  await page.keyboard.press("Escape");
  await page.getByRole("searchbox").fill("Ada");
  await page.getByLabel("Role", { exact: true }).selectOption("Members");
  await page.getByRole("button", { name: "Set its conversation" }).click();
  await menu.getByText(/^Ordinary members whose name or ID has “Ada” \(\d+\)$/).click();
  await step(page).getByText(`Ordinary members of 全员群 Everybody whose name or ID has “Ada”`).waitFor();
  expect(new URL(page.url()).hash).toBe("#/conversations/2559217223?members=3&keyword=Ada");
});

it("sets it for all members, whose IDs are read and not pasted", async () => {
  const { page, sent, copied } = await openConsole({ place });
  await ask(page);
  await page.getByRole("link", { name: "All 5,000 members" }).click();
  await step(page).getByText("All 5,000 members of 全员群 Everybody").waitFor();
  expect(await page.getByLabel("User IDs").count()).toBe(0);
  await page.getByText("Show the IDs").first().click();
  await page.getByRole("button", { name: "Copy IDs" }).click();
  await expect.poll(async () => new Set((await copied()).split("\n")).size).toBe(5_000);
  expect(await page.getByRole("textbox", { name: "Show the IDs" }).inputValue()).toMatch(/^1001800006\n1003600005\n/);

  await page.getByRole("checkbox", { name: "Pinned to the top" }).check();
  await page
    .getByRole("region", { name: "What will change" })
    .getByText("All 5,000 members of 全员群 Everybody")
    .waitFor();
  await confirmSetting(page, "5,000");
  await page.getByText("Done: the conversation is set for 5,000 users").waitFor();
  const userIDs = (await copied()).split("\n");
  expect(sent("/set_conversations")).toEqual([
    {
      userIDs,
      conversation: { conversationID: "sg_2559217223", conversationType: 3, groupID: "2559217223", isPinned: true },
    },
  ]);
});

it("reads while the administrator looks elsewhere, can be stopped, and goes on", async () => {
  const { page, goTo, sent } = await openConsole({ place });
  const { arrival } = await hold(page, 3);
  await ask(page);
  await page.getByRole("link", { name: "All 5,000 members" }).click();
  await page.getByRole("checkbox", { name: "Pinned to the top" }).check();
  await page.getByText("2,000 of 5,000 rows", { exact: true }).waitFor();
  await goTo("/accounts", "4 accounts");
  const tasks = page.getByRole("region", { name: "Tasks" });
  await tasks.getByText("2,000 of 5,000 rows").waitFor();
  await tasks.getByRole("button", { name: "Stop" }).click();
  await arrival;
  await tasks.getByRole("link", { name: "All members of 全员群 Everybody" }).click();
  await page.unroute("**/get_group_member_list");
  await page.getByRole("button", { name: "Go on" }).click();
  await step(page).getByText("All 5,000 members of 全员群 Everybody").waitFor();
  // The rule and the ticks are as the administrator has left them.
  await page.getByRole("button", { name: "Set for 5,000 users" }).waitFor();
  const pages = sent("/get_group_member_list").map(({ pagination }) => pagination as Record<string, number>);
  const read = pages.filter(({ showNumber }) => showNumber === 1_000).map(({ pageNumber }) => pageNumber);
  expect(read.filter((pageNumber) => pageNumber === 1 || pageNumber === 2)).toEqual([1, 2]);
});

it("loses nothing when it fails half way", async () => {
  const { page } = await openConsole({ place: "/conversations/2559217223?members=0" });
  await page.getByText("All 5,000 members of 全员群 Everybody").first().waitFor();
  await page.route("**/get_group_member_list", (route) =>
    route.request().postDataJSON().pagination.pageNumber === 3
      ? route.fulfill({ status: 200, body: failureText(500, "ServerInternalError") })
      : route.continue(),
  );
  await page.getByRole("button", { name: "Read again" }).click();
  await page.getByText("The server failed").waitFor();
  await page.getByText("2,000 of 5,000 rows", { exact: true }).waitFor();
  await page.unroute("**/get_group_member_list");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("Show the IDs").first().waitFor();
  await page.getByText("All 5,000 members of 全员群 Everybody").first().waitFor();
});

it("says that the members have changed while they were read", async () => {
  const { page } = await openConsole({ place });
  await page.route("**/get_group_member_list", async (route) => {
    const { pagination } = route.request().postDataJSON();
    if (pagination.showNumber !== 1_000 || pagination.pageNumber !== 4) return route.continue();
    const response = await route.fetch();
    const answer = await response.json();
    answer.data.total = 4_999;
    return route.fulfill({ json: answer });
  });
  await ask(page);
  await page.getByRole("link", { name: "All 5,000 members" }).click();
  await page.getByText("The list changed meanwhile. A row may be missing or come twice.").waitFor();
  await page.unroute("**/get_group_member_list");
  await page.getByRole("button", { name: "Read again" }).click();
  await page.getByText("The list changed meanwhile.").waitFor({ state: "detached" });
  await page.getByText("All 5,000 members of 全员群 Everybody").first().waitFor();
});

it("says that the group of a link does not exist", async () => {
  const { page } = await openConsole({ place: "/conversations/g404?members=5&keyword=x" });
  await page.getByText("No such group: g404").waitFor();
  await page.getByRole("link", { name: "Choose others" }).click();
  await page.getByLabel("User IDs").waitFor();
});
