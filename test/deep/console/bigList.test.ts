import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { deferred } from "../../helpers/deferred.js";
import { bigGroupMembers, fillBigGroup, memberInRow } from "../helpers/console/bigGroup.js";
import { useConsole } from "../helpers/console/open.js";

const folder = mkdtempSync(join(tmpdir(), "im-admin-"));
const database = join(folder, "im.db");
beforeAll(() => fillBigGroup(database));
afterAll(() => rmSync(folder, { recursive: true }));
const openConsole = useConsole();

const position = (page: Page) => page.locator(".position");
const scrolled = (page: Page) => page.getByRole("grid");

/** Waits for a member, and gives the number of its row, from 1. */
async function rowOf(page: Page, userID: string): Promise<number> {
  const row = page.getByRole("row").filter({ hasText: userID });
  return Number(await row.getAttribute("aria-rowindex")) - 1;
}

/** Waits until the first row in view satisfies a condition. */
async function firstRow(page: Page, fits: (row: number) => boolean): Promise<number> {
  let first = Number.NaN;
  await expect
    .poll(async () => {
      const text = await position(page).textContent();
      first = Number(/^Rows ([\d,]+)/.exec(text ?? "")?.[1]?.replaceAll(",", ""));
      return fits(first);
    })
    .toBe(true);
  return first;
}

it("shows the first of 200,000 members, and how many there are", async () => {
  const { page } = await openConsole({ database, place: "/groups/big" });
  expect(await rowOf(page, memberInRow(1))).toBe(1);
  await page.getByText("200,000 members").waitFor();
  const grid = page.getByRole("grid", { name: "200,000 members" });
  expect(await grid.getAttribute("aria-rowcount")).toBe("200001");
  expect(await page.getByRole("row").count()).toBeLessThan(60);
});

it("scrolls to the middle and to the end, and asks only for the rows there", async () => {
  const { page, sent } = await openConsole({ database, place: "/groups/big" });
  await rowOf(page, memberInRow(1));
  await scrolled(page).evaluate((element) => {
    element.scrollTop = (element.scrollHeight - element.clientHeight) / 2;
  });
  const middle = await firstRow(page, (row) => row > 99_900 && row < 100_100);
  expect(await rowOf(page, memberInRow(middle + 2))).toBe(middle + 2);

  await scrolled(page).evaluate((element) => {
    element.scrollTop = element.scrollHeight;
  });
  expect(await rowOf(page, memberInRow(bigGroupMembers))).toBe(bigGroupMembers);
  const asked = sent("/get_group_member_list").map(({ pagination }) => pagination as Record<string, number>);
  expect(asked.length).toBeLessThan(15);
  // The heading asks for one member, to learn the name of the group.
  expect(new Set(asked.map(({ showNumber }) => showNumber))).toEqual(new Set([50, 1]));
});

/** Moves the scrollbar to the end, and makes something happen before the browser sends the event. */
async function moveToEnd(page: Page, meanwhile: "timers run out" | "the window becomes lower"): Promise<void> {
  await scrolled(page).evaluate(async (element, meanwhile) => {
    const nextFrame = () => new Promise<void>((resolve) => requestAnimationFrame(() => resolve()));
    const ofTheBrowser = globalThis.setTimeout;
    const held: TimerHandler[] = [];
    if (meanwhile === "timers run out")
      // The time limit of a request is longer than a second, and does not run out here.
      globalThis.setTimeout = ((run: TimerHandler, time = 0) =>
        time < 1_000 ? -held.push(run) : ofTheBrowser(run, time)) as typeof setTimeout;
    element.scrollTop = element.scrollHeight / 2;
    await nextFrame();
    globalThis.setTimeout = ofTheBrowser;
    // Between the events of a frame and its layout.
    requestAnimationFrame(() => {
      element.scrollTop = element.scrollHeight;
      if (meanwhile === "the window becomes lower") element.style.maxHeight = "300px";
      for (const run of held) if (typeof run === "function") run();
    });
  }, meanwhile);
}

it.each(["timers run out", "the window becomes lower"] as const)("keeps a movement while %s", async (meanwhile) => {
  const { page } = await openConsole({ database, place: "/groups/big" });
  await rowOf(page, memberInRow(1));
  await moveToEnd(page, meanwhile);
  expect(await rowOf(page, memberInRow(bigGroupMembers))).toBe(bigGroupMembers);
});

it("moves row by row with a wheel at any position of the scrollbar", async () => {
  const { page } = await openConsole({ database, place: "/groups/big?row=150000" });
  await firstRow(page, (row) => row === 150_000);
  await scrolled(page).hover();
  await page.mouse.wheel(0, 360);
  await firstRow(page, (row) => row === 150_010);
  await page.mouse.wheel(0, -180);
  await firstRow(page, (row) => row === 150_005);
});

it("gives up requests for rows that were scrolled past", async () => {
  const { page, sent } = await openConsole({ database, place: "/groups/big" });
  await rowOf(page, memberInRow(1));
  // No answer comes before all of them are asked for.
  const asked = deferred();
  await page.route("**/get_group_member_list", (route) => asked.promise.then(() => route.continue()).catch(() => {}));
  const aborted: string[] = [];
  page.on("requestfailed", (request) => aborted.push(request.failure()?.errorText ?? ""));
  for (const part of [0.1, 0.3, 0.5, 0.7, 0.9]) {
    const before = sent("/get_group_member_list").length;
    await scrolled(page).evaluate((element, to) => {
      element.scrollTop = element.scrollHeight * to;
    }, part);
    await expect.poll(() => sent("/get_group_member_list").length).toBeGreaterThan(before);
  }
  asked.fulfil();
  const first = await firstRow(page, (row) => row > 179_000);
  expect(await rowOf(page, memberInRow(first + 3))).toBe(first + 3);
  expect(aborted.length).toBeGreaterThanOrEqual(4);
  expect(new Set(aborted)).toEqual(new Set(["net::ERR_ABORTED"]));
});

