import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { deferred } from "../../helpers/deferred.js";
import { answerMembers, useConsole } from "../helpers/console/open.js";

const openConsole = useConsole();

const positionOf = (page: Page) => page.locator(".position").textContent();

it.each([
  ["back to the first", 300, /^Rows 300–\d+ of 1,000,000$/, -20_000, /^Rows 1–\d+ of 1,000,000$/],
  ["to the last", 999_700, /^Rows 999,700–999,7\d\d of/, 20_000, /^Rows 999,9\d\d–1,000,000 of 1,000,000$/],
])("comes %s of a million rows with a wheel", async (_, row, before, way, after) => {
  const { page, goTo } = await openConsole();
  await answerMembers(page, 1_000_000);
  await goTo(`/groups/large?row=${row}`);
  await expect.poll(() => positionOf(page)).toMatch(before);
  await page.getByRole("grid").hover();
  await page.mouse.wheel(0, way);
  await expect.poll(() => positionOf(page)).toMatch(after);
});

it("stays at the last row, and at the active row, when the window becomes lower", async () => {
  const { page, goTo } = await openConsole();
  await answerMembers(page, 1_000_000);
  await goTo("/groups/large");
  await page.locator('[aria-rowindex="2"] .name').waitFor();
  const grid = page.getByRole("grid");
  await grid.focus();
  await page.keyboard.press("End");
  await expect.poll(() => positionOf(page)).toMatch(/^Rows 999,98\d–1,000,000 of 1,000,000$/);
  await page.setViewportSize({ width: 1280, height: 500 });
  await expect.poll(() => positionOf(page)).toMatch(/^Rows 999,99\d–1,000,000 of 1,000,000$/);

  await page.setViewportSize({ width: 1280, height: 800 });
  await expect.poll(() => positionOf(page)).toMatch(/^Rows 999,98\d–1,000,000 of 1,000,000$/);
  await page.keyboard.press("Home");
  await expect.poll(() => positionOf(page)).toMatch(/^Rows 1–\d\d of 1,000,000$/);
  for (let row = 1; row < 15; row++) await page.keyboard.press("ArrowDown");
  await page.setViewportSize({ width: 1280, height: 500 });
  await expect.poll(() => positionOf(page)).toMatch(/^Rows \d+–15 of 1,000,000$/);
});

it("stays at a row when a wider window has lower rows", async () => {
  const { page, goTo } = await openConsole({ viewport: { width: 600, height: 800 } });
  await answerMembers(page, 200);
  await goTo("/groups/large?row=150");
  await expect.poll(() => positionOf(page)).toMatch(/^Rows 150–\d+ of 200$/);
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect.poll(() => positionOf(page)).toMatch(/^Rows 150–16\d of 200$/);
});

it("goes to the end although the end is not known yet", async () => {
  const { page, goTo } = await openConsole();
  const answered = deferred();
  await answerMembers(page, 5_000);
  await page.route("**/get_group_member_list", (route) => answered.promise.then(() => route.fallback()));
  await goTo("/groups/large");
  await page.getByRole("grid").focus();
  await page.keyboard.press("End");
  answered.fulfil();
  await expect.poll(() => positionOf(page)).toMatch(/^Rows 4,98\d–5,000 of 5,000$/);
  await page.locator('[aria-rowindex="5001"].active').getByText("Member 5000").waitFor();
});
