import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page, Route } from "playwright-core";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { openSqliteStore } from "../../../src/stores/drivers/sqlite.js";
import { deferred } from "../../helpers/deferred.js";
import { temporaryFolder } from "../../helpers/stores.js";
import { bigGroupMembers, fillBigGroup } from "../helpers/console/bigGroup.js";
import { databaseOf, useConsole } from "../helpers/console/open.js";
import { violations } from "../helpers/console/violations.js";

const folder = mkdtempSync(join(tmpdir(), "im-admin-"));
const database = join(folder, "im.db");
beforeAll(() => fillBigGroup(database));
afterAll(() => rmSync(folder, { recursive: true }));
const openConsole = useConsole();

const phone = { viewport: { width: 390, height: 800 }, hasTouch: true };

/** The details of a row in the big group. */
const detailOf = (page: Page, row: number) => page.getByRole("region", { name: `Member ${row}`, exact: true });
const anyDetail = (page: Page) => page.locator(".detail");
const hashOf = (page: Page) => new URL(page.url()).hash;
const row = (page: Page, number: number) => page.locator(`[aria-rowindex="${number + 1}"]`);
const isFocused = (page: Page, role: string) =>
  page.evaluate((role) => document.activeElement?.getAttribute("role") === role, role);

it("closes by the back button, also on a phone after other rows, and the list stays where it was", async () => {
  const { page } = await openConsole({ database, ...phone, place: "/groups/big?row=120" });
  await row(page, 122).getByText("Member 122").tap();
  await detailOf(page, 122).getByText("122 of 200,000").waitFor();
  expect(hashOf(page)).toBe("#/groups/big?row=120&open=u000122");
  // The list is covered: nobody can reach it, and a screen reader does not read it.
  expect(await page.getByRole("grid").count()).toBe(0);
  expect(await page.getByRole("banner").count()).toBe(0);
  for (let steps = 0; steps < 30; steps++) await page.getByRole("button", { name: "Next row" }).tap();
  await detailOf(page, 152).waitFor();
  await page.goBack();
  await anyDetail(page).waitFor({ state: "detached" });
  await row(page, 152).waitFor();
  await expect.poll(() => hashOf(page)).toMatch(/^#\/groups\/big\?row=1[34]\d$/);
  await page.goForward();
  await anyDetail(page).waitFor();
  await page.getByRole("button", { name: "Back" }).tap();
  await anyDetail(page).waitFor({ state: "detached" });
  await row(page, 152).waitFor();
  // Nothing but the place before the list is left to go back to.
  expect(await page.evaluate(() => history.state)).toBe(null);
});

it.each([
  ["in its first page", "/groups/big?open=u000003", 3],
  ["at the row of the link", "/groups/big?row=123456&open=u123460", 123_460],
  ["some hundred rows from the row of the link", "/groups/big?row=123456&open=u123900", 123_900],
])("opens again by a link: %s", async (_, place, number) => {
  const { page } = await openConsole({ database, place });
  await detailOf(page, number)
    .getByText(`${number.toLocaleString("en-US")} of 200,000`)
    .waitFor();
  await row(page, number).and(page.locator(".shown")).waitFor();
  await page.reload();
  await detailOf(page, number).waitFor();
  // There is no step to go back to: the list is the place that closing leads to.
  await page.keyboard.press("Escape");
  await anyDetail(page).waitFor({ state: "detached" });
  await page.getByText("200,000 members").waitFor();
  expect(hashOf(page)).not.toContain("open=");
});

it("finds a member of a link whose row is far away, without reading the list", async () => {
  const { page, sent } = await openConsole({ database, place: "/groups/big?open=u150000" });
  await page.getByRole("region", { name: "李 150000" }).getByText("u150000").first().waitFor();
  const { length } = sent("/get_group_member_list");
  expect(length).toBeLessThan(12);
  // Its position is not known, and so there is no next row.
  expect(await page.getByRole("button", { name: "Next row" }).getAttribute("aria-disabled")).toBe("true");
});

it("goes to the last row, although it still looks for the row of a link", async () => {
  const { page } = await openConsole({ database });
  const [search, last] = [deferred<Route>(), deferred<Route>()];
  await page.route("**/get_group_member_list", (route) => {
    const { keyword, pagination } = route.request().postDataJSON();
    if (keyword !== undefined) return search.fulfil(route);
    return pagination.pageNumber === bigGroupMembers / 50 ? last.fulfil(route) : route.fallback();
  });
  await page.goto(`${new URL(page.url()).origin}/console#/groups/big?open=u150000`);
  const sought = await search.promise;
  await page.keyboard.press("End");
  const end = await last.promise;
  await sought.fallback();
  await sought.request().response();
  await anyDetail(page).getByText("200,000 of 200,000").waitFor();
  await end.fallback();
  await page.getByRole("region", { name: "李 200000" }).waitFor();
});

it("looks for the row of a link in each order of a list", async () => {
  const applicants = Array.from({ length: 140 }, (_, index) => `a${index + 1}`);
  const database = await databaseOf({
    users: [{ userID: "owner" }, ...applicants.map((userID) => ({ userID }))],
    groups: [{ groupID: "g" }],
    groupMembers: [{ groupID: "g", userID: "owner", roleLevel: 100 }],
    groupRequests: applicants.map((userID, index) => ({ groupID: "g", userID, reqTime: index + 1 })),
  });
  const place = `/users/owner/requests?open=${encodeURIComponent(JSON.stringify(["a71", "g"]))}`;
  const { page } = await openConsole({ database, place });
  await anyDetail(page).getByText("70 of 140").waitFor();
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `${place}&order=oldest`);
  await anyDetail(page).getByText("71 of 140").waitFor();
});