it("goes to rows, keeps them in the address, and back leads back", async () => {
  const { page } = await openConsole({ database, place: "/groups/big" });
  const number = page.getByLabel("Number of the row");
  await number.fill("123456");
  await page.getByRole("button", { name: "Go", exact: true }).click();
  await firstRow(page, (row) => row === 123_456);
  expect(new URL(page.url()).hash).toBe("#/groups/big?row=123456");

  await number.fill("199951");
  await number.press("Enter");
  await firstRow(page, (row) => row > 199_900);
  await page.goBack();
  await firstRow(page, (row) => row === 123_456);
  await page.reload();
  await firstRow(page, (row) => row === 123_456);
  expect(await rowOf(page, memberInRow(123_460))).toBe(123_460);
});

it("writes no earlier row into the address, however late the browser draws", async () => {
  const { page } = await openConsole({ database, place: "/groups/big?row=123456" });
  await firstRow(page, (row) => row === 123_456);
  await page.getByLabel("Number of the row").fill("199970");
  // Rows that come are drawn too.
  await page.route("**/get_group_member_list", () => {});
  const hashes = await page.evaluate(async () => {
    const ofTheBrowser = globalThis.setTimeout;
    const wait = (time: number) => new Promise<void>((resolve) => ofTheBrowser(resolve, time));
    const position = () => document.querySelector(".position")?.textContent ?? "";
    document.querySelector<HTMLFormElement>("form.go")?.requestSubmit();
    while (!position().startsWith("Rows 199,9")) await wait(1);
    // From now on nothing is drawn, but timers still run out.
    globalThis.requestAnimationFrame = () => 0;
    globalThis.setTimeout = (() => 0) as unknown as typeof setTimeout;
    const left = location.hash;
    const gone = new Promise((resolve) => addEventListener("popstate", resolve, { once: true }));
    history.back();
    await gone;
    await wait(1_000);
    return [left, location.hash];
  });
  expect(hashes).toEqual(["#/groups/big?row=199970", "#/groups/big?row=123456"]);
});

it("can be read with the keyboard alone", async () => {
  const { page } = await openConsole({ database, place: "/groups/big" });
  await rowOf(page, memberInRow(1));
  const grid = page.getByRole("grid");
  await grid.focus();
  await page.keyboard.press("End");
  await rowOf(page, memberInRow(bigGroupMembers));
  const active = () =>
    grid.evaluate((element) => document.getElementById(element.getAttribute("aria-activedescendant") ?? "")?.innerText);
  await expect.poll(active).toContain(memberInRow(bigGroupMembers));
  await page.keyboard.press("ArrowUp");
  await expect.poll(active).toContain(memberInRow(bigGroupMembers - 1));
  await page.keyboard.press("Home");
  await expect.poll(active).toContain(memberInRow(1));
  await page.keyboard.press("PageDown");
  await page.keyboard.press("PageDown");
  await firstRow(page, (row) => row > 10 && row < 40);

  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  const detail = page.getByRole("region", { name: "Member 1" });
  await detail.getByText("Muted until").waitFor();
  await page.keyboard.press("Escape");
  await detail.waitFor({ state: "detached" });
  expect(await grid.evaluate((element) => element === document.activeElement)).toBe(true);
});

it("searches one Chinese character, filters by role, and clears both", async () => {
  const { page, sent } = await openConsole({ database, place: "/groups/big?row=5000" });
  await firstRow(page, (row) => row === 5_000);
  await page.getByRole("searchbox", { name: "Search by name or ID" }).fill("李");
  await page.getByText("200 members", { exact: true }).waitFor();
  expect(await rowOf(page, "u001000")).toBe(1);
  expect(new URL(page.url()).hash).toBe(`#/groups/big?keyword=${encodeURIComponent("李")}`);
  expect(sent("/get_group_member_list").at(-1)).toMatchObject({ groupID: "big", keyword: "李" });

  await page.getByLabel("Role", { exact: true }).selectOption("Administrators");
  await page.getByText("Nothing matches").waitFor();
  await page.getByText("0 members", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Clear search and filter" }).click();
  await page.getByText("200,000 members").waitFor();
  await page.getByLabel("Role", { exact: true }).selectOption("Administrators");
  await page.getByText("10 members", { exact: true }).waitFor();
  expect(await rowOf(page, memberInRow(2))).toBe(1);
});

it("does not send a request for every letter", async () => {
  const { page, sent } = await openConsole({ database, place: "/groups/big" });
  await rowOf(page, memberInRow(1));
  // All keys in one turn of the browser: a slow machine cannot delay one of them.
  await page.getByRole("searchbox").evaluate((field: HTMLInputElement) => {
    for (const typed of ["M", "Me", "Member 77", "Member 777"]) {
      field.value = typed;
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }
  });
  await page.getByText("111 members", { exact: true }).waitFor();
  const keywords = sent("/get_group_member_list").map(({ keyword }) => keyword);
  expect(new Set(keywords)).toEqual(new Set([undefined, "Member 777"]));

  await page.getByRole("searchbox").fill("Member 7777");
  await page.getByText("11 members", { exact: true }).waitFor();
  await page.goBack();
  await page.getByText("200,000 members").waitFor();
  expect(await page.getByRole("searchbox").inputValue()).toBe("");
});
