import { expect, it } from "vitest";
import { deferred } from "../../helpers/deferred.js";
import { useConsole } from "../helpers/console/open.js";
import { violations } from "../helpers/console/violations.js";

const openConsole = useConsole();
const place = "/groups/2559217223";

it.each([
  ["light", { colorScheme: "light" }],
  ["dark", { colorScheme: "dark" }],
  ["a phone", { viewport: { width: 320, height: 640 } }],
  ["forced colours", { forcedColors: "active" }],
] as const)("leaves nothing for axe to find where work is done: %s", async (_, options) => {
  const { page, goTo } = await openConsole({ ...options, place });
  await page.locator('[aria-rowindex="3"]').getByRole("checkbox").check();
  await page.getByText("1 selected").waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByRole("button", { name: "Download all 5,000 rows as CSV" }).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Download all 5,000 rows as CSV" }).click();
  await page.getByText("5,000 rows were saved.").waitFor();
  expect(await violations(page)).toEqual([]);

  await goTo("/conversations/2559217223");
  await page.getByLabel("User IDs").fill("1001800006\nnobody\nnobody");
  await page.getByRole("checkbox", { name: "Self-destruct after (seconds)" }).check();
  await page.getByRole("button", { name: "Set for 2 users" }).click();
  await page.getByText("Nobody was changed").waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Leave out all users that do not exist" }).click();
  await page.getByText("Done: the conversation is set for 1 user").waitFor();
  expect(await violations(page)).toEqual([]);
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
] as const)("moves nothing where motion is to be reduced: %s", async (reducedMotion, least) => {
  const { page, goTo } = await openConsole({ reducedMotion });
  const answered = deferred();
  await page.route("**/get_group_member_list", (route) => answered.promise.then(() => route.continue()));
  await goTo(place);
  await page.locator(".bone").first().waitFor();
  const moving = await page.evaluate(() => document.getAnimations().length);
  expect(Math.min(moving, 1)).toBe(least);
  answered.fulfil();
  await page.getByText("5,000 members").waitFor();
});
