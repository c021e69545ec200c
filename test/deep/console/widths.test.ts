import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../helpers/stores.js";
import { databaseOf, useConsole } from "../helpers/console/open.js";

const openConsole = useConsole();

/** Each view with a list, and a text that is there when it is complete. */
const lists = {
  "/groups/2559217223": "5,000 members",
  "/users/1000000007/groups": "301 groups",
  "/users/1000000007/requests": "140 requests",
  "/users/1000000007/blacklist": "1 blocked user",
  "/accounts": "4 accounts",
};

/** Widths of windows; 1,280 pixels at 150, 200 and 400 % are 853, 640 and 320. */
const widths = [320, 360, 414, 480, 568, 640, 740, 768, 820, 853, 900, 960, 1024, 1152, 1280, 1440, 1920, 2560];

interface Measured {
  /** The columns that are narrower than their content, or than a name needs. */
  narrow: string[];
  /** Whether a column reaches beyond the list, or the page beyond the window. */
  isCut: boolean;
}

function measure(page: Page): Promise<Measured> {
  return page.evaluate(() => {
    const grid = document.querySelector("[role=grid]");
    const heads = [...document.querySelectorAll<HTMLElement>("[role=columnheader]:not(.tick-cell)")];
    const cells = [...document.querySelectorAll<HTMLElement>('[aria-rowindex="2"] [role=gridcell]:not(.tick-cell)')];
    const narrow = heads.flatMap((head, index) => {
      const cell = cells[index];
      const isName = cell?.querySelector(".name") !== null;
      const isID = cell?.firstElementChild?.className === "id";
      const least = isName ? 128 : isID ? 112 : 0;
      const isFixed = !isName && !isID && cell?.querySelector("bdi") === null;
      const isShort = isFixed && cell !== undefined && cell.scrollWidth > cell.clientWidth;
      const isHeadCut = head.scrollWidth > head.clientWidth;
      return head.clientWidth < least || isShort || isHeadCut ? [`${head.innerText} ${head.clientWidth}`] : [];
    });
    const end = Math.max(...heads.map((head) => head.getBoundingClientRect().right));
    const isCut =
      end > (grid?.getBoundingClientRect().right ?? 0) ||
      [document.documentElement, document.querySelector("main")].some((part) => (part?.scrollWidth ?? 0) > innerWidth);
    return { narrow, isCut };
  });
}

it.each(["en-US", "zh-CN"])("shows no column below its least width, from 320 to 2,560 pixels: %s", async (locale) => {
  const { page, goTo } = await openConsole({ locale });
  for (const place of Object.keys(lists)) {
    await goTo(place);
    await page.locator('[aria-rowindex="2"] .name').waitFor();
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      // The columns follow in the next frame.
      await expect.poll(() => measure(page), { message: `${place} at ${width}` }).toEqual({ narrow: [], isCut: false });
    }
  }
});

it("shows no view wider than its window, from 320 to 2,560 pixels, and reaches each from a phone's menu", async () => {
  const { page, goTo } = await openConsole();
  for (const [place, text] of Object.entries({
    "/": "What do you want to see?",
    "/conversations/2559217223?user=1001800006": "What will change",
    "/groups/404": "1004 RecordNotFoundError",
    "/groups/2559217223?keyword=zzz": "Nothing matches",
    "/groups/2559217223/requests": "No such request to join this group.",
  })) {
    await goTo(place, text);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      const wide = () =>
        page.evaluate(() =>
          [...document.querySelectorAll("html, main, main *")]
            .filter((element) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0)
            .filter((element) => !element.matches("input, .hidden") && getComputedStyle(element).display !== "inline")
            .map((element) => `${element.tagName}.${element.className}`),
        );
      // Names and counts may still come.
      await expect.poll(wide, { message: `${place} at ${width}` }).toEqual([]);
    }
  }
  await page.setViewportSize({ width: 320, height: 640 });
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("link", { name: "Notification accounts" }).click();
  await page.getByText("4 accounts").waitFor();
});

it.each([
  [1280, ["Name", "User ID", "Role", "Joined (UTC)", "Muted until (UTC)"]],
  [853, ["Name", "User ID", "Role", "Joined (UTC)"]],
  [740, ["Name", "User ID", "Role"]],
  [320, ["Name", "Role"]],
])("leaves out the columns that matter least first: at %i pixels", async (width, titles) => {
  const userID = "1001800006";
  const database = await databaseOf({
    users: [
      { userID, nickname: "Ann" },
      { userID: "imAdmin", appMangerLevel: 2 },
    ],
    groups: [{ groupID: "g1" }],
    groupMembers: [{ groupID: "g1", userID, joinTime: 1_700_000_000_000, muteEndTime: 4_000_000_000_000 }],
  });
  const { page } = await openConsole({
    database,
    viewport: { width, height: 800 },
    timezoneId: "UTC",
    place: "/groups/g1",
  });
  await page.getByText("1 member", { exact: true }).waitFor();
  const shown = page.locator("[role=columnheader]:not(.tick-cell)");
  await expect.poll(async () => (await shown.allTextContents()).filter((title) => title !== "#")).toEqual(titles);
  const row = page.getByRole("row").filter({ hasText: userID });
  // Without a column of its own, the ID is below the name.
  await row.getByText(userID, { exact: true }).and(page.locator(":visible")).waitFor();
});

