import type { Page, Route } from "playwright-core";
import { expect, it } from "vitest";
import { createAdminClient } from "../../../adapters/client.js";
import { deferred } from "../../helpers/deferred.js";
import { bodyOf, confirmSetting, databaseOf, useConsole } from "../helpers/console/open.js";

const openConsole = useConsole();
const ids = (count: number) => Array.from({ length: count }, (_, index) => `u${index + 1}`);
const counts = "**/count_conversation_values";
const preview = (page: Page) => page.getByRole("region", { name: "What will change" });
const pinned = (page: Page) => page.getByRole("checkbox", { name: "Pinned to the top" });

/** A form for a group, in a world with this many users. */
async function openForm(users: number) {
  const records = [...ids(users).map((userID) => ({ userID })), { userID: "imAdmin", appMangerLevel: 2 }];
  const database = await databaseOf({ users: records, groups: [{ groupID: "g1" }] });
  return openConsole({ database, place: "/conversations/g1", seen: "no user is listed yet" });
}

/** Pastes users. */
async function paste(page: Page, userIDs: readonly string[]): Promise<void> {
  await page.evaluate((text) => navigator.clipboard.writeText(text), userIDs.join("\n"));
  await page.getByLabel("User IDs").focus();
  await page.keyboard.press("Control+V");
}

it("shows how many users have which value, and how many would really change", async () => {
  const { page } = await openForm(3);
  const field = page.getByLabel("User IDs");
  await field.fill("u1");
  await pinned(page).check();
  await preview(page).getByText("1 of 1 user would really change").waitFor();
  await page.getByRole("button", { name: "Set for 1 user" }).click();
  await page.getByText("Done: the conversation is set for 1 user").waitFor();
  await preview(page).getByText("0 of 1 user would really change").waitFor();

  await field.fill("u1\nu2\nu3");
  await page.getByRole("checkbox", { name: "Messages" }).check();
  await preview(page).getByText("3 of 3 users would really change").waitFor();
  await page.getByRole("checkbox", { name: "Messages" }).uncheck();
  await preview(page).getByText("2 of 3 users would really change").waitFor();
  expect(await preview(page).locator("ul").innerText()).toBe("Pinned to the top: No (2), Yes (1)");
});

it("counts request after request, while the administrator looks elsewhere", async () => {
  const { page, goTo, sent } = await openForm(20_001);
  const held = deferred<Route>();
  await page.route(counts, (route) =>
    route.request().postDataJSON().userIDs[0] === "u10001" ? held.fulfil(route) : route.continue(),
  );
  await paste(page, ids(20_001));
  await pinned(page).check();
  await preview(page).getByText("Counting what they have now: 10,000 of 20,001 users").waitFor();
  await goTo("/accounts");
  await (await held.promise).continue();
  await expect.poll(() => sent("/count_conversation_values").length).toBe(3);
  await goTo("/conversations/g1");
  await preview(page).getByText("20,001 of 20,001 users would really change").waitFor();
  expect(sent("/count_conversation_values").map(({ userIDs }) => (userIDs as string[]).length)).toEqual([
    10_000, 10_000, 1,
  ]);
  expect(sent("/set_conversations")).toEqual([]);
});

it.each([
  [
    "that does not know the path",
    404,
    JSON.stringify({ errCode: 1001, errMsg: "ArgsError", errDlt: "1001 ArgsError" }),
  ],
  ["behind another one", 404, "404 page not found"],
  ["whose store cannot tell", 200, bodyOf({ changing: null, values: [] })],
])("says nothing of what is there at a server %s", async (_, status, body) => {
  const { page, sent } = await openForm(2);
  await page.route(counts, (route) => route.fulfill({ status, body }));
  await page.getByLabel("User IDs").fill("u1");
  await pinned(page).check();
  await expect.poll(() => sent("/count_conversation_values").length).toBe(1);
  await preview(page).getByText("Counting").waitFor({ state: "detached" });
  expect(await preview(page).getByText("now").count()).toBe(0);
  await page.getByLabel("User IDs").fill("u1\nu2");
  await page.getByRole("button", { name: "Set for 2 users" }).click();
  await page.getByText("Done: the conversation is set for 2 users").waitFor();
  // Where there is no such path, the page does not ask again.
  if (status === 404) expect(sent("/count_conversation_values")).toHaveLength(1);
});

it("says why the values could not be counted, before anything is sent", async () => {
  const { page, sent } = await openForm(2);
  await page.getByLabel("User IDs").fill("u1\nu404\nu405");
  await pinned(page).check();
  await preview(page).getByText("What they have now could not be counted: Some users do not exist").waitFor();
  const field = page.getByLabel("Conversation ID");
  await field.fill("c".repeat(65));
  await expect.poll(() => field.getAttribute("aria-invalid")).toBe("true");
  await field.fill("c");
  await expect.poll(() => field.getAttribute("aria-invalid")).toBe("false");
  expect(sent("/set_conversations")).toEqual([]);
});

it("asks for the number of more than a thousand users", async () => {
  const { page, sent } = await openForm(1_001);
  await paste(page, ids(1_001));
  await pinned(page).check();
  const submit = page.getByRole("button", { name: "Set for 1,001 users" });
  const number = page.getByLabel("Type 1,001 to confirm");
  await number.waitFor();
  expect(await submit.isDisabled()).toBe(true);
  await number.fill("1000");
  expect(await submit.isDisabled()).toBe(true);
  await number.fill("1001");
  expect(await submit.isEnabled()).toBe(true);
  // Another draft has to be confirmed anew.
  await page.getByRole("checkbox", { name: "Messages" }).check();
  await expect.poll(() => number.inputValue()).toBe("");
  expect([await submit.isDisabled(), sent("/set_conversations").length]).toEqual([true, 0]);
  await confirmSetting(page, "1,001");
  await page.getByText("Done: the conversation is set for 1,001 users").waitFor();

  await page.getByLabel("User IDs").fill("");
  await paste(page, ids(1_000));
  await page.getByRole("button", { name: "Set for 1,000 users" }).click();
  await page.getByText("Done: the conversation is set for 1,000 users").waitFor();
});

it("counts again when the administrator comes back", async () => {
  const { page, goTo, url, token } = await openForm(2);
  await page.getByLabel("User IDs").fill("u1\nu2");
  await pinned(page).check();
  await preview(page).getByText("2 of 2 users would really change").waitFor();
  await goTo("/accounts");
  await page.getByRole("heading", { name: "Notification accounts" }).waitFor();
  const conversation = { conversationID: "sg_g1", conversationType: 3, groupID: "g1", isPinned: true } as const;
  await createAdminClient({ url, token }).setConversations({ userIDs: ["u1"], conversation });
  await goTo("/conversations/g1");
  await preview(page).getByText("1 of 2 users would really change").waitFor();
});

it("ends when the administrator signs out", async () => {
  const { page } = await openForm(10_001);
  const held = deferred<Route>();
  await page.route(counts, (route) => held.fulfil(route));
  await paste(page, ids(10_001));
  await pinned(page).check();
  const request = (await held.promise).request();
  const isGivenUp = page.waitForEvent("requestfailed", (failed) => failed === request);
  await page.getByRole("button", { name: "Sign out" }).click();
  await isGivenUp;
});
