import { readFile } from "node:fs/promises";
import type { Page, Route } from "playwright-core";
import { expect, it } from "vitest";
import { deferred } from "../../helpers/deferred.js";
import { databaseOf, useConsole } from "../helpers/console/open.js";

const openConsole = useConsole();
const place = "/groups/2559217223";
const members = "**/get_group_member_list";

async function beginDownload(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByRole("button", { name: /^Download all/ }).click();
  await page.keyboard.press("Escape");
}

/** Waits for the next file that the page saves, and gives its lines. */
async function savedBy(page: Page, act: () => Promise<unknown>): Promise<{ name: string; lines: string[] }> {
  const download = page.waitForEvent("download");
  await act();
  const saved = await download;
  const text = await readFile(await saved.path(), "utf8");
  return { name: saved.suggestedFilename(), lines: text.trimEnd().split("\r\n") };
}

const pageOf = (route: Route): number => route.request().postDataJSON().pagination.pageNumber;
const isByThousands = (route: Route): boolean => route.request().postDataJSON().pagination.showNumber === 1_000;

it("saves all rows of a list, and sets a conversation for the users in the file", async () => {
  const { page, goTo } = await openConsole({ place });
  const { name, lines } = await savedBy(page, () => beginDownload(page));
  expect(name).toBe("members-2559217223.csv");
  expect(lines).toHaveLength(5_001);
  expect(lines[0]).toMatch(/^\ufeffgroupID,userID,roleLevel,/);
  expect(lines[1]).toMatch(/^2559217223,1001800006,100,/);
  expect(new Set(lines.map((line) => line.split(",")[1])).size).toBe(5_001);
  await page.getByText("5,000 rows were saved.").waitFor();

  await goTo("/conversations/2559217223");
  const buffer = Buffer.from(lines.join("\r\n"));
  await page.getByLabel("Choose a file").setInputFiles({ name, mimeType: "text/csv", buffer });
  await page.getByText("5,000 users", { exact: true }).first().waitFor();
  await page.getByText("Taken from the column “userID”").waitFor();
});

it("goes on with a download while the administrator looks elsewhere, and shows its progress", async () => {
  const { page, goTo } = await openConsole({ place, seen: "5,000 members" });
  const held = deferred<Route>();
  await page.route(members, (route) =>
    isByThousands(route) && pageOf(route) === 3 ? held.fulfil(route) : route.continue(),
  );
  await beginDownload(page);
  const third = await held.promise;
  const tasks = page.getByRole("region", { name: "Tasks" });
  await tasks.getByText("2,000 of 5,000 rows").waitFor();
  await goTo("/accounts", "4 accounts");
  await tasks.getByText("2,000 of 5,000 rows").waitFor();
  const { lines } = await savedBy(page, () => third.continue());
  expect(lines).toHaveLength(5_001);
  await tasks.getByRole("button", { name: "Dismiss" }).click();
  await tasks.waitFor({ state: "detached" });
});

it("stops a download, and saves nothing", async () => {
  const { page } = await openConsole({ place, seen: "5,000 members" });
  const held = deferred<Route>();
  await page.route(members, (route) =>
    isByThousands(route) && pageOf(route) === 2 ? held.fulfil(route) : route.continue(),
  );
  let saved = 0;
  page.on("download", () => saved++);
  await beginDownload(page);
  await held.promise;
  const tasks = page.getByRole("region", { name: "Tasks" });
  await tasks.getByRole("button", { name: "Stop" }).click();
  await tasks.getByText("Stopped. Nothing was saved.").waitFor();
  expect(saved).toBe(0);
});

it("continues a download where it failed, with each row once", async () => {
  const { page } = await openConsole({ place, seen: "5,000 members" });
  let isDown = true;
  await page.route(members, (route) =>
    isDown && isByThousands(route) && pageOf(route) === 4 ? route.abort() : route.continue(),
  );
  await beginDownload(page);
  const tasks = page.getByRole("region", { name: "Tasks" });
  await tasks.getByText("The server cannot be reached").waitFor();
  isDown = false;
  const { lines } = await savedBy(page, () => tasks.getByRole("button", { name: "Go on" }).click());
  expect(new Set(lines).size).toBe(5_001);
  expect(lines).toHaveLength(5_001);
});

it("asks before it leaves the page during a download", async () => {
  const { page } = await openConsole({ place, seen: "5,000 members" });
  const held = deferred<Route>();
  await page.route(members, (route) => (isByThousands(route) ? held.fulfil(route) : route.continue()));
  await beginDownload(page);
  await held.promise;
  const asked = page.waitForEvent("dialog");
  // It never ends, since the page stays open.
  void page.reload().catch(() => {});
  const dialog = await asked;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.dismiss();
  await page.getByRole("region", { name: "Tasks" }).getByText("Download: 全员群 Everybody").waitFor();
  await (await held.promise).continue();
});

it("saves ticked rows, and all rows except unticked ones", async () => {
  const { page } = await openConsole({ place });
  for (const number of [3, 5]) await page.locator(`[aria-rowindex="${number}"]`).getByRole("checkbox").check();
  const some = await savedBy(page, () => page.getByRole("button", { name: "Download CSV" }).click());
  expect(some.lines.map((line) => line.split(",")[1])).toEqual(["userID", "1003600005", "1007200003"]);
  await page.getByRole("button", { name: "Clear", exact: true }).click();
  await page.getByRole("checkbox", { name: "Select all rows" }).check();
  await page.locator('[aria-rowindex="2"]').getByRole("checkbox").uncheck();
  const others = await savedBy(page, () => page.getByRole("button", { name: "Download CSV" }).click());
  expect(others.lines).toHaveLength(5_000);
  // The first download has been seen.
  expect(await page.getByRole("region", { name: "Tasks" }).getByText("saved").count()).toBe(1);
  expect(others.lines.join()).not.toContain("1001800006,100");
});

it("says that a list changed while it was read", async () => {
  const { page } = await openConsole({ place, seen: "5,000 members" });
  await page.route(members, async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    if (isByThousands(route) && pageOf(route) === 5) body.data.total = 4_999;
    await route.fulfill({ response, json: body });
  });
  await beginDownload(page);
  await page.getByText("5,000 rows were saved. The list changed meanwhile").waitFor();
});

it("saves all rows, and reads all members, where a thousand of them have too many bytes for one answer", async () => {
  const userIDs = Array.from({ length: 1_100 }, (_, index) => `u${index + 1}`);
  const database = await databaseOf({
    users: [...userIDs.map((userID) => ({ userID })), { userID: "imAdmin", appMangerLevel: 2 }],
    groups: [{ groupID: "g1" }],
    groupMembers: userIDs.map((userID) => ({ groupID: "g1", userID, ex: "e".repeat(30_000) })),
  });
  const { page, goTo } = await openConsole({ database, place: "/groups/g1", seen: "1,100 members" });
  const refused = page.waitForResponse(async (response) => {
    // The text of a request that was given up cannot be read.
    const text = await response.text().catch(() => "");
    return /more have over \d+ bytes/.test(text);
  });
  const { lines } = await savedBy(page, () => beginDownload(page));
  await refused;
  expect(new Set(lines.map((line) => line.split(",")[1])).size).toBe(1_101);
  await goTo("/conversations/g1?members=0", "All 1,100 members");
});