it("shows a list at 400 %, although little of it fits into the window", async () => {
  const { page } = await openConsole({
    viewport: { width: 320, height: 200 },
    deviceScaleFactor: 4,
    place: "/groups/2559217223",
  });
  await page.getByText("5,000 members").waitFor();
  const row = page.locator('[aria-rowindex="2"]');
  await row.waitFor();
  // The first row is there at once, without any scrolling.
  const seen = await row.boundingBox();
  expect((seen?.y ?? 200) + (seen?.height ?? 0)).toBeLessThanOrEqual(200);
  await row.locator(".name").click();
  await page.locator(".detail").getByText("1001800006").first().waitFor();
});

it("keeps its columns with large letters", async () => {
  const { page } = await openConsole({
    viewport: { width: 1280, height: 800 },
    place: "/groups/2559217223",
    seen: "5,000 members",
  });
  await page.evaluate(() => {
    document.documentElement.style.fontSize = "32px";
  });
  await page.setViewportSize({ width: 1279, height: 800 });
  await expect.poll(() => measure(page)).toEqual({ narrow: [], isCut: false });
});

it("names the group of each request on a phone", async () => {
  const { page } = await openConsole({ viewport: { width: 390, height: 800 }, place: "/users/1000000007/requests" });
  const group = await page.locator('[aria-rowindex="2"] .sub').innerText();
  await page.setViewportSize({ width: 1280, height: 800 });
  const column = page.locator('[aria-rowindex="2"]').getByText(group.replace("→ ", ""), { exact: true });
  await column.and(page.locator(":visible")).waitFor();
});

it("has targets of 44 pixels for fingers, in each list and with ticked rows", async () => {
  const { page, goTo } = await openConsole({ viewport: { width: 390, height: 800 }, hasTouch: true });
  for (const place of Object.keys(lists)) {
    await goTo(place);
    await page.locator('[aria-rowindex="2"] .tick-cell label').tap();
    await page.getByText("1 selected").waitFor();
    await page.getByRole("button", { name: "More" }).tap();
    await page.locator(".menu-items:popover-open").waitFor();
    const small = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>("main :is(button, a, select, input:not([type=checkbox]), label)")]
        .map((element) => ({ element, box: element.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 0 && (box.width < 44 || box.height < 44))
        .map(({ element, box }) => `${element.outerHTML.slice(0, 80)} ${box.width}×${box.height}`),
    );
    expect([place, small]).toEqual([place, []]);
    await page.keyboard.press("Escape");
  }
});

const fonts = ["Sans", "Sans Condensed", "Sans Light", "Serif", "Serif Condensed", "Sans Mono"];

it.each([
  ["en-US", ["Owner", "Administrator", "Ordinary member"]],
  ["zh-CN", ["群主", "管理员", "普通成员"]],
])("shows every role whole, in fonts of six widths: %s", async (locale, roles) => {
  const { page, goTo } = await openConsole({ locale, timezoneId: "America/Argentina/Buenos_Aires" });
  await page.addInitScript(() => {
    addEventListener("DOMContentLoaded", () => {
      document.body.style.fontFamily = sessionStorage.getItem("font") ?? "";
    });
  });
  for (const font of fonts) {
    await page.evaluate((font) => sessionStorage.setItem("font", `"DejaVu ${font}"`), font);
    await page.reload();
    for (const [index, role] of roles.entries()) {
      await goTo(`/groups/2559217223?filter=${index + 1}`);
      const cell = page.locator('[aria-rowindex="2"] [role=gridcell]').filter({ hasText: role });
      await cell.waitFor();
      for (const width of [1280, 1440, 2560]) {
        await page.setViewportSize({ width, height: 800 });
        const cut = () =>
          page.evaluate(() =>
            [
              ...document.querySelectorAll<HTMLElement>(
                "[role=columnheader]:not(.tick-cell), [role=gridcell]:not(:has(bdi))",
              ),
            ]
              .filter((cell) => cell.scrollWidth > cell.clientWidth)
              .map((cell) => `${cell.innerText} ${cell.scrollWidth} > ${cell.clientWidth}`),
          );
        await expect.poll(cut, { message: `${font} ${width}` }).toEqual([]);
      }
    }
  }
});

it.each(["en-US", "zh-CN"])(
  "cuts no time, no count and no title of the history, in fonts of six widths: %s",
  async (locale) => {
    const flags = ["--history", `${temporaryFolder()}/history.ndjson`];
    const { page, url, token, goTo } = await openConsole({
      locale,
      flags,
      timezoneId: "America/Argentina/Buenos_Aires",
    });
    const conversation = {
      conversationID: "sg_2559217223",
      conversationType: 3,
      groupID: "2559217223",
      isPinned: true,
    };
    await fetch(`${url}/conversation/set_conversations`, {
      method: "POST",
      headers: { token, operationID: "console-1-a-of-1000000" },
      body: JSON.stringify({ userIDs: ["1001800006"], conversation }),
    });
    await goTo("/history");
    await page.locator(".settings tbody tr").waitFor();
    for (const font of fonts) {
      await page.evaluate((font) => {
        document.body.style.fontFamily = `"DejaVu ${font}"`;
      }, font);
      for (const width of [1280, 1440, 2560]) {
        await page.setViewportSize({ width, height: 800 });
        const cut = await page
          .locator(".settings :is(th, td)")
          .evaluateAll((cells) =>
            (cells as HTMLElement[])
              .filter((cell) => cell.scrollWidth > cell.clientWidth)
              .map((cell) => `${cell.innerText} ${cell.scrollWidth} > ${cell.clientWidth}`),
          );
        expect(cut, `${font} ${width}`).toEqual([]);
      }
    }
  },
);
