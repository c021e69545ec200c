import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { deferred } from "../../helpers/deferred.js";
import { temporaryFolder } from "../../helpers/stores.js";
import { databaseOf, useConsole } from "../helpers/console/open.js";

const openConsole = useConsole();
const group = "/groups/2559217223";
const ada = "/users/1000000007";

/** The most that a view may shift, as a share of the window times a share of its length. */
const mostShift = 0.05;

interface Shift extends PerformanceEntry {
  value: number;
}

type Observing = { observer: PerformanceObserver; shift: number };

/** Adds up how much each page shifts, however it has come to that. */
async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const observing = globalThis as unknown as Observing;
    observing.shift = 0;
    observing.observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) observing.shift += (entry as Shift).value;
    });
    observing.observer.observe({ type: "layout-shift", buffered: true });
  });
}

/** The shift since the last call, after what has been drawn so far. */
function takeShift(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const observing = globalThis as unknown as Observing;
    for (let frames = 0; frames < 3; frames++) await new Promise(requestAnimationFrame);
    const taken = observing.observer
      .takeRecords()
      .reduce((sum, entry) => sum + (entry as Shift).value, observing.shift);
    observing.shift = 0;
    return taken;
  });
}

/** Lets the answers come one after the other, each when the page has drawn the one before. */
async function answerInTurn(page: Page): Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  await page.route("**/*", (route) => {
    if (route.request().method() !== "POST") return route.continue();
    last = last.then(async () => {
      await page.evaluate(() => new Promise(requestAnimationFrame)).catch(() => {});
      await route.continue().catch(() => {});
      await route.request().response();
    });
    return last.then(() => {});
  });
}

/** Clicks as a program does: what follows counts as a shift. After a click of a person, half a second does not. */
const click = (page: Page, selector: string) => page.locator(selector).first().dispatchEvent("click");

const views = {
  [group]: "5,000 members",
  [`${group}/requests`]: "No such request to join this group.",
  [`${group}?open=1001800006`]: "Raw JSON",
  [`${ada}/groups`]: "301 groups",
  [`${ada}/requests`]: "140 requests",
  [`${ada}/blacklist`]: "1 blocked user",
  "/accounts": "4 accounts",
  "/history": "1 setting",
  "/conversations/2559217223?user=1001800006": "What will change",
};

it.each([375, 740, 1216, 1440])("moves little while a view comes, however slowly, at %i pixels", async (width) => {
  const flags = ["--history", `${temporaryFolder()}/history.ndjson`];
  const { page, url, token, goTo } = await openConsole({ viewport: { width, height: 800 }, flags });
  const conversation = { conversationID: "sg_2559217223", conversationType: 3, groupID: "2559217223", isPinned: true };
  await fetch(`${url}/conversation/set_conversations`, {
    method: "POST",
    headers: { token, operationID: "one setting" },
    body: JSON.stringify({ userIDs: ["1001800006"], conversation }),
  });
  await watchShifts(page);
  await answerInTurn(page);
  for (const [place, seen] of Object.entries(views)) {
    await page.goto("about:blank");
    await goTo(place, seen);
    await page.locator(".bone").first().waitFor({ state: "detached" });
    await page.waitForLoadState("networkidle");
    expect(await takeShift(page), place).toBeLessThanOrEqual(mostShift);
  }
});

it.each([1201, 1280, 1440])("leaves each row where it is when details open, at %i pixels", async (width) => {
  const groupName = "A group whose name is longer than what is left of the window beside the details of a member";
  const userIDs = Array.from({ length: 40 }, (_, index) => `u${index + 1}`);
  const database = await databaseOf({
    users: [
      ...userIDs.map((userID) => ({ userID, nickname: `Member ${userID}` })),
      { userID: "imAdmin", appMangerLevel: 2 },
    ],
    groups: [{ groupID: "g1", groupName, createTime: 1_700_000_000_000 }],
    groupMembers: userIDs.map((userID, index) => ({ groupID: "g1", userID, roleLevel: index === 0 ? 100 : 20 })),
  });
  const { page, goTo } = await openConsole({ database, viewport: { width, height: 800 } });
  await watchShifts(page);
  await page.goto("about:blank");
  await goTo("/groups/g1", "40 members");
  await page.getByRole("heading", { level: 1, name: groupName }).waitFor();
  await page.locator(".facts").getByText("Created").waitFor({ state: "attached" });
  await page.waitForLoadState("networkidle");
  const topOfRow = () => page.locator('[aria-rowindex="3"]').evaluate((row) => row.getBoundingClientRect().top);
  const top = await topOfRow();
  await takeShift(page);
  await click(page, '[aria-rowindex="3"] .name');
  await page.getByText("Raw JSON").waitFor();
  expect(await takeShift(page)).toBeLessThanOrEqual(mostShift);
  expect(await topOfRow()).toBe(top);
});

it.each([375, 1440])("leaves the form where it is when a slow setting ends, at %i pixels", async (width) => {
  const flags = ["--history", `${temporaryFolder()}/history.ndjson`];
  const place = "/conversations/2559217223?user=1001800006";
  const { page, goTo } = await openConsole({ viewport: { width, height: 800 }, flags });
  await watchShifts(page);
  await page.goto("about:blank");
  await goTo(place, "What will change");
  const answer = deferred();
  await page.route("**/set_conversations", (route) => answer.promise.then(() => route.continue()));
  await page.getByRole("checkbox", { name: "Pinned to the top" }).dispatchEvent("click");
  await page.getByText("would really change").waitFor();
  await click(page, ".preview .primary");
  await page.locator(".result progress").waitFor();
  await takeShift(page);
  answer.fulfil();
  await page.getByText("Done: the conversation is set for 1 user").waitFor();
  expect(await takeShift(page)).toBeLessThanOrEqual(mostShift);
});
