import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openSqliteStore } from "../../../src/stores/drivers/sqlite.js";
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
  return { database, add };
}

it.each([
  ["by a button", "button"],
  ["when somebody comes back to the window", "focus"],
  ["by the entry of the menu that leads where one is", "link"],
])("asks again for what is shown, and stays where it is: %s", async (_, way) => {
  const { database, add } = await world();
  const { page } = await openConsole({ database, place: "/groups/g1?row=200" });
  await page.getByText(/^Rows 200–\d+ of 300$/).waitFor();
  await add(301, 1);
  if (way === "button") await page.getByRole("button", { name: "Refresh" }).click();
  else if (way === "link") await page.getByRole("navigation", { name: "Recent" }).getByRole("link").click();
  else await page.evaluate(() => dispatchEvent(new Event("focus")));
  await page.getByText(/^Rows 200–\d+ of 301$/).waitFor();
  await page.getByText("301 members").waitFor();
  expect(new URL(page.url()).hash).toBe("#/groups/g1?row=200");
  expect(await page.locator(".bone").count()).toBe(0);
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
