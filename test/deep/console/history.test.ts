import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page, Route } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { setConversations } from "../../../src/index.js";
import { openSqliteStore } from "../../../src/stores/drivers/sqlite.js";
import { deferred } from "../../helpers/deferred.js";
import { failureText } from "../../helpers/http/request.js";
import { temporaryFolder } from "../../helpers/stores.js";
import { bodyOf, confirmSetting, databaseOf, useConsole } from "../helpers/console/open.js";
import { violations } from "../helpers/console/violations.js";

const openConsole = useConsole();

/** The setting in a row of the history, from 1, the newest first. */
function settingIn(row: number) {
  return {
    settingID: `s${row}`,
    time: 1_700_000_000_000 - row * 60_000,
    adminUserID: row % 2 === 0 ? "imAdmin" : "<b>\u202ean admin",
    operationID: "always the same",
    conversationID: `sg_${row}`,
    conversationType: 3,
    groupID: `${row}`,
    fields: { recvMsgOpt: 2, isPinned: true },
    requests: 1,
    users: 3,
    changed: 2,
    outcome: "done",
  };
}

/** A history with these many settings. */
async function withHistory(
  total: number,
  {
    first = {},
    changed = oneRequest,
    onBack = (route: Route) => route.fulfill({ body: back(2) }),
    ...more
  } = {} as Fake,
  options: Parameters<typeof openConsole>[0] = {},
) {
  const opened = await openConsole(options);
  const { page } = opened;
  const { fields = settingIn(1).fields } = more;
  await page.route("**/im_admin/list_settings", (route) => {
    const { pageNumber, showNumber } = route.request().postDataJSON().pagination;
    const start = (pageNumber - 1) * showNumber;
    const rows = Array.from(
      { length: Math.max(0, Math.min(showNumber, total - start)) },
      (_, index) => start + index + 1,
    );
    const settings = rows.map((row) => ({ ...settingIn(row), ...(row === 1 && first) }));
    return route.fulfill({ body: bodyOf({ total, settings, ...(more.isMore && { isMore: true }) }) });
  });
  await page.route("**/im_admin/read_setting", (route) =>
    route.fulfill({ body: bodyOf({ changed: changed(route.request().postDataJSON().request), fields }) }),
  );
  await page.route("**/im_admin/set_back", (route) => onBack(route));
  await page.reload();
  const name = /^(History|历史记录)$/;
  await page.getByRole("banner").getByRole("link", { name }).click();
  const settings = page.getByRole("table", { name, exact: true }).locator("> tbody > tr");
  await settings.first().waitFor();
  return { ...opened, settings };
}

interface Fake {
  /** What is special about the newest setting. */
  first?: object;
  /** What it has set, with whole texts. */
  fields?: object;
  isMore?: boolean;
  changed?: (request: number) => object[] | null;
  onBack?: (route: Route) => Promise<void>;
}

const oneRequest = () => [
  { before: { recvMsgOpt: 0, isPinned: false }, userIDs: ["u1"] },
  { before: { recvMsgOpt: 1, isPinned: false }, userIDs: ["<i>u2"] },
];

const back = (changed: number, leftAlone = 0, gone = 0) => bodyOf({ changed, leftAlone, gone });

/** Opens the details of a setting, from 1. */
async function openDetails(page: Page, row = 1): Promise<void> {
  await page
    .getByRole("button", { name: "Details" })
    .nth(row - 1)
    .click();
}

async function confirm(page: Page, users: string): Promise<void> {
  await page.getByRole("button", { name: "Set back", exact: true }).click();
  await page.getByRole("button", { name: `Set back for ${users}` }).click();
}

const tasks = (page: Page) => page.getByRole("region", { name: "Tasks" });

it("waits for users who had a value each, however long that takes", async () => {
  const answered = deferred<() => Promise<void>>();
  const { page } = await withHistory(1, {
    onBack: async (route) => answered.fulfil(() => route.fulfill({ body: back(2) })),
  });
  await openDetails(page);
  await page.getByRole("table", { name: "Before" }).waitFor();
  await page.getByRole("button", { name: "Set back", exact: true }).click();
  // Half a minute is over at once.
  await page.evaluate(() => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    AbortSignal.timeout = (time) => timeout(time <= 30_000 ? 0 : time);
  });
  await page.getByRole("button", { name: "Set back for 2 users" }).click();
  const answer = await answered.promise;
  expect(await page.getByRole("alert").count()).toBe(0);
  await answer();
  await tasks(page).getByText("2 users were set back.").waitFor();
});

