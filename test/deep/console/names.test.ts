import { expect, it } from "vitest";
import { answerMembers, bodyOf, databaseOf, useConsole } from "../helpers/console/open.js";

const openConsole = useConsole();
const group = "2559217223";

it("keeps the name of a pinned group, however many other names become known, and after a sign-out", async () => {
  const { page, token, url, goTo } = await openConsole({ place: `/groups/${group}` });
  await answerMembers(page, 20_000);
  await expect.poll(() => page.locator("h1").innerText()).not.toBe(group);
  const name = await page.locator("h1").innerText();
  await page.getByRole("button", { name: "Pin" }).click();
  await goTo("/groups/large");
  await page.getByRole("columnheader", { name: "Select all" }).getByRole("checkbox").click();
  await page.getByRole("button", { name: "Copy IDs" }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();

  const pin = page.getByRole("banner").getByRole("navigation", { name: "Pinned" }).getByRole("link");
  await expect.poll(() => pin.innerText()).toContain(name);
  await goTo(`/groups/${group}`);
  await expect.poll(() => page.locator("h1").innerText()).toBe(name);
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.goto(`${url}/console#token=${token}`);
  await expect.poll(() => pin.innerText()).toContain(name);
  await page.reload();
  await expect.poll(() => pin.innerText()).toContain(name);
});

it("does not write to the browser's storage for each name that it reads", async () => {
  const { page, goTo } = await openConsole();
  await answerMembers(page, 20_000);
  await page.addInitScript(() => {
    const { setItem } = Storage.prototype;
    Object.assign(globalThis, { writes: 0 });
    Storage.prototype.setItem = function (this: Storage, ...given: [string, string]) {
      (globalThis as unknown as { writes: number }).writes += 1;
      return setItem.apply(this, given);
    };
  });
  await page.reload();
  await goTo("/groups/large");
  await page.locator('[aria-rowindex="2"] .name').waitFor();
  for (const row of [1_000, 5_000, 9_000]) {
    await goTo(`/groups/large?row=${row}`);
    await page.locator(`[aria-rowindex="${row + 1}"] .name`).waitFor();
  }
  expect(await page.evaluate(() => (globalThis as unknown as { writes: number }).writes)).toBeLessThan(10);
});

it("gives a name of 10,000 characters two lines of the heading", async () => {
  const { page, goTo } = await openConsole();
  const long = "name of a user who likes long names ".repeat(280);
  await page.route("**/get_group_member_list", (route) => {
    const members = [{ groupID: "g", userID: "u1", nickname: long, roleLevel: 20, joinTime: 0, muteEndTime: 0 }];
    return route.fulfill({ status: 200, body: bodyOf({ total: 1, members }) });
  });
  await goTo("/groups/g");
  await page.locator('[aria-rowindex="2"] .name').waitFor();
  await goTo("/users/u1/groups");
  await expect.poll(() => page.locator("h1").getAttribute("title")).toBe(long);
  const { height = 0 } = (await page.locator("h1").boundingBox()) ?? {};
  expect(height).toBeLessThan(100);
});

it("shows the heading when the server is back", async () => {
  const { page, goTo } = await openConsole();
  await page.route("**/get_*", (route) => route.abort());
  await goTo(`/groups/${group}`, "The server cannot be reached");
  expect(await page.locator("h1").innerText()).toBe(group);
  await page.unroute("**/get_*");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect.poll(() => page.locator("h1").innerText()).not.toBe(group);
});

it.each(["C", "en-US@posix", ""])("works in a browser whose language is called %j", async (tag) => {
  const { page, url, token } = await openConsole();
  await page.addInitScript((tag) => Object.defineProperty(Navigator.prototype, "language", { get: () => tag }), tag);
  await page.goto("about:blank");
  await page.goto(`${url}/console#token=${token}&place=/groups/${group}`);
  await page.getByText("5,000 members").waitFor();
});

it("goes on in the other parts where one part fails", async () => {
  const { page, goTo } = await openConsole({ error: "Error: no numbers" });
  await page.evaluate(() => {
    Object.defineProperty(Intl.NumberFormat.prototype, "format", {
      get() {
        throw new Error("no numbers");
      },
    });
  });
  await goTo(`/groups/${group}`, "This part of the page has failed. The others still work.");
  await page.getByRole("link", { name: "im-admin" }).click();
  await page.getByRole("heading", { level: 1 }).waitFor();
});

it("works in a browser without Intl.Segmenter", async () => {
  const { page, url, token } = await openConsole();
  await page.addInitScript(() => Reflect.deleteProperty(Intl, "Segmenter"));
  await page.goto("about:blank");
  await page.goto(`${url}/console#token=${token}&place=/groups/${group}`);
  await page.locator('[aria-rowindex="2"] .name').waitFor();
});

it("opens what Enter means: a name that one subject has, and one of several by choice", async () => {
  const database = await databaseOf({
    groups: [
      { groupID: "g1", groupName: "Readers" },
      { groupID: "g2", groupName: "Readers" },
      { groupID: "g3", groupName: "Writers" },
    ],
    users: [{ userID: "u1", nickname: "Ann" }],
    groupMembers: ["g1", "g2", "g3"].map((groupID) => ({ groupID, userID: "u1", roleLevel: 100 })),
  });
  const { page, goTo } = await openConsole({ database });
  for (const [id, name] of Object.entries({ g1: "Readers", g2: "Readers", g3: "Writers" })) {
    await goTo(`/groups/${id}`);
    await page.getByRole("heading", { level: 1, name }).waitFor();
  }
  const field = page.getByRole("combobox", { name: "Open a group or a user" });
  await field.fill("writ");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.url()).toContain("/groups/g3");

  await field.fill("readers");
  await page.keyboard.press("Enter");
  await page.getByText("Several names match: choose one").waitFor();
  expect(await page.locator(".open-list").getByRole("option").allInnerTexts()).toEqual([
    expect.stringMatching(/Readers\s*g2/),
    expect.stringMatching(/Readers\s*g1/),
  ]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.url()).toContain("/groups/g1");
});
