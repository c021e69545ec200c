import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { failureText } from "../../helpers/http/request.js";
import { temporaryFolder } from "../../helpers/stores.js";
import { useConsole } from "../helpers/console/open.js";

const openConsole = useConsole();
const place = "/groups/2559217223";

/** Presses Tab until the focus is on a text, and says how often that took. */
async function tabsTo(page: Page, text: string): Promise<number> {
  for (let tabs = 1; tabs <= 40; tabs++) {
    await page.keyboard.press("Tab");
    if ((await page.evaluate(() => document.activeElement?.textContent))?.includes(text)) return tabs;
  }
  return Number.POSITIVE_INFINITY;
}

const focused = (page: Page) => page.evaluate(() => document.activeElement?.tagName);

it("leads by one key from the button that sets to the one that sets back", async () => {
  const flags = ["--history", `${temporaryFolder()}/history.ndjson`];
  const { page } = await openConsole({ flags, place: "/conversations/2559217223?user=1001800006" });
  await page.getByRole("checkbox", { name: "Pinned to the top" }).check();
  await page.getByText("would really change").waitFor();
  await page.getByRole("button", { name: "Set for 1 user" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("Done: the conversation is set for 1 user").waitFor();
  expect(await tabsTo(page, "Set back")).toBe(1);
});

it("gives the focus to each new screen", async () => {
  const { page } = await openConsole({ place, seen: "5,000 members" });
  const banner = page.getByRole("banner");
  for (const name of ["Notification accounts", "Set conversations"]) {
    await banner.getByRole("link", { name }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name }).waitFor();
    await expect.poll(() => focused(page)).toBe("MAIN");
  }
  await page.keyboard.press("Control+k");
  await page.keyboard.type("2559217223");
  await page.keyboard.press("Enter");
  await page.getByText("5,000 members").waitFor();
  await expect.poll(() => focused(page)).toBe("MAIN");
  await page.getByRole("navigation", { name: "Lists of this group" }).getByRole("link", { name: "Join" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("No such request to join this group.").waitFor();
  await expect.poll(() => focused(page)).toBe("MAIN");
});

it("keeps the focus in the list when a button in it goes", async () => {
  const { page, goTo } = await openConsole();
  await page.route("**/get_group_member_list", (route) =>
    route.fulfill({ status: 200, body: failureText(500, "ServerInternalError") }),
  );
  await goTo(place, "The server failed");
  await page.unroute("**/get_group_member_list");
  await page.getByRole("button", { name: "Try again" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("5,000 members").waitFor();
  expect(await focused(page)).toBe("MAIN");
});