it("shows what was there before requests that join a setting later", async () => {
  const first = { requests: 1, users: 2, changed: 2 };
  const { page } = await withHistory(1, { first });
  await openDetails(page);
  const kinds = page.getByRole("table", { name: "Before" }).locator("tbody tr");
  await kinds.getByText("1 user").nth(1).waitFor();
  Object.assign(first, { requests: 2, users: 4, changed: 4 });
  await page.getByRole("button", { name: "Refresh" }).click();
  await kinds.getByText("2 users").nth(1).waitFor();
  expect(await page.getByText("requests are read").count()).toBe(0);
});

it("sets back, from its result, what was just set for more users than one request takes", async () => {
  const userIDs = Array.from({ length: 10_002 }, (_, index) => `u${index + 1}`);
  const database = await databaseOf({
    users: [...userIDs.map((userID) => ({ userID })), { userID: "imAdmin", appMangerLevel: 2 }],
    groups: [{ groupID: "g1", groupName: "Readers" }],
  });
  const store = openSqliteStore({ path: database });
  onTestFinished(() => store.close());
  const set = (userID: string, fields: { recvMsgOpt: 1 | 2 }) =>
    setConversations(store, {
      userIDs: [userID],
      conversation: { conversationID: "sg_g1", conversationType: 3, groupID: "g1", ...fields },
    });
  await set("u1", { recvMsgOpt: 1 });
  await set("u2", { recvMsgOpt: 2 });
  const flags = ["--history", join(temporaryFolder(), "history.ndjson")];
  const { page } = await openConsole({ database, flags, place: "/conversations/g1", seen: "no user is listed yet" });
  await page.getByLabel("User IDs").focus();
  await page.evaluate((text) => navigator.clipboard.writeText(text), userIDs.join("\n"));
  await page.keyboard.press("Control+V");
  await page.getByRole("checkbox", { name: "Messages" }).check();
  await confirmSetting(page, "10,002");
  await page.getByText("Done: the conversation is set for 10,002 users").waitFor();
  await set("u3", { recvMsgOpt: 1 });

  await page.getByRole("link", { name: "Set back" }).click();
  await page.getByText("10,001 of 10,002 users changed").waitFor();
  const table = page.getByRole("table", { name: "Before" });
  await table.getByText("10,000 users").waitFor();
  expect(await table.locator("tbody tr").allInnerTexts()).toEqual([
    expect.stringMatching(/^Messages: Normal: notification\s+Messages: Mute: no notification\s+10,000 users/),
    expect.stringMatching(/^Messages: Block: not received\s+Messages: Mute: no notification\s+1 user/),
  ]);
  await confirm(page, "10,001 users");
  await tasks(page).getByText("10,000 users were set back. 1 user was left alone, having changed since.").waitFor();
  await tasks(page).getByText("Set back: Readers").waitFor();
  await page.getByText("2 settings").waitFor();
  const values = await Promise.all(["u1", "u2", "u3", "u10002"].map((userID) => store.conversations(userID)));
  expect(values.map(([conversation]) => conversation?.recvMsgOpt)).toEqual([1, 2, 1, 0]);

  // What was set back says so, and does not offer it again.
  await page.getByRole("link", { name: "Set back by imAdmin" }).waitFor();
  expect(await page.getByRole("button", { name: "Set back", exact: true }).count()).toBe(0);
  await page.getByRole("button", { name: "Download the users as CSV" }).waitFor();

  // Setting back can be set back, too. It says what it has set back.
  await page.getByRole("link", { name: "Set back by imAdmin" }).click();
  await page.getByRole("link", { name: /^Sets back that of \d{4}-\d\d-\d\d \d\d:\d\d$/ }).waitFor();
  await confirm(page, "10,000 users");
  await tasks(page).getByText("10,000 users were set back.", { exact: true }).waitFor();
  expect((await store.conversations("u1"))[0]?.recvMsgOpt).toBe(2);
});

