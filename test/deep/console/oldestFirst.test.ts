import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { openSqliteStore } from "../../../src/stores/drivers/sqlite.js";
import { temporaryFolder } from "../../helpers/stores.js";
import { useConsole } from "../helpers/console/open.js";

const openConsole = useConsole();
const day = 86_400_000;
const oldest = "/users/owner/requests?order=oldest";

/** A file with 1,230 requests that are pending, of which request 1 is the oldest, and a function that adds some. */
async function world() {
  const database = join(temporaryFolder(), "im.db");
  const store = openSqliteStore({ path: database });
  onTestFinished(() => store.close());
  const beginning = Date.now() - 1_230 * day - day / 2;
  const add = (from: number, count: number) => {
    const numbers = Array.from({ length: count }, (_, index) => from + index);
    return store.put({
      users: numbers.map((number) => ({ userID: `u${number}`, nickname: `Applicant ${number}` })),
      groupRequests: numbers.map((number) => ({
        groupID: "g",
        userID: `u${number}`,
        reqTime: beginning + number * day,
        reqMsg: `Message ${number}`,
      })),
    });
  };
  await store.put({
    users: [{ userID: "imAdmin", appMangerLevel: 2 }, { userID: "owner" }],
    groups: [{ groupID: "g", groupName: "Readers" }],
    groupMembers: [{ groupID: "g", userID: "owner", roleLevel: 100 }],
  });
  await add(1, 1_230);
  return { database, store, add };
}

/** The text of a row, from 1. */
const row = (page: Page, number: number) => page.locator(`[aria-rowindex="${number + 1}"]`);
const position = (page: Page) => page.locator(".position");

