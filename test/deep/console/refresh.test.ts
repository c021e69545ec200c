import { join } from "node:path";
import type { Route } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { openSqliteStore } from "../../../src/stores/drivers/sqlite.js";
import { deferred } from "../../helpers/deferred.js";
import { temporaryFolder } from "../../helpers/stores.js";
import { useConsole } from "../helpers/console/open.js";

const openConsole = useConsole();

/** A group of 300 members in a file, and a function that adds another. */
async function world() {
  const database = join(temporaryFolder(), "im.db");
  const store = openSqliteStore({ path: database });
  onTestFinished(() => store.close());
  const add = async (from: number, count: number) => {
    const ids = Array.from({ length: count }, (_, index) => `u${String(from + index).padStart(4, "0")}`);
    await store.put({
      users: ids.map((userID) => ({ userID })),
      groupMembers: ids.map((userID, index) => ({ groupID: "g1", userID, roleLevel: 20, joinTime: from + index })),
    });
  };
  await store.put({ users: [{ userID: "imAdmin", appMangerLevel: 2 }], groups: [{ groupID: "g1", groupName: "One" }] });
  await add(1, 300);
  return { database, add, store };
}

it.each([
  ["by a button", "button"],
  ["when somebody comes back to the window", "focus"],
  ["by the entry of the menu that leads where one is", "link"],
])("asks again for what is shown, and stays where it is: %s", async (_, way) => {
  const { database, add } = await world();
  const { page } = await openConsole({ database, place: "/groups/g1?row=200" });
  await page.getByText(/^Rows 200–\d+ of 300$/).waitFor();
  await expect.poll(() => page.locator(".bone").count()).toBe(0);
  await add(301, 1);
  if (way === "button") await page.getByRole("button", { name: "Refresh" }).click();
  else if (way === "link") await page.getByRole("navigation", { name: "Recent" }).getByRole("link").click();
  else await page.evaluate(() => dispatchEvent(new Event("focus")));
  await page.getByText(/^Rows 200–\d+ of 301$/).waitFor();
  await page.getByText("301 members").waitFor();
  expect(new URL(page.url()).hash).toBe("#/groups/g1?row=200");
  expect(await page.locator(".bone").count()).toBe(0);
});

it("asks again although an earlier answer is still on its way", async () => {
  const { database, add } = await world();
  const { page } = await openConsole({ database, place: "/groups/g1", seen: "300 members" });
  const held = deferred<Route>();
  let isHeld = false;
  await page.route("**/get_group_member_list", (route) => {
    if (isHeld || route.request().postDataJSON().pagination.showNumber !== 50) return route.fallback();
    isHeld = true;
    return held.fulfil(route);
  });
  const button = page.getByRole("button", { name: "Refresh" });
  await button.click();
  const early = await held.promise;
  const answer = await early.fetch();
  await add(301, 1);
  await button.click();
  await early.fulfill({ response: answer });
  await page.getByText("301 members").waitFor();
});

it("takes no click on a row that has moved away meanwhile", async () => {
  const { database, store } = await world();
  const { page } = await openConsole({ database, place: "/groups/g1", seen: "300 members" });
  const row = page.locator('[aria-rowindex="3"]');
  for (const [index, part] of ["[type=checkbox]", ".name"].entries()) {
    await row
      .getByText(`u000${index + 2}`)
      .first()
      .waitFor();
    await row.locator(part).hover();
    await page.mouse.down();
    // The first click into a window is also what refreshes it.
    await store.remove({ groupMembers: [{ groupID: "g1", userID: `u000${index + 1}` }] });
    await page.evaluate(() => dispatchEvent(new Event("focus")));
    await row
      .getByText(`u000${index + 3}`)
      .first()
      .waitFor();
    await page.mouse.up();
  }
  expect(await page.getByText("selected").count()).toBe(0);
  expect(await page.locator(".detail").count()).toBe(0);
});

it("shows what has changed in the rows in view", async () => {
  const { page } = await openConsole({ place: "/users/1000000007/requests", seen: "140 requests" });
  await page.route("**/get_recv_group_applicationList", async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    for (const request of body.data.groupRequests) request.reqMsg = "changed meanwhile";
    await route.fulfill({ response, json: body });
  });
  await page.getByRole("button", { name: "Refresh" }).click();
  await page.locator('[aria-rowindex="2"]').getByText("changed meanwhile").waitFor();
  await page.getByText("140 requests").waitFor();
});