it("opens a setting at its address and from its result, however many have come since, and goes up with Older", async () => {
  const flags = ["--history", join(temporaryFolder(), "history.ndjson")];
  const { page, url, token, goTo } = await openConsole({
    flags,
    place: "/conversations/2559217223?user=1001800006",
    seen: "What will change",
  });
  await page.getByRole("checkbox", { name: "Pinned to the top" }).check();
  await page.getByRole("button", { name: "Set for 1 user" }).click();
  const link = page.getByRole("link", { name: "Set back" });
  await link.waitFor();
  for (let index = 0; index < 70; index++) {
    const conversation = {
      conversationID: "sg_2559217223",
      conversationType: 3,
      groupID: "2559217223",
      ex: `${index}`,
    };
    await fetch(`${url}/conversation/set_conversations`, {
      method: "POST",
      headers: { token, operationID: `later ${index}` },
      body: JSON.stringify({ userIDs: ["1001800006"], conversation }),
    });
  }
  await link.click();
  const named = page.getByRole("table", { name: "The setting that the address names" });
  await named.getByRole("button", { name: "Set back", exact: true }).waitFor();
  await page.getByText("71 settings").waitFor();
  const open = /open=([^&]+)/.exec(page.url())?.[1] ?? "";
  expect(open).toMatch(/^[0-9a-f-]{36}$/);
  await goTo(`/history?open=${open}`);
  await page.reload();
  await named.getByRole("table", { name: "Before" }).getByText("Pinned to the top: No").waitFor();

  await goTo("/history?row=1", "71 settings");
  const top = () => page.evaluate(() => document.querySelector("main")?.scrollTop);
  await page.getByRole("button", { name: "Older" }).click();
  await page.getByText("Rows 51–71 of 71").waitFor();
  await expect.poll(top).toBe(0);
  await openDetails(page, 21);
  await page.getByRole("button", { name: "Set back", exact: true }).waitFor();
  await goTo("/history?open=nothing", "No such record");
});

it("filters by group, user, administrator, day and field, each in the address, and from a group and a user", async () => {
  const { page, url, sent, goTo } = await withHistory(3);
  const filter = () => {
    const { pagination: _, ...rest } = sent("/list_settings").at(-1) ?? {};
    return rest;
  };
  for (const [label, typed, address, asked] of [
    ["Group or conversation ID", " 1 ", "conversation=sg_1", { conversationID: "sg_1" }],
    ["User ID", "u1", "user=u1", { userID: "u1" }],
    ["Administrator's ID", "imAdmin", "admin=imAdmin", { adminUserID: "imAdmin" }],
  ] as const) {
    await goTo("/history", "3 settings");
    await page.getByLabel(label, { exact: true }).fill(typed);
    await page.keyboard.press("Enter");
    await expect.poll(filter).toEqual(asked);
    expect(page.url()).toBe(`${url}/console#/history?${address}`);
  }
  await page.getByLabel("Group or conversation ID").fill("si_a_b");
  await page.keyboard.press("Enter");
  await expect.poll(filter).toEqual({ conversationID: "si_a_b", adminUserID: "imAdmin" });
  await goTo("/history", "3 settings");
  await page.getByLabel("Day").fill("2028-03-01");
  const since = await page.evaluate(() => new Date(2028, 2, 1).getTime());
  await expect.poll(filter).toEqual({ since, until: since + 86_400_000 });
  await page.getByLabel("Field").selectOption("Pinned to the top");
  await expect.poll(filter).toEqual({ since, until: since + 86_400_000, field: "isPinned" });
  expect(page.url()).toBe(`${url}/console#/history?day=2028-03-01&field=isPinned`);
  await page.reload();
  await expect.poll(filter).toEqual({ since, until: since + 86_400_000, field: "isPinned" });
  await goTo("/history?day=someday", "3 settings");
  await expect.poll(filter).toEqual({});

  await goTo("/groups/2559217223", "5,000 members");
  await page.getByRole("navigation", { name: "Lists of this group" }).getByRole("link", { name: "History" }).click();
  await expect.poll(filter).toEqual({ conversationID: "sg_2559217223" });
  await goTo("/users/1001800006/groups", "groups");
  await page.getByRole("navigation", { name: "Lists of this user" }).getByRole("link", { name: "History" }).click();
  await expect.poll(filter).toEqual({ userID: "1001800006" });
});

it("says that nothing fits, and shows all again", async () => {
  const { page } = await withHistory(1);
  await page.route("**/list_settings", (route) =>
    route.request().postDataJSON().userID
      ? route.fulfill({ body: bodyOf({ total: 0, settings: [] }) })
      : route.fallback(),
  );
  await page.getByLabel("User ID").fill("nobody");
  await page.keyboard.press("Enter");
  await page.getByText("Nothing matches").waitFor();
  await page.getByRole("button", { name: "Clear search and filter" }).click();
  await page.getByText("1 setting").waitFor();
});

