import type { Route } from "playwright-core";
import { expect, it } from "vitest";
import { signAdminToken } from "../../../adapters/auth.js";
import { deferred } from "../../helpers/deferred.js";
import { databaseOf, secret, useConsole } from "../helpers/console/open.js";

const openConsole = useConsole();
const group = "/groups/2559217223";
const field = { name: "Open a group or a user" };

it("shows who is signed in, and until when", async () => {
  const { page } = await openConsole({ timezoneId: "Asia/Shanghai" });
  const account = page.locator(".account");
  await account.getByText("imAdmin").waitFor();
  expect(await account.innerText()).toMatch(/until \d{4}-\d\d-\d\d \d\d:\d\d UTC\+8/);
});

it("asks before a link's token replaces the session's token", async () => {
  const { page, url, token } = await openConsole({ place: group, seen: "5,000 members" });
  const another = await signAdminToken({ secret, userID: "imAdmin", expiresInSeconds: 3_600 });
  const kept = () => page.evaluate(() => sessionStorage.getItem("im-admin-token"));
  // A dialog that closes is hidden at once, and decides a moment later. So the test waits for hidden ones, too.
  const dialog = page.getByRole("dialog", { name: "Sign in with the token in the link?", includeHidden: true });

  await page.goto(`${url}/console#token=${another}&place=/accounts`);
  await dialog.getByText("You are signed in as imAdmin.").waitFor();
  expect(page.url()).toBe(`${url}/console#/accounts`);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  expect(await kept()).toBe(token);

  await page.goto(`${url}/console#token=${another}&place=${group}`);
  await dialog.getByRole("button", { name: "Use the token in the link" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(await kept()).toBe(another);
});

it("signs in a new tab like the others, and signs all of them out together", async () => {
  const { page, url, token } = await openConsole({ place: group, seen: "5,000 members" });
  const other = await page.context().newPage();
  await other.goto(`${url}/console#/accounts`);
  await other.getByText("4 accounts").waitFor();
  await other.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("type"))).toBe("password");
  await page.keyboard.type(token);
  await page.keyboard.press("Enter");
  await page.getByText("5,000 members").waitFor();
  // The other tab gets the session again.
  await other.getByText("4 accounts").waitFor();
});

it("opens the group or the user with an ID, without the blanks around it, and says if there is neither", async () => {
  const { page } = await openConsole();
  await page.getByRole("heading", { name: "What do you want to see?" }).waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("2559217223");
  await page.keyboard.press("Enter");
  await page.getByText("5,000 members").waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.type(" 1000000007 ");
  await page.keyboard.press("Enter");
  await page.getByText("301 groups").waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("nobody");
  await page.keyboard.press("Enter");
  await page.getByText("No group and no user has the ID nobody").waitFor();
});

it("stays where the administrator has gone while it still looked for an ID", async () => {
  const { page } = await openConsole({ place: group, seen: "5,000 members" });
  const held = deferred<Route>();
  await page.route("**/get_joined_group_list", (route) =>
    route.request().postDataJSON().fromUserID === "1000000007" ? held.fulfil(route) : route.fallback(),
  );
  const sought = page.getByRole("combobox", field);
  await sought.fill("1000000007");
  await page.keyboard.press("Enter");
  const answer = await held.promise;
  await page.getByRole("link", { name: "Join requests" }).click();
  await page.getByRole("button", { name: "Pending" }).waitFor();
  await answer.fallback();
  await answer.request().response();
  await page.getByRole("link", { name: "Set conversations" }).click();
  await page.getByLabel("User IDs").waitFor();
  await page.goBack();
  await expect.poll(() => new URL(page.url()).hash).toBe(`#${group}/requests`);
});

it("asks which one to open if a group and a user have the same ID", async () => {
  const database = await databaseOf({
    users: [{ userID: "same", nickname: "Sam" }],
    groups: [{ groupID: "same", groupName: "Readers" }],
    groupMembers: [{ groupID: "same", userID: "same", roleLevel: 100 }],
  });
  const { page } = await openConsole({ database });
  await page.getByRole("combobox", field).fill("same");
  await page.keyboard.press("Enter");
  await page.getByText("There is a group and a user with this ID").waitFor();
  expect(await page.getByRole("listbox", field).getByRole("option").count()).toBe(2);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Sam" }).waitFor();
  await page.getByText("1 group", { exact: true }).waitFor();
});

it("offers recent groups and users by a part of their names, and keeps pinned ones", async () => {
  const { page, goTo } = await openConsole({ place: group });
  await page.getByRole("heading", { level: 1, name: "Everybody" }).waitFor();
  await page.getByRole("button", { name: "Pin" }).click();
  await goTo("/users/1000000007/groups");
  await page.getByRole("heading", { level: 1, name: "Ada Baker" }).waitFor();
  await page.reload();
  await goTo("/");
  const [start, side] = [page.getByRole("main"), page.getByRole("banner")];
  for (const part of [start, side]) {
    await part.getByRole("navigation", { name: "Pinned" }).getByRole("link", { name: "Everybody" }).waitFor();
    await part.getByRole("navigation", { name: "Recent" }).getByRole("link", { name: "Ada Baker" }).waitFor();
  }
  await page.getByRole("combobox", field).fill("every");
  expect(await page.getByRole("listbox", field).getByRole("option").count()).toBe(1);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByText("5,000 members").waitFor();

  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  const kept = await page.evaluate(() => [{ ...sessionStorage }, Object.keys(localStorage)]);
  expect(kept).toEqual([{}, [expect.stringMatching(/^im-admin-pinned http/)]]);
});