it("says that the row of a link is gone", async () => {
  const { page, goTo } = await openConsole({ database });
  for (const place of ["/groups/big?open=nobody", "/users/u000001/groups?open=nobody", "/accounts?open=nobody"]) {
    await goTo("/");
    await goTo(place);
    await anyDetail(page).getByText("This row is not in the list any more").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await anyDetail(page).waitFor({ state: "detached" });
  }
  // A group that does not exist has no rows.
  await goTo("/groups/404?open=u000001", "No such group: 404");
  expect(await anyDetail(page).count()).toBe(0);
});

it.each(["Enter", "click"])("opens details that were asked for before their row came: %s", async (way) => {
  const { page } = await openConsole({ database });
  const held: Route[] = [];
  await page.route("**/get_group_member_list", (route) => void held.push(route));
  await page.goto(`${new URL(page.url()).origin}/console#/groups/big`);
  await page.getByRole("grid").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  if (way === "Enter") await page.keyboard.press("Enter");
  else await row(page, 2).click();
  await page.unroute("**/get_group_member_list");
  await Promise.all(held.map((route) => route.fallback()));
  await detailOf(page, 2).waitFor();
});

it("opens no details of a row that was out of view before it came", async () => {
  const { page } = await openConsole({ database });
  const held: Route[] = [];
  await page.route("**/get_group_member_list", (route) => void held.push(route));
  await page.goto(`${new URL(page.url()).origin}/console#/groups/big`);
  await row(page, 2).click();
  await page.mouse.wheel(0, 1_000);
  await row(page, 2).waitFor({ state: "detached" });
  await page.unroute("**/get_group_member_list");
  await Promise.all(held.map((route) => route.fallback()));
  await page.getByText("200,000 members").waitFor();
  await page.mouse.wheel(0, -1_000);
  await row(page, 2).getByText("Member 2").waitFor();
  expect(hashOf(page)).not.toContain("open=");
  expect(await anyDetail(page).count()).toBe(0);
});