it("marks what was stopped, cut off or not counted, and copies whole texts", async () => {
  const whole = "x".repeat(65_536);
  const { page, settings, copied } = await withHistory(1, {
    isMore: true,
    first: {
      operationID: "console-1700000000000-abc-of-50000",
      users: 20_000,
      changed: 1,
      fields: { ex: whole.slice(0, 256) },
      cut: ["ex"],
    },
    fields: { ex: whole },
  });
  await page.getByText("1 or more settings").waitFor();
  const text = await settings.first().innerText();
  expect(text).toContain("20,000 of 50,000");
  expect(text).not.toContain("Done");
  expect(text).toMatch(/x… \(cut off\)/);
  await openDetails(page);
  await page.getByRole("button", { name: "Copy all of “Extension field (ex)”" }).click();
  await expect.poll(copied).toBe(whole);
});

it("says how many of the users a stopped setting has reached", async () => {
  const userIDs = Array.from({ length: 10_001 }, (_, index) => `u${index + 1}`);
  const database = await databaseOf({
    users: [...userIDs.map((userID) => ({ userID })), { userID: "imAdmin", appMangerLevel: 2 }],
    groups: [{ groupID: "g1" }],
  });
  const flags = ["--history", join(temporaryFolder(), "history.ndjson")];
  const { page } = await openConsole({ database, flags, place: "/conversations/g1", seen: "no user is listed yet" });
  await page.getByLabel("User IDs").focus();
  await page.evaluate((text) => navigator.clipboard.writeText(text), userIDs.join("\n"));
  await page.keyboard.press("Control+V");
  await page.getByRole("checkbox", { name: "Messages" }).check();
  const held = deferred<Route>();
  await page.route("**/set_conversations", (route) => held.fulfil(route), { times: 1 });
  await confirmSetting(page, "10,001");
  await held.promise;
  await page.locator(".result").getByRole("button", { name: "Stop" }).click();
  await (await held.promise).continue();
  await page.getByRole("link", { name: "Set back" }).click();
  await page.getByText("10,000 of 10,001", { exact: true }).waitFor();
});

it("keeps the way to the history after one of two answers has not come", async () => {
  const { page, goTo } = await openConsole({ place: "/history" });
  const held = deferred<Route>();
  await page.route("**/im_admin/list_settings", (route) =>
    route.request().postDataJSON().pagination.showNumber === 1
      ? held.fulfil(route)
      : route.fulfill({ body: bodyOf({ total: 1, settings: [settingIn(1)] }) }),
  );
  await page.reload();
  await page.getByRole("link", { name: "1", exact: true }).waitFor();
  await (await held.promise).abort();
  await goTo("/accounts", "4 accounts");
  await page.getByRole("banner").getByRole("link", { name: "History" }).click();
  await page.getByRole("link", { name: "1", exact: true }).waitFor();
});

it("shows who has set what, when and for how many, page after page of 10,000 settings", async () => {
  const { page, url, settings, sent } = await withHistory(10_000, { first: { outcome: "failed", setsBack: "s7" } });
  await page.getByText("10,000 settings").waitFor();
  expect(await settings.count()).toBe(50);
  await page.getByRole("columnheader", { name: /^Time \(.+\)$/ }).waitFor();
  const cells = (row: number) => settings.nth(row).locator("> td").allInnerTexts();
  expect((await cells(0)).map((text) => text.trim())).toEqual([
    expect.stringMatching(/^2023-11-14 \d\d:\d\d$/),
    "<b>an admin",
    "1",
    expect.stringMatching(/^Sets back that of 2023-11-14 \d\d:\d\d$/),
    "2 of 3 users changed",
    "Failed",
    "Details",
  ]);
  expect(await violations(page)).toEqual([]);
  expect((await cells(1))[3]).toMatch(/^Messages: Mute: no notification\s+Pinned to the top: Yes$/);

  await page.getByRole("button", { name: "Older" }).click();
  await page.getByText("Rows 51–100 of 10,000").waitFor();
  await settings.first().getByText("51", { exact: true }).waitFor();
  expect(page.url()).toBe(`${url}/console#/history?row=51`);
  await page.goto(`${url}/console#/history?row=10000`);
  await page.getByText("Rows 9,951–10,000 of 10,000").waitFor();
  expect(await page.getByRole("button", { name: "Older" }).isDisabled()).toBe(true);
  // While another page is read, the page says which settings it shows.
  const held = deferred<Route>();
  await page.route("**/im_admin/list_settings", (route) => held.fulfil(route), { times: 1 });
  await page.goto(`${url}/console#/history?row=4001`);
  const last = await held.promise;
  await page.getByText("Rows 9,951–10,000 of 10,000").waitFor();
  await last.fallback();
  await page.getByText("Rows 4,001–4,050 of 10,000").waitFor();
  await settings.first().getByText("4001", { exact: true }).waitFor();
  // Behind the last setting, it shows the last ones.
  await page.goto(`${url}/console#/history`);
  await page.getByText("Rows 1–50 of 10,000").waitFor();
  await page.goto(`${url}/console#/history?row=2000000000`);
  await page.getByText("Rows 9,951–10,000 of 10,000").waitFor();
  const asked = sent("/list_settings").at(-1)?.["pagination"];
  expect(asked).toEqual({ pageNumber: 200, showNumber: 50 });
});

