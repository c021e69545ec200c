import { expect, it } from "vitest";
import { bodyOf, databaseOf, useConsole } from "../helpers/console/open.js";

const openConsole = useConsole();
const group = "/groups/2559217223";

/** A group whose owner has joined more than a thousand others since. */
function busyOwner(): Promise<string> {
  const others = Array.from({ length: 1_100 }, (_, index) => `g${index}`);
  return databaseOf({
    users: [
      { userID: "boss", nickname: "Rosa Busy" },
      { userID: "ann", nickname: "Ann" },
      { userID: "imAdmin", appMangerLevel: 2 },
    ],
    groups: [
      { groupID: "first", groupName: "The first group", status: 3, createTime: 1_687_760_824_107 },
      ...others.map((groupID) => ({ groupID })),
    ],
    groupMembers: [
      ...["first", ...others].map((groupID, index) => ({
        groupID,
        userID: "boss",
        roleLevel: 100,
        joinTime: index + 1,
      })),
      { groupID: "first", userID: "ann", roleLevel: 20 },
    ],
  });
}

it("names a group at once whose owner is in more than a thousand groups", async () => {
  const { page, sent } = await openConsole({ database: await busyOwner(), place: "/groups/first" });
  await page.getByRole("heading", { level: 1, name: "The first group" }).waitFor();
  await page.locator(".facts").getByText("Muted").waitFor();
  await page.locator(".facts").getByRole("link", { name: "Rosa Busy" }).waitFor();
  await page.locator(".facts").getByText("2023-06-26").waitFor();
  await page.getByRole("navigation", { name: "Lists of this group" }).getByText("Members 2").waitFor();
  expect(sent("/get_joined_group_list")).toEqual([]);
});

it("names it from its members' groups at a server that tells no names", async () => {
  const { page, goTo } = await openConsole();
  for (const answer of [
    { status: 404, body: "404 page not found" },
    { status: 200, body: bodyOf({}) },
  ]) {
    await page.goto("about:blank");
    await page.route("**/get_names", (route) => route.fulfill(answer));
    await goTo(group);
    await page.getByRole("heading", { level: 1, name: "全员群 Everybody" }).waitFor();
    await page.locator(".facts").getByText("Created").waitFor();
    await page.unroute("**/get_names");
  }
});

it("names users that only other records name", async () => {
  const { page } = await openConsole({ database: await busyOwner(), place: "/users/ann/groups", seen: "1 group" });
  await page.locator('[aria-rowindex="2"]').getByText("Rosa Busy").waitFor();
});

it("calls a user the same everywhere, whatever the user is called in a group", async () => {
  const database = await databaseOf({
    users: [
      { userID: "ann", nickname: "Ann" },
      { userID: "imAdmin", appMangerLevel: 2 },
    ],
    groups: [{ groupID: "g1" }],
    groupMembers: [{ groupID: "g1", userID: "ann", nickname: "Boss of the group", roleLevel: 100 }],
  });
  const { page } = await openConsole({ database, place: "/groups/g1", seen: "1 member" });
  await page.locator('[aria-rowindex="2"]').getByText("Boss of the group").waitFor();
  await page.locator(".facts").getByRole("link", { name: "Ann", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Ann", exact: true }).waitFor();
  await page.locator('[aria-rowindex="2"]').getByText("Ann", { exact: true }).waitFor();
});

it.each([`${group}/requests`, "/users/1000000007/requests", group])("asks each question once: %s", async (place) => {
  const { page, goTo } = await openConsole();
  await page.goto("about:blank");
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") asked.push(`${request.url()} ${request.postData()}`);
  });
  await goTo(place);
  await page.locator(".tabs .waiting, .tabs .count").nth(1).waitFor();
  await page.waitForLoadState("networkidle");
  expect(asked.filter((one, index) => asked.indexOf(one) < index)).toEqual([]);
  // Names that become wanted later are another question.
  expect(asked.length).toBeLessThan(12);
});

it.each([429, 503])("waits as long as the server asks, and then shows the list: %i", async (status) => {
  const { page, goTo } = await openConsole();
  let refused = 0;
  await page.route("**/get_group_member_list", (route) => {
    if (route.request().postDataJSON().pagination.showNumber !== 50 || refused > 1) return route.continue();
    refused += 1;
    return route.fulfill({ status, headers: { "retry-after": "1" }, body: "slow down" });
  });
  await goTo(group, "5,000 members");
  expect([refused, await page.getByRole("alert").count()]).toEqual([2, 0]);
});

it("says that the server asks to wait, if it does not say how long", async () => {
  const { page, goTo } = await openConsole();
  await page.route("**/get_group_member_list", (route) => route.fulfill({ status: 429, body: "slow down" }));
  await goTo(group, "The server asks to wait");
  await page.getByText("It answered HTTP 429. Try again in a while.").waitFor();
  await page.unroute("**/get_group_member_list");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("5,000 members").waitFor();
});

it("goes on by itself when the network is back", async () => {
  const { page } = await openConsole({ place: group, seen: "5,000 members" });
  await page.context().setOffline(true);
  await page.getByLabel("Number of the row").fill("3000");
  await page.getByRole("button", { name: "Go", exact: true }).click();
  await page.getByText("The server cannot be reached").waitFor();
  await page.context().setOffline(false);
  await page.locator('[aria-rowindex="3001"] .name').waitFor();
  expect(await page.getByRole("alert").count()).toBe(0);
});
