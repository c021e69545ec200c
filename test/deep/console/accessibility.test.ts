import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { deferred } from "../../helpers/deferred.js";
import { useConsole } from "../helpers/console/open.js";
import { violations } from "../helpers/console/violations.js";

const openConsole = useConsole();

const group = "/groups/2559217223";

const places = {
  "/": "What do you want to see?",
  "/groups/2559217223": "5,000 members",
  "/groups/2559217223?open=1001800006": "Raw JSON",
  "/groups/2559217223/requests": "No such request to join this group.",
  "/groups/404": "1004 RecordNotFoundError",
  "/groups/2559217223?keyword=zzz": "Nothing matches",
  "/users/1000000007/groups": "301 groups",
  "/users/1000000007/requests": "140 requests",
  "/users/1000000007/blacklist": "1 blocked user",
  "/accounts": "4 accounts",
  "/conversations/2559217223": "What will change",
};

/** Requires that axe finds nothing in what is shown. */
const expectNothing = async (page: Page) => expect([page.url(), await violations(page)]).toEqual([page.url(), []]);

it.each([
  ["light", { colorScheme: "light" }],
  ["dark", { colorScheme: "dark" }],
  ["a phone", { viewport: { width: 320, height: 640 } }],
  ["forced colours", { forcedColors: "active" }],
  ["reduced motion", { reducedMotion: "reduce" }],
] as const)("leaves nothing for axe to find: %s", async (_, options) => {
  const { page, goTo } = await openConsole({ ...options });
  for (const [place, text] of Object.entries(places)) {
    await goTo(place, text);
    await expectNothing(page);
  }
  await goTo(group);
  await page.locator('[aria-rowindex="3"] .name').click();
  await page.locator(".detail").waitFor();
  await expectNothing(page);
  await page.keyboard.press("Escape");

  await page.locator('[aria-rowindex="3"]').getByRole("checkbox").check();
  await page.getByText("1 selected").waitFor();
  await expectNothing(page);
  await page.getByRole("button", { name: /^(Export|More)/ }).click();
  await page.getByRole("button", { name: "Download all 5,000 rows as CSV" }).waitFor();
  await expectNothing(page);
  await page.getByRole("button", { name: "Download all 5,000 rows as CSV" }).click();
  await page.getByText("5,000 rows were saved.").waitFor();
  await expectNothing(page);

  await goTo("/conversations/2559217223");
  await page.getByLabel("User IDs").fill("1001800006\nnobody\nnobody");
  await page.getByRole("checkbox", { name: "Self-destruct after (seconds)" }).check();
  await page.getByRole("button", { name: "Set for 2 users" }).click();
  await page.getByText("Nobody was changed").waitFor();
  await expectNothing(page);
  await page.getByRole("button", { name: "Leave out all users that do not exist" }).click();
  await page.getByText("Done: the conversation is set for 1 user").waitFor();
  await expectNothing(page);

  await page.evaluate(() => sessionStorage.clear());
  await page.reload();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await expectNothing(page);
});

it("speaks Chinese to a Chinese browser, changes to English, and remembers the choice", async () => {
  const { page, goTo } = await openConsole({ locale: "zh-CN", place: "/groups/2559217223", seen: "5,000 名成员" });
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
  await expect
    .poll(async () => {
      await page.keyboard.press("Tab");
      return focused();
    })
    .toBe("combobox");
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

it("sets a conversation with the keyboard alone", async () => {
  const { page, sent } = await openConsole({ place: "/conversations/2559217223" });
  await page.getByRole("heading", { name: "Set conversations" }).waitFor();
  /** Presses Tab until a control with this name has the focus. */
  const tabTo = async (name: string) => {
    const named = page.getByLabel(name, { exact: true }).or(page.getByRole("button", { name, exact: true }));
    await expect
      .poll(async () => {
        await page.keyboard.press("Tab");
        return named.first().evaluate((element) => element === document.activeElement);
      })
      .toBe(true);
  };
  await tabTo("User IDs");
  await page.keyboard.type("1001800006");
  await tabTo("Pinned to the top");
  await page.keyboard.press("Space");
  await tabTo("Set for 1 user");
  await page.keyboard.press("Enter");
  await page.getByText("Done: the conversation is set for 1 user").waitFor();
  expect(sent("/set_conversations")).toMatchObject([{ userIDs: ["1001800006"], conversation: { isPinned: true } }]);
});

it.each([
  ["reduce", 0],
  ["no-preference", 1],
] as const)("moves nothing where a user wants less motion: %s", async (reducedMotion, least) => {
  const { page, goTo } = await openConsole({ reducedMotion });
  const answered = deferred();
  await page.route("**/get_group_member_list", (route) => answered.promise.then(() => route.continue()));
  await goTo(group);
  await page.locator(".bone").first().waitFor();
  const moving = await page.evaluate(() => document.getAnimations().length);
  expect(Math.min(moving, 1)).toBe(least);
  answered.fulfil();
  await page.getByText("5,000 members").waitFor();
});