it("goes from row to row with arrow keys and buttons, to both ends of 200,000", async () => {
  const { page } = await openConsole({ database, place: "/groups/big" });
  await page.getByRole("grid").focus();
  await row(page, 1).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await detailOf(page, 1).waitFor();
  expect(await page.getByRole("button", { name: "Previous row" }).getAttribute("aria-disabled")).toBe("true");
  await page.keyboard.press("ArrowUp");
  await detailOf(page, 1).waitFor();
  await page.keyboard.press("ArrowDown");
  await detailOf(page, 2).waitFor();
  await page.keyboard.press("End");
  await page.getByRole("region", { name: "李 200000" }).getByText("200,000 of 200,000").waitFor();
  expect(hashOf(page)).toMatch(/open=u200000$/);
  expect(await page.getByRole("button", { name: "Next row" }).getAttribute("aria-disabled")).toBe("true");
  await page.keyboard.press("ArrowDown");
  await page.getByRole("button", { name: "Previous row" }).click();
  await detailOf(page, bigGroupMembers - 1).waitFor();
  await row(page, bigGroupMembers - 1)
    .and(page.locator(".shown"))
    .waitFor();
  await page.keyboard.press("Home");
  await detailOf(page, 1).waitFor();
  // In the list, the keys do the same.
  await page.getByRole("grid").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await detailOf(page, 3).waitFor();
  expect(await isFocused(page, "grid")).toBe(true);
});

it("goes back to the row with Escape, and to where it came from with the back button", async () => {
  const { page } = await openConsole({ database, place: "/groups/big" });
  await row(page, 4).click();
  await detailOf(page, 4).waitFor();
  await page.keyboard.press("ArrowDown");
  await detailOf(page, 5).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await anyDetail(page).waitFor({ state: "detached" });
  expect(await isFocused(page, "grid")).toBe(true);
  expect(await page.getByRole("grid").getAttribute("aria-activedescendant")).toBe("row-4");
  expect(hashOf(page)).toBe("#/groups/big");
  // A link in the details, and back: they are open again.
  await row(page, 5).click();
  await detailOf(page, 5).getByRole("link", { name: "Joined groups" }).click();
  await page.getByText("1 group", { exact: true }).waitFor();
  expect(await anyDetail(page).count()).toBe(0);
  await page.goBack();
  await detailOf(page, 5).waitFor();
  await page.getByRole("button", { name: "Close" }).click();
  await anyDetail(page).waitFor({ state: "detached" });
  expect(await isFocused(page, "grid")).toBe(true);
});

it("stands beside a list that goes on working: another row, ticks, a search", async () => {
  const { page } = await openConsole({ database, place: "/groups/big", viewport: { width: 1440, height: 900 } });
  await row(page, 4).click();
  await detailOf(page, 4).waitFor();
  await row(page, 6).click();
  await detailOf(page, 6).waitFor();
  await row(page, 6).getByRole("checkbox").check();
  await page.getByText("1 selected").waitFor();
  expect(hashOf(page)).toBe("#/groups/big?open=u000006");
  await page.getByRole("searchbox").fill("Member 777");
  await page.getByText("111 members", { exact: true }).waitFor();
  expect(await anyDetail(page).count()).toBe(0);
  expect(await isFocused(page, "grid")).toBe(false);
  expect(hashOf(page)).toBe("#/groups/big?keyword=Member+777");
});

it("puts the name, the ID and what one can do on top, and folds empty fields", async () => {
  const { page, copied } = await openConsole({ place: "/groups/2559217223", seen: "5,000 members" });
  await page.getByText("Jack Davies").click();
  const detail = page.getByRole("region", { name: "Jack Davies" });
  await detail.getByRole("button", { name: "Copy", exact: true }).click();
  const id = await detail.locator(".facts .id").innerText();
  await expect.poll(copied).toBe(id);
  expect(await detail.locator(".actions").getByRole("link").allInnerTexts()).toEqual(["Set conversation"]);
  expect(await detail.getByRole("navigation", { name: "Lists" }).getByRole("link").allInnerTexts()).toEqual([
    "Joined groups",
    "Join requests",
    "Blacklist",
  ]);
  await detail.getByText("Administrator (60)").waitFor();
  await detail.getByText("1 empty field").waitFor();
  expect(await detail.getByText("Extension (ex)").isVisible()).toBe(false);
  await detail.getByText("1 empty field").click();
  await detail.getByText("Extension (ex)").waitFor();
});

