import { expect, it } from "vitest";
import { useConsole } from "../helpers/console/open.js";
import { violations } from "../helpers/console/violations.js";

const openConsole = useConsole();

const places = {
  "/": "What do you want to see?",
  "/groups/2559217223": "5,000 members",
  "/groups/2559217223/requests": "No such request to join this group.",
  "/groups/404": "1004 RecordNotFoundError",
  "/groups/2559217223?keyword=zzz": "Nothing matches",
  "/users/1000000007/groups": "301 groups",
  "/users/1000000007/requests": "140 requests",
  "/users/1000000007/blacklist": "1 blocked user",
  "/accounts": "4 accounts",
  "/conversations/2559217223": "What will change",
};

it.each([
  ["light", { colorScheme: "light" }],
  ["dark", { colorScheme: "dark" }],
  ["a phone", { viewport: { width: 320, height: 640 } }],
  ["forced colours", { forcedColors: "active" }],
  ["reduced motion", { reducedMotion: "reduce" }],
] as const)("leaves nothing for axe to find: %s", async (_, options) => {
  const { page, goTo } = await openConsole({ ...options });
  for (const [place, text] of Object.entries(places)) {
    await goTo(place);
    await page.getByText(text).first().waitFor();
    expect([place, await violations(page)]).toEqual([place, []]);
  }
  await goTo("/groups/2559217223");
  await page.locator('[aria-rowindex="3"] .name').click();
  await page.getByRole("dialog").waitFor();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.evaluate(() => sessionStorage.clear());
  await page.reload();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(await violations(page)).toEqual([]);
});

it("fits on a phone of 320 pixels: nothing is wider than the page", async () => {
  const { page, goTo } = await openConsole({ viewport: { width: 320, height: 640 } });
  for (const [place, text] of Object.entries(places)) {
    await goTo(place);
    await page.getByText(text).first().waitFor();
    const widths = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      document.querySelector("main")?.scrollWidth,
    ]);
    expect([place, ...widths]).toEqual([place, 320, 320]);
  }
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("link", { name: "Notification accounts" }).click();
  await page.getByText("4 accounts").waitFor();
  await page.getByText("botWelcome").waitFor();
});

it("speaks Chinese to a Chinese browser, changes to English, and remembers the choice", async () => {
  const { page, goTo } = await openConsole({ locale: "zh-CN", place: "/groups/2559217223" });
  await page.getByText("5,000 名成员").waitFor();
  expect(await page.evaluate(() => document.documentElement.lang)).toBe("zh-Hans");
  await page.getByRole("columnheader", { name: "加入时间" }).waitFor();
  await page.getByRole("button", { name: "English" }).click();
  await page.getByText("5,000 members").waitFor();
  expect(await page.evaluate(() => document.documentElement.lang)).toBe("en");
  await page.reload();
  await page.getByText("5,000 members").waitFor();
  await goTo("/conversations");
  await page.getByRole("button", { name: "中文" }).click();
  await page.getByRole("heading", { name: "批量设置会话" }).waitFor();
});

it("has no English text when it speaks Chinese", async () => {
  const { page, goTo } = await openConsole({ locale: "zh-CN" });
  for (const place of Object.keys(places)) {
    await goTo(place);
    await page.getByRole("heading", { level: 1 }).waitFor();
    const controls = page.locator("button:visible, nav a:visible, th, [role=columnheader], label");
    const texts = (await controls.allTextContents()).filter((text) => /^[A-Za-z ]{3,}$/.test(text.trim()));
    expect([place, texts.filter((text) => !["English", "im-admin"].includes(text))]).toEqual([place, []]);
  }
});

it("opens a group and reaches its list with the Tab key alone", async () => {
  const { page } = await openConsole();
  await page.getByRole("heading", { name: "What do you want to see?" }).waitFor();
  const focused = () =>
    page.evaluate(() => document.activeElement?.getAttribute("role") ?? document.activeElement?.tagName ?? "");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  expect(await focused()).toBe("combobox");
  await page.keyboard.type("2559217223");
  await page.keyboard.press("Enter");
  await page.getByText("5,000 members").waitFor();
  await expect
    .poll(async () => {
      if ((await focused()) !== "grid") await page.keyboard.press("Tab");
      return focused();
    })
    .toBe("grid");
});