it("shows what was there before, with names where known, at an address of its own", async () => {
  const { page, url } = await withHistory(2);
  await openDetails(page);
  const table = page.getByRole("table", { name: "Before" });
  await table.getByText("Block: not received").waitFor();
  expect(await table.locator("tbody tr").count()).toBe(2);
  await table.getByText("1 user").nth(1).click();
  expect(await table.getByRole("link", { name: "<i>u2" }).getAttribute("href")).toBe("#/users/%3Ci%3Eu2/groups");
  expect(page.url()).toBe(`${url}/console#/history?open=s1`);
  expect(await violations(page)).toEqual([]);
  await page.reload();
  await table.getByText("Block: not received").waitFor();
  await page.goBack();
  await table.waitFor({ state: "detached" });
});

it("sets back after one confirmation, and says whom it has left alone", async () => {
  const { page, sent } = await withHistory(2, { onBack: (route) => route.fulfill({ body: back(1, 1_000, 2) }) });
  await openDetails(page);
  await page.getByRole("button", { name: "Set back", exact: true }).click();
  await page.getByText("This gives back to 2 users what was there before.").waitFor();
  expect(sent("/set_back")).toEqual([]);
  await page.getByRole("button", { name: "Cancel" }).click();
  expect(await page.getByRole("button", { name: "Set back for 2 users" }).count()).toBe(0);
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Download the users as CSV");
  await confirm(page, "2 users");
  const text = "1 user was set back. 1,000 users were left alone, having changed since. 2 users are gone.";
  await tasks(page).getByText(text).waitFor();
  expect(sent("/set_back")).toEqual([{ settingID: "s1", request: 0 }]);
});

it("sets 1,000,000 users back from the last request to the first, and goes on after a failure", async () => {
  const userIDs = (request: number) => Array.from({ length: 10_000 }, (_, index) => `u${request}-${index}`);
  let isBroken = true;
  const { page, sent, goTo } = await withHistory(1, {
    first: { requests: 100, users: 1_000_000, changed: 1_000_000 },
    changed: (request) => [{ before: { recvMsgOpt: request % 2, isPinned: false }, userIDs: userIDs(request) }],
    onBack: (route) =>
      isBroken && route.request().postDataJSON().request === 50
        ? route.fulfill({ body: failureText(500, "ServerInternalError") })
        : route.fulfill({ body: back(10_000) }),
  });
  await openDetails(page);
  await page.getByText("500,000 users").nth(1).waitFor();
  await page.getByText("requests are read").waitFor({ state: "detached" });
  await page.getByText("500,000 users").first().click();
  await page.getByText("and 499,950 more, in the download").first().waitFor();

  await confirm(page, "1,000,000 users");
  await tasks(page).getByText("The server failed").waitFor();
  isBroken = false;
  await goTo("/accounts", "4 accounts");
  await tasks(page).getByRole("button", { name: "Go on" }).click();
  await tasks(page).getByText("1,000,000 users were set back.").waitFor();
  const requests = sent("/set_back").map(({ request }) => request);
  const down = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, index) => from - index);
  expect(requests).toEqual([...down(99, 50), ...down(50, 0)]);
});