it("removes a group that does not exist from the recent ones", async () => {
  const { page, goTo } = await openConsole({ place: "/groups/404" });
  // The list and the heading ask on their own, and the heading removes it.
  const recent = page.getByRole("navigation", { name: "Recent" });
  await page.getByText("No such group: 404").waitFor();
  await recent.waitFor({ state: "detached" });
  await goTo("/users/405/groups", "No such user: 405");
  await recent.waitFor({ state: "detached" });
  await goTo("/", "Groups and users that you open appear here.");
});

it("knows the names of a group and a user after a reload, and in a link", async () => {
  const { page, goTo } = await openConsole({ place: `${group}?filter=2` });
  await page.getByRole("heading", { level: 1, name: "Everybody" }).waitFor();
  await page.reload();
  await page.getByRole("heading", { level: 1, name: "Everybody" }).waitFor();
  await expect.poll(() => page.title()).toMatch(/Everybody · im-admin$/);
  await goTo("/users/1000000007/blacklist");
  await page.getByRole("heading", { level: 1, name: "Ada Baker" }).waitFor();
  const tabs = page.getByRole("navigation", { name: "Lists of this user" });
  await expect
    .poll(() => tabs.innerText())
    .toMatch(/Joined groups\s+301\s+Join requests\s+140\s+pending\s+Blacklist\s+1/);
});

it("shows the pending requests of one group", async () => {
  const database = await databaseOf({
    users: ["owner", "ann", "ben", "eve"].map((userID) => ({ userID })),
    groups: [{ groupID: "g1" }, { groupID: "g2" }, { groupID: "g3" }],
    groupMembers: ["g1", "g2"].map((groupID) => ({ groupID, userID: "owner", roleLevel: 100 })),
    groupRequests: [
      { groupID: "g1", userID: "ann", reqTime: 1_700_000_000_000 },
      { groupID: "g1", userID: "ben", handleResult: 1, reqTime: 1_700_000_000_001 },
      { groupID: "g2", userID: "eve", reqTime: 1_700_000_000_002 },
    ],
  });
  const { page, sent, goTo } = await openConsole({ database, place: "/groups/g1" });
  await page.getByText("1 member", { exact: true }).waitFor();
  await page.getByRole("link", { name: "Join requests 1" }).click();
  await page.getByText("1 request", { exact: true }).waitFor();
  expect(new URL(page.url()).hash).toBe("#/groups/g1/requests");
  expect(sent("/get_recv_group_applicationList").at(-1)).toMatchObject({ fromUserID: "owner", groupIDs: ["g1"] });
  await page.getByRole("button", { name: "All 2" }).click();
  await page.getByText("2 requests", { exact: true }).waitFor();
  await goTo("/groups/g3/requests", "nobody receives its join requests");
  await goTo("/groups/g4/requests", "No such group: g4");
});

it("shows codes in words, groups the fields of nested objects, and has the JSON one click away", async () => {
  const { page } = await openConsole({ place: "/users/1000000007/requests", seen: "140 requests" });
  await page.locator('[aria-rowindex="2"] .name').click();
  const detail = page.locator(".detail");
  await detail.getByText("Pending (0)").waitFor();
  await detail.getByRole("heading", { name: "Applicant" }).waitFor();
  await detail.getByRole("heading", { name: "Group", exact: true }).waitFor();
  await detail.getByText("Raw JSON").click();
  expect(JSON.parse(await detail.locator("pre").innerText())).toMatchObject({ handleResult: 0 });
});

it("shows the time zone, the exact time, and names that are invisible or change the direction of text", async () => {
  const joinTime = 1_700_000_000_123;
  const userIDs = ["blank", "turned"];
  const database = await databaseOf({
    users: [
      { userID: "blank", nickname: " \u3164\u200b " },
      { userID: "turned", nickname: "\u202egnp.exe" },
    ],
    groups: [{ groupID: "g", groupName: "\u2067Readers" }],
    groupMembers: userIDs.map((userID) => ({ groupID: "g", userID, joinTime })),
  });
  const { page } = await openConsole({ database, place: "/groups/g", timezoneId: "Asia/Kolkata" });
  await page.getByRole("columnheader", { name: "Joined (Calcutta)" }).waitFor();
  const time = page.locator("time", { hasText: "2023-11-15 03:43" }).first();
  expect(await time.getAttribute("datetime")).toBe("2023-11-14T22:13:20.123Z");
  expect(await time.getAttribute("title")).toBe("2023-11-14T22:13:20.123Z · 1700000000123");
  expect(await page.locator("bdi.name").allInnerTexts()).toEqual(expect.arrayContaining(["(no name)", "gnp.exe"]));
  await page.getByRole("heading", { level: 1, name: "Readers" }).waitFor();
  await expect.poll(() => page.title()).toBe("Readers · im-admin");
});

it.each(["zh-TW", "zh-HK", "fr-FR"])(
  "speaks English, and no simplified Chinese, to a browser of %s",
  async (locale) => {
    const { page } = await openConsole({ locale });
    await page.getByRole("heading", { name: "What do you want to see?" }).waitFor();
  },
);

it("has a link past the menu for the keyboard", async () => {
  const { page } = await openConsole({ place: group, seen: "5,000 members" });
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("MAIN");
  expect(new URL(page.url()).hash).toBe(`#${group}`);
});

it("shows its label on each screen and in the title", async () => {
  const { page } = await openConsole({ flags: ["--title", "prod"], place: "/accounts" });
  await page.getByRole("banner").getByText("prod", { exact: true }).waitFor();
  await expect.poll(() => page.title()).toBe("Notification accounts · prod · im-admin");
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("main").getByText("prod", { exact: true }).waitFor();
});
