import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { confirmSetting, databaseOf, useConsole } from "../helpers/console/open.js";
import { violations } from "../helpers/console/violations.js";

const openConsole = useConsole();
const userIDs = Array.from({ length: 10_001 }, (_, index) => `u${index + 1}`);

/** A console at the form for the conversation of a group whose name is hostile. */
async function opened() {
  const database = await databaseOf({
    users: [...userIDs, "imAdmin"].map((userID) => ({ userID, appMangerLevel: userID === "imAdmin" ? 2 : 1 })),
    groups: [{ groupID: "g1", groupName: "<b>\u202egroup" }],
    groupMembers: [{ groupID: "g1", userID: "u1" }],
  });
  const console = await openConsole({ database, place: "/groups/g1", seen: "1 member" });
  await console.page.getByRole("heading", { name: "<b>group" }).waitFor();
  await console.goTo("/conversations/g1", "no user is listed yet");
  return console;
}

it("shows what this tab has set where the server keeps no history, and saves its users", async () => {
  const { page, sent } = await opened();
  const entry = page.getByRole("banner").getByRole("link", { name: "History" });
  expect(await entry.count()).toBe(0);
  expect(sent("/im_admin/list_settings")).toHaveLength(1);

  const operationIDs = new Set<string | undefined>();
  page.on("request", (request) => {
    if (request.url().endsWith("/set_conversations")) operationIDs.add(request.headers()["operationid"]);
  });
  await page.getByLabel("User IDs").focus();
  await page.evaluate((text) => navigator.clipboard.writeText(text), userIDs.join("\n"));
  await page.keyboard.press("Control+V");
  await page.getByRole("checkbox", { name: "Messages" }).check();
  await page.getByRole("checkbox", { name: "Extension field (ex)" }).check();
  await page.getByRole("textbox", { name: "Extension field (ex)" }).fill(`<i>${"x".repeat(5_000)}`);
  await confirmSetting(page, "10,001");
  await page.getByText("Done: the conversation is set for 10,001 users").waitFor();
  // Both requests have the same operation ID, so that a history can tell that they belong together.
  expect([sent("/set_conversations").length, operationIDs.size]).toEqual([2, 1]);

  await entry.click();
  await page.getByText("This server keeps no history, so this page shows what this tab has set").waitFor();
  const [setting] = await page.getByRole("table", { name: "History" }).locator("> tbody > tr").all();
  const text = (await setting?.innerText()) ?? "";
  expect(text).toContain("imAdmin");
  expect(text).toContain("Messages: Mute: no notification");
  expect(text).toContain(`Extension field (ex): <i>${"x".repeat(77)}…`);
  expect(text).toContain("<b>group");
  expect(text).toContain("Done: the conversation is set for 10,001 users");
  expect(await page.getByRole("button", { name: "Set back" }).count()).toBe(0);
  expect(await violations(page)).toEqual([]);

  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download the users as CSV" }).click();
  const file = readFileSync(await (await saved).path(), "utf8");
  expect(file).toBe(`\ufeffuserID\r\n${userIDs.map((userID) => `${userID}\r\n`).join("")}`);
});

it("says that nothing was set, and forgets what was set at a sign-out", async () => {
  const { page, goTo, token } = await opened();
  await goTo("/history", "This tab has set nothing yet.");
  await goTo("/conversations/g1?user=u1", "What will change");
  await page.getByRole("checkbox", { name: "Pinned to the top" }).check();
  await page.getByRole("button", { name: "Set for 1 user" }).click();
  await page.getByText("Done: the conversation is set for 1 user").waitFor();
  await page.getByRole("banner").getByRole("link", { name: "History" }).click();
  await page.getByText("Pinned to the top: Yes").waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("Administrator's token").fill(token);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("This tab has set nothing yet.").waitFor();
});