it("names the users that an item names, in the panel and in the columns", async () => {
  const handled = { handleResult: 1, handleUserID: "owner", reqTime: 1_700_000_000_000 };
  const database = await databaseOf({
    users: [
      { userID: "owner", nickname: "Olga Owner" },
      { userID: "applicant", nickname: "Anton" },
    ],
    groups: [{ groupID: "g", groupName: "Readers" }],
    groupMembers: [{ groupID: "g", userID: "owner", roleLevel: 100, inviterUserID: "unknown" }],
    groupRequests: [{ groupID: "g", userID: "applicant", ...handled }],
  });
  const { page, goTo } = await openConsole({ database, place: "/groups/g", seen: "1 member" });
  await row(page, 1).click();
  const owner = page.getByRole("region", { name: "Olga Owner" });
  await owner.getByRole("link", { name: "Readers g" }).waitFor();
  await owner.getByRole("link", { name: "unknown", exact: true }).waitFor();
  await goTo("/users/owner/groups", "1 group");
  await row(page, 1).getByText("Olga Owner").waitFor();
  await goTo("/groups/g/requests?result=all", "1 request");
  await row(page, 1).getByTitle("owner", { exact: true }).getByText("Olga Owner").waitFor();
  await row(page, 1).click();
  await page.getByRole("region", { name: "Anton" }).getByRole("link", { name: "Olga Owner owner" }).first().waitFor();
  await page.reload();
  await page.getByRole("region", { name: "Anton" }).waitFor();
});

it("opens again one of two requests of the same user, in both orders", async () => {
  const groupIDs = ["g1", "g2"];
  const database = await databaseOf({
    users: [{ userID: "owner" }, { userID: "applicant", nickname: "Anton" }],
    groups: groupIDs.map((groupID) => ({ groupID, groupName: `Group ${groupID}` })),
    groupMembers: groupIDs.map((groupID) => ({ groupID, userID: "owner", roleLevel: 100 })),
    groupRequests: groupIDs.map((groupID) => ({ groupID, userID: "applicant", reqMsg: `To ${groupID}` })),
  });
  const { page } = await openConsole({ database, place: "/users/owner/requests", seen: "2 requests" });
  await row(page, 2).click();
  await anyDetail(page).getByText("To g2", { exact: true }).waitFor();
  await page.reload();
  await anyDetail(page).getByText("2 of 2").waitFor();
  await page.evaluate(() => {
    location.hash = `${location.hash}&order=oldest`;
  });
  await anyDetail(page).getByText("1 of 2").waitFor();
  await anyDetail(page).getByText("To g2", { exact: true }).waitFor();
});

it("follows a key that is held down, and one step back leads to the list", async () => {
  const { page } = await openConsole({ database, place: "/groups/big" });
  await row(page, 1).getByText("Member 1").click();
  await detailOf(page, 1).waitFor();
  const steps = await page.evaluate(() => history.length);
  // More often than a browser lets a page change its address.
  await page.evaluate(() => {
    for (let presses = 0; presses < 400; presses++)
      document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true }));
  });
  await expect.poll(() => anyDetail(page).locator(".detail-bar").innerText()).not.toContain("1 of 200,000");
  await page.keyboard.press("Home");
  for (let presses = 0; presses < 250; presses++) await page.keyboard.press("ArrowDown");
  await detailOf(page, 251).waitFor();
  expect(await page.evaluate(() => history.length)).toBe(steps);
  await page.goBack();
  await anyDetail(page).waitFor({ state: "detached" });
  await row(page, 251).waitFor();
});

