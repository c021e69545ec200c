import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { useConsole } from "../helpers/console/open.js";

const openConsole = useConsole();

/** The style of an element with forced colours. */
function lookOf(element: Locator): Promise<string> {
  return element.evaluate((element) => {
    const { backgroundColor, color, outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
    return JSON.stringify([backgroundColor, color, outlineStyle !== "none" && [outlineWidth, outlineColor]]);
  });
}

/** Whether an element has the system's colours for a chosen item. */
function isHighlighted(element: Locator): Promise<boolean> {
  return element.evaluate((element) => {
    const model = document.createElement("span");
    model.style.cssText = "forced-color-adjust: none; color: HighlightText; background: Highlight";
    document.body.append(model);
    const { color, backgroundColor } = getComputedStyle(model);
    model.remove();
    const look = getComputedStyle(element);
    return look.color === color && look.backgroundColor === backgroundColor;
  });
}

/** Checks that only the chosen one of two elements looks chosen. */
async function expectChosen(one: Locator, other: Locator): Promise<void> {
  expect([await isHighlighted(one), await isHighlighted(other)]).toEqual([true, false]);
}

/** Checks that an element with the focus shows it. */
async function expectFocusSeen(page: Page, element: Locator): Promise<void> {
  await element.evaluate((element: HTMLElement) => element.blur());
  const before = await lookOf(element);
  await element.focus();
  // The browser only shows a focus that a key has set.
  await page.keyboard.press("Shift");
  expect(await lookOf(element)).not.toBe(before);
}

it.each(["light", "dark"] as const)("shows states with forced colours: %s", async (colorScheme) => {
  const { page, goTo } = await openConsole({
    forcedColors: "active",
    colorScheme,
    place: "/users/1000000007/requests",
  });
  await page.getByText("140 requests").waitFor();
  // The chosen tab and the chosen filter.
  const tabs = page.getByRole("navigation", { name: "Lists of this user" });
  await expectChosen(tabs.getByRole("link", { name: "Join requests" }), tabs.getByRole("link", { name: "Blacklist" }));
  await expectChosen(page.getByRole("button", { name: "Pending" }), page.getByRole("button", { name: "Refused" }));
  const recent = page.getByRole("navigation", { name: "Recent" }).getByRole("link");
  await expectChosen(recent.first(), tabs.getByRole("link", { name: "Blacklist" }));
  for (const control of [
    tabs.getByRole("link", { name: "Join requests" }),
    tabs.getByRole("link", { name: "Blacklist" }),
    page.getByRole("button", { name: "Pending" }),
    page.getByRole("button", { name: "Refused" }),
    page.getByRole("button", { name: "Export" }),
    page.getByLabel("Number of the row"),
  ]) {
    await expectFocusSeen(page, control);
  }

  // A ticked row, also under the pointer, and the row with the focus.
  const row = (index: number) => page.locator(`[aria-rowindex="${index}"]`);
  await row(5).getByRole("checkbox").click();
  await expectChosen(row(5), row(6));
  expect(await isHighlighted(page.getByRole("button", { name: "Set conversation", exact: true }))).toBe(true);
  await page.getByRole("grid").focus();
  await page.keyboard.press("ArrowDown");
  expect(await lookOf(row(6))).not.toBe(await lookOf(row(7)));
  const ticked = await lookOf(row(5));
  await page.keyboard.press("ArrowUp");
  expect(await lookOf(row(5))).not.toBe(ticked);

  await goTo("/conversations/2559217223");
  await expectChosen(
    page.getByRole("button", { name: "Of a group" }),
    page.getByRole("button", { name: "With one user" }),
  );
  for (const control of [
    page.getByLabel("User IDs"),
    page.getByRole("checkbox", { name: "Pinned to the top" }),
    page.getByRole("button", { name: "Of a group" }),
  ]) {
    await expectFocusSeen(page, control);
  }
});
