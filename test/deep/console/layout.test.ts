import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { databaseOf, useConsole } from "../helpers/console/open.js";

const openConsole = useConsole();
const group = "/groups/2559217223";
const ada = "/users/1000000007";

const boxOf = async (page: Page, selector: string) =>
  (await page.locator(selector).first().boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
const firstRow = '[aria-rowindex="2"]';

it("leaves most of a phone to the rows", async () => {
  const { page, goTo } = await openConsole({ viewport: { width: 375, height: 667 }, hasTouch: true });
  for (const place of [group, `${ada}/groups`, `${ada}/requests`, `${ada}/blacklist`, "/accounts"]) {
    await goTo(place);
    await page.locator(`${firstRow} .name`).waitFor();
    // The totals in the tabs come after the rows.
    await page.locator(".count, h1").first().waitFor();
    await expect.poll(async () => (await boxOf(page, firstRow)).y, { message: place }).toBeLessThanOrEqual(267);
  }
});

it("has everything that a wide window has, in a menu and on demand", async () => {
  const { page, sent } = await openConsole({ viewport: { width: 375, height: 667 }, place: group });
  await page.getByRole("link", { name: "Members 5,000" }).waitFor();
  await page.getByRole("button", { name: "More" }).click();
  const before = sent("/get_group_member_list").length;
  await page.getByRole("button", { name: "Refresh" }).click();
  await expect.poll(() => sent("/get_group_member_list").length).toBeGreaterThan(before);
  await page.getByRole("button", { name: "Download all 5,000 rows as CSV" }).waitFor();
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Go to" }).click();
  await page.keyboard.type("4000");
  await page.keyboard.press("Enter");
  await page.getByText(/^Rows 4,000–\d,\d+ of 5,000$/).waitFor();
  await page.getByRole("button", { name: "Go to" }).waitFor();

  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("button", { name: "Set its conversation" }).click();
  const entries = page.getByRole("group", { name: "Set its conversation" }).getByRole("link");
  await expect.poll(() => entries.first().evaluate((entry) => entry === document.activeElement)).toBe(true);
  await page.keyboard.press("ArrowDown");
  expect(await entries.nth(1).evaluate((entry) => entry === document.activeElement)).toBe(true);
  await entries.last().click();
  await page.getByRole("heading", { name: "Set conversations" }).waitFor();
});

it("chooses the result of join requests from a menu on a phone", async () => {
  const { page } = await openConsole({ viewport: { width: 375, height: 667 }, place: `${ada}/requests` });
  await page.getByLabel("Result").selectOption("Accepted 160");
  await page.getByText(/^Rows 1–\d+ of 160$/).waitFor();
});

it.each([375, 768])("keeps each number beside its label, at %i pixels", async (width) => {
  const { page, goTo } = await openConsole({ viewport: { width, height: 800 } });
  for (const place of [`${ada}/groups`, `${ada}/requests`, group]) {
    await goTo(place);
    await page.locator(".tabs .count").last().waitFor();
    const broken = () =>
      page.evaluate(() =>
        [...document.querySelectorAll(".tabs a, .segments button")]
          .filter((element) => {
            const range = document.createRange();
            range.selectNodeContents(element);
            const tops = [...range.getClientRects()].map(({ top, height }) => top + height / 2);
            return Math.max(...tops) - Math.min(...tops) > 6;
          })
          .map((element) => element.textContent),
      );
    await expect.poll(broken, { message: place }).toEqual([]);
  }
});

it("uses the width of a very wide screen", async () => {
  const { page } = await openConsole({ viewport: { width: 2560, height: 1000 }, place: group, seen: "5,000 members" });
  const last = await boxOf(page, `${firstRow} > :last-child`);
  const end = await boxOf(page, ".toolbar-end");
  expect(last.x + last.width).toBeGreaterThan(2_500);
  expect(end.x + end.width).toBeGreaterThan(2_500);
});

it("says beside the tabs of a group what all its members are, and no third time", async () => {
  const { page } = await openConsole({ place: group, seen: "5,000 members" });
  await page.getByRole("link", { name: "Members 5,000" }).waitFor();
  // It is there for screen readers, and when the list is shorter than the group.
  expect(await page.locator(".total").evaluate((total) => getComputedStyle(total).opacity)).toBe("0");
});

it("begins all names at one edge, also those from right to left, on a phone", async () => {
  const database = await databaseOf({
    users: [{ userID: "imAdmin", appMangerLevel: 2 }, { userID: "u1" }, { userID: "a-user-with-a-long-id" }],
    groups: [{ groupID: "g1" }],
    groupMembers: [
      { groupID: "g1", userID: "u1", nickname: "Ann" },
      { groupID: "g1", userID: "a-user-with-a-long-id", nickname: "مدير" },
    ],
  });
  const { page } = await openConsole({ viewport: { width: 375, height: 667 }, database, place: "/groups/g1" });
  await page.getByText("مدير").waitFor();
  const edges = await page.locator(".name-lines bdi").evaluateAll((names) =>
    names.map((name) => {
      const range = document.createRange();
      range.selectNodeContents(name);
      return Math.round(range.getBoundingClientRect().left);
    }),
  );
  expect(new Set(edges).size).toBe(1);
});

it("gives a column without values no room, and its room when a value comes", async () => {
  const userIDs = Array.from({ length: 200 }, (_, index) => `u${index + 1}`);
  const members = userIDs.map((userID, index) => ({
    groupID: "g1",
    userID,
    joinTime: index + 1,
    muteEndTime: userID === "u150" ? 4_000_000_000_000 : 1,
  }));
  const database = await databaseOf({
    users: [...userIDs.map((userID) => ({ userID })), { userID: "imAdmin", appMangerLevel: 2 }],
    groups: [{ groupID: "g1" }, { groupID: "g2" }],
    groupMembers: [...members, { groupID: "g2", userID: "u1", roleLevel: 100 }],
    groupRequests: ["u2", "u3"].map((userID) => ({ groupID: "g2", userID, reqTime: 1 })),
  });
  const { page, goTo } = await openConsole({ database, timezoneId: "UTC", place: "/groups/g1", seen: "200 members" });
  const titles = () => page.getByRole("columnheader").allInnerTexts();
  const usual = ["", "#", "Name", "User ID", "Role", "Joined (UTC)"];
  await expect.poll(titles).toEqual(usual);
  await goTo("/groups/g1?row=140");
  await page.getByText("2096-10-02 07:06").waitFor();
  expect(await titles()).toEqual([...usual, "Muted until (UTC)"]);
  // It does not go again while the list is scrolled.
  await page.getByRole("grid").press("Home");
  await page.locator('[aria-rowindex="2"] .name').waitFor();
  expect(await titles()).toEqual([...usual, "Muted until (UTC)"]);

  await goTo("/groups/g2/requests", "2 requests");
  await expect.poll(titles).toEqual(["", "#", "Applicant", "Group", "Requested (UTC)", "Waiting"]);
});

it("says which join requests a tab counts", async () => {
  const { page, goTo } = await openConsole({ place: `${ada}/requests?result=all`, seen: "400 requests" });
  await page.getByRole("link", { name: "Join requests 140 pending" }).waitFor();
  await goTo(group);
  await page.getByRole("link", { name: "Join requests 0 pending" }).waitFor();
});

it("prints the rows in view and no controls, and cuts no column", async () => {
  const { page } = await openConsole({
    viewport: { width: 1280, height: 800 },
    colorScheme: "dark",
    place: `${group}?row=1000`,
  });
  await page.getByText(/^Rows 1,000–1,0\d\d of 5,000$/).waitFor();
  await page.locator('[aria-rowindex="1001"] .name').waitFor();
  const shown = /–1,0(\d\d) /.exec((await page.locator(".position").textContent()) ?? "")?.[1];
  await page.emulateMedia({ media: "print" });
  // A sheet of A4 with margins of a centimetre.
  await page.setViewportSize({ width: 718, height: 1000 });
  const printed = await page.evaluate(() => ({
    rows: [...document.querySelectorAll<HTMLElement>("[role=row][id]")].filter((row) => row.offsetHeight > 0).length,
    controls: [...document.querySelectorAll<HTMLElement>("button, input, select, nav")].filter(
      (control) => control.offsetHeight > 0,
    ).length,
    cut: [...document.querySelectorAll<HTMLElement>("main, [role=gridcell], [role=columnheader]")]
      .filter((cell) => cell.scrollWidth > cell.clientWidth + 1)
      .map((cell) => cell.innerText),
    columns: document.querySelectorAll("[role=columnheader]:not(.tick-cell)").length,
    overlap: [...document.querySelectorAll<HTMLElement>("[role=row][id]:not(.spare)")].some(
      (row, index, rows) =>
        index > 0 && row.getBoundingClientRect().top < (rows[index - 1]?.getBoundingClientRect().bottom ?? 0) - 1,
    ),
    text: getComputedStyle(document.querySelector("h1") as Element).color,
  }));
  expect(printed).toEqual({
    rows: Number(shown) + 1,
    controls: 0,
    cut: [],
    columns: 5,
    overlap: false,
    text: "rgb(22, 27, 44)",
  });
});

it("begins with a large field, and shows what is pinned and recent with its kind and ID", async () => {
  const database = await databaseOf({
    users: [{ userID: "owner", nickname: "Olga" }],
    groups: [{ groupID: "g", groupName: "Readers" }],
    groupMembers: [{ groupID: "g", userID: "owner", roleLevel: 100 }],
  });
  const { page, goTo } = await openConsole({ database, place: "/groups/g" });
  await page.getByRole("heading", { level: 1, name: "Readers" }).waitFor();
  await page.getByRole("button", { name: "Pin" }).click();
  await goTo("/users/owner/groups");
  await page.getByRole("heading", { level: 1, name: "Olga" }).waitFor();
  await goTo("/");
  const start = page.getByRole("main");
  const pinned = start.getByRole("navigation", { name: "Pinned" });
  const recent = start.getByRole("navigation", { name: "Recent" });
  await pinned.getByRole("link", { name: "Readers Group g" }).waitFor();
  await recent.getByRole("link", { name: "Olga User owner" }).waitFor();
  const [left, right] = [await pinned.boundingBox(), await recent.boundingBox()];
  expect(left?.y).toBe(right?.y);
  expect((left?.x ?? 0) + (left?.width ?? 0)).toBeLessThan(right?.x ?? 0);
  const cards = await page.locator(".ways a").evaluateAll((all) => all.map((card) => card.getBoundingClientRect().x));
  expect(cards).toEqual([left?.x, right?.x]);

  const field = page.getByRole("combobox", { name: "Open a group or a user" });
  const box = await field.boundingBox();
  expect([(box?.height ?? 0) >= 48, (box?.width ?? 0) >= 600]).toEqual([true, true]);
  await page.keyboard.press("/");
  await page.keyboard.type("owner");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Olga" }).waitFor();
});