it("shows the requests that wait longest first, with their age and message, and asks no more often", async () => {
  const { database } = await world();
  const { page, sent, goTo } = await openConsole({ database, place: "/users/owner/requests" });
  await row(page, 1).getByText("Applicant 1230", { exact: true }).waitFor();
  await page.getByRole("button", { name: "All 1,230" }).waitFor();
  const titles = page.locator("[role=columnheader]:not(.tick-cell)");
  expect((await titles.allTextContents()).map((title) => title.replace(/ \(.*/, ""))).toEqual([
    "#",
    "Applicant",
    "Group",
    "Message",
    "Requested",
    "Waiting",
  ]);

  await page.getByLabel("Order").selectOption("Oldest first");
  await row(page, 1).getByText("Applicant 1", { exact: true }).waitFor();
  await row(page, 1).getByText("1,229 days", { exact: true }).waitFor();
  await row(page, 1).getByText("Message 1", { exact: true }).waitFor();
  await row(page, 2).getByText("Applicant 2", { exact: true }).waitFor();
  expect(new URL(page.url()).hash).toBe(`#${oldest}`);

  await goTo("/");
  const asked = sent("/get_recv_group_applicationList").length;
  await goTo(oldest);
  await row(page, 1).getByText("Applicant 1", { exact: true }).waitFor();
  await page.getByRole("button", { name: "All 1,230" }).waitFor();
  expect(sent("/get_recv_group_applicationList").length - asked).toBeLessThanOrEqual(6);
});

it("says the age in hours and minutes, and in Chinese", async () => {
  const { database, store } = await world();
  await store.put({
    groupRequests: [
      { groupID: "g", userID: "u1", reqTime: Date.now() - 90 * 60_000 },
      { groupID: "g", userID: "u2", reqTime: Date.now() - 30_000 },
    ],
  });
  const { page } = await openConsole({ database, place: "/users/owner/requests" });
  await row(page, 1).getByText("0 minutes", { exact: true }).waitFor();
  await row(page, 2).getByText("1 hour", { exact: true }).waitFor();
  await page.getByRole("button", { name: "中文" }).click();
  await row(page, 2).getByText("1小时", { exact: true }).waitFor();
});

it("goes to the end, to the start and to a row, and keeps it in the address", async () => {
  const { database } = await world();
  const { page } = await openConsole({ database, place: oldest });
  await row(page, 1).getByText("Applicant 1", { exact: true }).waitFor();
  const grid = page.getByRole("grid");
  await grid.focus();
  await page.keyboard.press("End");
  await row(page, 1_230).getByText("Applicant 1230", { exact: true }).waitFor();
  await page.keyboard.press("Home");
  await row(page, 1).getByText("Applicant 1", { exact: true }).waitFor();
  await page.getByLabel("Number of the row").fill("700");
  await page.getByRole("button", { name: "Go", exact: true }).click();
  await row(page, 700).getByText("Applicant 700", { exact: true }).waitFor();
  await expect.poll(() => new URL(page.url()).hash).toBe(`#${oldest}&row=700`);
  await page.reload();
  await position(page)
    .getByText(/^Rows 700–\d+ of 1,230$/)
    .waitFor();
  await row(page, 701).getByText("Applicant 701", { exact: true }).waitFor();
});

it("stays right while requests come and are handled", async () => {
  const { database, store, add } = await world();
  const { page } = await openConsole({ database, place: `${oldest}&row=600` });
  await row(page, 600).getByText("Applicant 600", { exact: true }).waitFor();
  await add(1_231, 3);
  await page.getByRole("button", { name: "Refresh" }).click();
  await page.getByText("1,233 requests").waitFor();
  await row(page, 600).getByText("Applicant 600", { exact: true }).waitFor();
  await page.getByRole("grid").focus();
  await page.keyboard.press("End");
  await row(page, 1_233).getByText("Applicant 1233", { exact: true }).waitFor();

  // The two that wait longest are accepted, and the others move up.
  await store.put({ groupRequests: ["u1", "u2"].map((userID) => ({ groupID: "g", userID, handleResult: 1 })) });
  await page.keyboard.press("Home");
  await page.getByRole("button", { name: "Refresh" }).click();
  await page.getByText("1,231 requests").waitFor();
  await row(page, 1).getByText("Applicant 3", { exact: true }).waitFor();
  await row(page, 2).getByText("Applicant 4", { exact: true }).waitFor();
});

it("selects, copies and saves the rows as they are shown", async () => {
  const { database } = await world();
  const { page, copied } = await openConsole({ database, place: oldest });
  await row(page, 1).locator(".tick-cell label").click();
  await page.getByRole("grid").focus();
  await page.keyboard.press("Home");
  await page.getByLabel("Number of the row").fill("1100");
  await page.getByRole("button", { name: "Go", exact: true }).click();
  await row(page, 1_100).getByText("Applicant 1100", { exact: true }).waitFor();
  await row(page, 1_100)
    .locator(".tick-cell label")
    .click({ modifiers: ["Shift"] });
  await page.getByText("1,100 selected").waitFor();
  await page.getByRole("button", { name: "Copy IDs" }).click();
  const ids = async () => (await copied()).split("\n");
  await expect.poll(async () => (await ids()).length).toBe(1_100);
  expect([(await ids())[0], (await ids())[1_099]]).toEqual(["u1", "u1100"]);

  await page.getByRole("button", { name: "Export" }).click();
  await page.getByRole("button", { name: "Copy rows 1,001–1,230 as CSV" }).click();
  await expect.poll(async () => (await copied()).split("\r\n")[1]).toContain(",Message 1001,");
  expect((await copied()).trimEnd().split("\r\n")).toHaveLength(231);

  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download all 1,230 rows as CSV" }).click();
  const lines = (await readFile(await (await download).path(), "utf8")).trimEnd().split("\r\n");
  expect(lines).toHaveLength(1_231);
  expect(lines.slice(1).map((line) => line.split(",")[1])).toEqual(
    Array.from({ length: 1_230 }, (_, index) => `Message ${index + 1}`),
  );
});