it("saves all users with what was there before", async () => {
  const { page } = await withHistory(1, {
    first: { requests: 3, users: 2_500, changed: 2_500 },
    changed: (request) =>
      [0, 1].map((value) => ({
        before: { recvMsgOpt: value, ex: "=1+1" },
        userIDs: Array.from({ length: [700, 1, 549][request] ?? 0 }, (_, index) => `u${request}-${value}-${index}`),
      })),
  });
  await openDetails(page);
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download the users as CSV" }).click();
  const lines = readFileSync(await (await saved).path(), "utf8").split("\r\n");
  expect(lines.slice(0, 2)).toEqual(["\ufeffuserID,recvMsgOpt,ex", "u0-0-0,0,'=1+1"]);
  expect(lines.at(-2)).toBe("u2-1-548,1,'=1+1");
  expect(new Set(lines).size).toBe(2_502);
});

it("tells at most twenty kinds of earlier values apart", async () => {
  const { page } = await withHistory(1, {
    changed: () =>
      Array.from({ length: 1_000 }, (_, index) => ({ before: { ex: `e${index}` }, userIDs: [`u${index}`] })),
  });
  await openDetails(page);
  await page.getByText("980 users had other values, which are in the download.").waitFor();
  expect(await page.getByRole("table", { name: "Before" }).locator("tbody tr").count()).toBe(20);
});

it("asks before a reload ends what is under way, and can do the rest later", async () => {
  const late = deferred<Route>();
  const { page } = await withHistory(1, {
    first: { requests: 2 },
    onBack: async (route) => late.fulfil(route),
  });
  await openDetails(page);
  await confirm(page, "2 users");
  await late.promise;
  const asked = page.waitForEvent("dialog");
  const reloaded = page.reload();
  await (await asked).accept();
  await reloaded;
  await page.getByRole("button", { name: "Set back", exact: true }).waitFor();
  expect(await tasks(page).count()).toBe(0);
});

it("does not offer to set back where nothing has changed", async () => {
  const { page } = await withHistory(1, { first: { changed: 0 }, changed: () => [] });
  await page.getByText("0 of 3 users changed").waitFor();
  await openDetails(page);
  await page.locator(".details").getByText("Pinned to the top: Yes").waitFor();
  expect(await page.getByRole("button", { name: "Set back" }).count()).toBe(0);
});

it("says what is not known of a request, and sets back the others", async () => {
  const { page } = await withHistory(1, {
    first: { requests: 3, outcome: "unknown" },
    changed: () => null,
    onBack: (route) =>
      route.request().postDataJSON().request === 1
        ? route.fulfill({ body: failureText(1001, "ArgsError") })
        : route.fulfill({ body: back(1) }),
  });
  await openDetails(page);
  await page.getByText("It is not known what was there before").waitFor();
  await confirm(page, "2 users");
  await tasks(page).getByText("2 users were set back. What was there before 1 request is not known.").waitFor();
});

it("says why the history does not come, and asks again", async () => {
  const { page } = await withHistory(1);
  await page.route("**/im_admin/list_settings", (route) => route.abort());
  await page.getByRole("button", { name: "Refresh" }).click();
  await page.getByText("The server cannot be reached").waitFor();
  await page.unroute("**/im_admin/list_settings");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("This server keeps no history").waitFor();
});

it.each([
  ["light", { colorScheme: "light" }],
  ["dark", { colorScheme: "dark" }],
  ["forced colours", { forcedColors: "active" }],
  ["Chinese", { locale: "zh-CN" }],
] as const)(
  "fits into windows of any width, whatever was set by whom, and leaves nothing for axe to find: %s",
  async (_, options) => {
    const long = "w".repeat(64);
    const hostile = { conversationID: long, adminUserID: long, groupID: long, fields: { ex: "x".repeat(65_536) } };
    const { page, settings } = await withHistory(
      60,
      { first: hostile, changed: () => [{ before: { ex: "y".repeat(65_536) }, userIDs: [long] }] },
      options,
    );
    await settings.first().getByRole("button").click();
    await page.locator("summary").click();
    const texts = await settings.allInnerTexts();
    expect(texts.slice(0, 2).join("").length).toBeLessThan(2_000);
    for (const width of [320, 375, 640, 768, 1280, 2560]) {
      await page.setViewportSize({ width, height: 800 });
      const wide = await page.evaluate(() =>
        [document.documentElement, document.querySelector("main")].some(
          (part) => (part?.scrollWidth ?? 0) > innerWidth,
        ),
      );
      expect([width, wide]).toEqual([width, false]);
      expect([width, await violations(page)]).toEqual([width, []]);
    }
  },
);
