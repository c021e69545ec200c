import { expect, it } from "vitest";
import { useConsole } from "../helpers/console/open.js";

const openConsole = useConsole();

it("keeps what each of two tabs has pinned, and shows it in both", async () => {
  const { page, url } = await openConsole({ place: "/groups/2559217223", seen: "5,000 members" });
  const other = await page.context().newPage();
  await other.goto(`${url}/console#/users/1000000007/groups`);
  await other.getByText("301 groups").waitFor();
  const pin = { name: "Pin", exact: true };
  const pinnedIn = (tab: typeof page) =>
    tab.getByRole("navigation", { name: "Pinned" }).getByRole("link").allInnerTexts();
  await page.getByRole("button", pin).click();
  await expect.poll(async () => (await pinnedIn(other)).length).toBe(1);
  await other.getByRole("button", pin).click();
  await expect.poll(async () => (await pinnedIn(page)).length).toBe(2);
  await page.reload();
  await expect.poll(async () => (await pinnedIn(page)).length).toBe(2);
  await page.getByRole("button", { name: "Unpin" }).click();
  await expect.poll(async () => (await pinnedIn(other)).length).toBe(1);
  await other.reload();
  await expect.poll(async () => (await pinnedIn(other)).length).toBe(1);
});
