import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { useConsole } from "../helpers/console/open.js";

const openConsole = useConsole();
const place = "/groups/2559217223";

/** Types at the moment at which a search begins, before the page shows the search. */
async function typeWhileSearching(page: Page, typed: string): Promise<void> {
  await page.evaluate((text) => {
    const push = history.pushState;
    history.pushState = (...step) => {
      history.pushState = push;
      history.pushState(...step);
      const field = document.querySelector<HTMLInputElement>("input[type=search]");
      if (field === null) return;
      field.value = text;
      field.dispatchEvent(new InputEvent("input", { bubbles: true }));
    };
  }, typed);
}

it("keeps letters that are typed while a search begins, and searches for them next", async () => {
  const { page } = await openConsole({ place, seen: "5,000 members" });
  await typeWhileSearching(page, "1000000007");
  const field = page.getByRole("searchbox");
  await field.fill("100");
  await page.getByText("1 member", { exact: true }).waitFor();
  expect(await field.inputValue()).toBe("1000000007");
  expect(new URL(page.url()).hash).toBe(`#${place}?keyword=1000000007`);

  await page.goBack();
  await page.getByText("5,000 members").waitFor();
  await expect.poll(() => field.inputValue()).toBe("");
});

it("does not touch letters while they become a Chinese word", async () => {
  const { page } = await openConsole({ place, seen: "5,000 members" });
  const field = page.getByRole("searchbox");
  await field.fill("1000000007");
  await page.getByText("1 member", { exact: true }).waitFor();
  await field.evaluate((element: HTMLInputElement) => {
    element.dispatchEvent(new CompositionEvent("compositionstart", { bubbles: true }));
    element.value = "li";
    element.dispatchEvent(new InputEvent("input", { bubbles: true, isComposing: true }));
  });
  await page.goBack();
  await page.getByText("5,000 members").waitFor();
  expect(await field.inputValue()).toBe("li");
  await field.evaluate((element: HTMLInputElement) => {
    element.value = "no such member";
    element.dispatchEvent(new InputEvent("input", { bubbles: true, isComposing: true }));
    element.dispatchEvent(new CompositionEvent("compositionend", { bubbles: true }));
  });
  await page.getByText("Nothing matches").waitFor();
  await page.getByRole("button", { name: "Clear search and filter" }).click();
  await page.getByText("5,000 members").waitFor();
  await expect.poll(() => field.inputValue()).toBe("");
});
