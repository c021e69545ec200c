import { expect, it } from "vitest";
import { databaseOf, useConsole } from "../helpers/console/open.js";

const openConsole = useConsole();
const place = "/groups/2559217223";

it("keeps what was typed into a form when the page is reloaded, and the token nowhere else", async () => {
  const { page, token } = await openConsole({ place: "/conversations/2559217223", seen: "no user is listed yet" });
  await page.getByLabel("User IDs").fill("1001800006\n1003600005");
  await page.getByLabel("Conversation ID").fill("sg_own");
  await page.getByRole("checkbox", { name: "Self-destruct after (seconds)" }).check();
  await page.getByRole("textbox", { name: "Self-destruct after (seconds)" }).fill("77");
  await page.reload();
  await page.getByRole("button", { name: "Set for 2 users" }).waitFor();
  expect(await page.getByLabel("User IDs").inputValue()).toBe("1001800006\n1003600005");
  expect(await page.getByLabel("Conversation ID").inputValue()).toBe("sg_own");
  expect(await page.getByRole("textbox", { name: "Self-destruct after (seconds)" }).inputValue()).toBe("77");
  const stored = await page.evaluate(() => Object.entries(sessionStorage));
  expect(stored.flatMap(([name, value]) => (value.includes(token) ? [name] : []))).toEqual(["im-admin-token"]);

  // The form of another conversation is another one, and a sign-out forgets both.
  await page.getByRole("banner").getByRole("link", { name: "Set conversations" }).click();
  await page.getByText("no user is listed yet").waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.reload();
  await page.getByLabel("Administrator's token").fill(token);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.goto(`${page.url().split("#")[0]}#/conversations/2559217223`);
  await page.getByText("no user is listed yet").waitFor();
});

it("keeps ticked rows when the page is reloaded: some, and all but one", async () => {
  const { page, copied } = await openConsole({ place, seen: "5,000 members" });
  const box = (row: number) => page.locator(`[aria-rowindex="${row + 1}"]`).getByRole("checkbox");
  await box(2).check();
  await box(4).check();
  await page.getByText("2 selected").waitFor();
  await page.reload();
  await page.getByText("2 selected").waitFor();
  await expect.poll(() => box(4).isChecked()).toBe(true);
  await page.getByRole("button", { name: "Copy IDs" }).click();
  await expect.poll(copied).toBe("1003600005\n1007200003");

  await page.getByRole("checkbox", { name: "Select all rows" }).check();
  await box(3).uncheck();
  await page.getByText("4,999 selected").waitFor();
  await page.reload();
  await page.getByText("4,999 selected").waitFor();
  await expect.poll(() => box(3).isChecked()).toBe(false);
});

it("asks before it leaves a form that is too long to be kept", async () => {
  const database = await databaseOf({ users: [{ userID: "imAdmin", appMangerLevel: 2 }] });
  const { page } = await openConsole({ database, place: "/conversations/g1" });
  const ids = Array.from({ length: 500_000 }, (_, index) => `user-${index}-of-many`).join("\n");
  await page.getByLabel("User IDs").focus();
  await page.evaluate((text) => navigator.clipboard.writeText(text), ids);
  await page.keyboard.press("Control+V");
  await page.getByText("500,000 users").first().waitFor();
  const asked = page.waitForEvent("dialog");
  const reloaded = page.reload();
  const dialog = await asked;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.accept();
  await reloaded;
});