it("stays with its row while the list changes, and says when the row is gone", async () => {
  const path = join(temporaryFolder(), "im.db");
  const store = openSqliteStore({ path });
  onTestFinished(() => store.close());
  const put = (from: number, count: number, nickname: string) => {
    const ids = Array.from({ length: count }, (_, index) => `u${String(from + index).padStart(4, "0")}`);
    return store.put({
      users: [{ userID: "imAdmin", appMangerLevel: 2 }, ...ids.map((userID) => ({ userID, nickname }))],
      groups: [{ groupID: "g", groupName: "One" }],
      groupMembers: ids.map((userID) => ({ groupID: "g", userID, roleLevel: 20, joinTime: 5 })),
    });
  };
  await put(101, 200, "Somebody");
  const { page } = await openConsole({ database: path, place: "/groups/g", seen: "200 members" });
  await row(page, 3).click();
  await anyDetail(page).getByText("3 of 200").waitFor();
  // Seventy more before it: it is in another page now.
  await put(1, 70, "Other");
  await page.getByRole("button", { name: "Refresh" }).click();
  await anyDetail(page).getByText("73 of 270").waitFor();
  await put(103, 1, "New name");
  await page.getByRole("button", { name: "Refresh" }).click();
  await page.getByRole("region", { name: "New name" }).waitFor();
  await store.remove({ groupMembers: [{ groupID: "g", userID: "u0103" }] });
  await page.getByRole("button", { name: "Refresh" }).click();
  await anyDetail(page).getByText("This row is not in the list any more").waitFor();
  // What was read of it can still be read.
  await page.getByRole("region", { name: "New name" }).getByText("u0103").first().waitFor();
});

it.each([
  ["1440 pixels", { viewport: { width: 1440, height: 900 } }],
  ["2560 pixels, dark", { viewport: { width: 2560, height: 1300 }, colorScheme: "dark" }],
  ["1152 pixels", { viewport: { width: 1152, height: 800 } }],
  ["768 pixels", { viewport: { width: 768, height: 1000 } }],
  ["375 pixels", { viewport: { width: 375, height: 700 }, hasTouch: true }],
  ["400 %", { viewport: { width: 320, height: 200 }, deviceScaleFactor: 4 }],
  ["forced colours", { forcedColors: "active" }],
] as const)("leaves nothing for axe to find, and cuts nothing: %s", async (_, options) => {
  const { page, goTo } = await openConsole({ ...options });
  for (const [place, seen] of [
    ["/groups/2559217223?open=1001800006", "1 of 5,000"],
    ["/users/1000000007/groups", undefined],
    ["/users/1000000007/requests", undefined],
    ["/users/1000000007/blacklist", undefined],
    ["/accounts", undefined],
  ] as const) {
    await goTo("/");
    await goTo(place);
    if (seen === undefined) await page.locator('[aria-rowindex="2"] .name').click();
    await anyDetail(page)
      .getByText(seen ?? /^\d of/)
      .waitFor();
    for (const summary of await anyDetail(page).locator("summary").all()) await summary.click();
    expect([place, await violations(page)]).toEqual([place, []]);
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll("html, main, .list-head, .toolbar, .list-foot, .detail, .detail *")]
        .filter((element) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0)
        .filter((element) => !element.matches("pre, .hidden") && getComputedStyle(element).display !== "inline")
        .map((element) => `${element.tagName}.${element.className}`),
    );
    expect([place, cut]).toEqual([place, []]);
    if ("hasTouch" in options) {
      const small = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>(".detail :is(button, .button, nav a, summary)")]
          .map((element) => ({ element, box: element.getBoundingClientRect() }))
          .filter(({ box }) => box.width > 0 && (box.width < 44 || box.height < 44))
          .map(({ element, box }) => `${element.outerHTML.slice(0, 80)} ${box.width}×${box.height}`),
      );
      expect([place, small]).toEqual([place, []]);
    }
  }
});
