import { expect, it } from "vitest";
import { databaseOf, useConsole } from "../helpers/console/open.js";

const openConsole = useConsole();

/** Three groups, of which two have members named Ipek. */
const world = () =>
  databaseOf({
    users: [
      { userID: "u1", nickname: "Ipek" },
      { userID: "u2", nickname: "\u0130pek" },
      { userID: "u3", nickname: "Ipek <b>Kaya</b>" },
      { userID: "u4", nickname: "Olga" },
    ],
    groups: [
      { groupID: "readers", groupName: "Readers" },
      { groupID: "runners", groupName: "Runners" },
      { groupID: "g3" },
    ],
    groupMembers: [
      { groupID: "readers", userID: "u1" },
      { groupID: "readers", userID: "u3" },
      { groupID: "runners", userID: "u2" },
      { groupID: "runners", userID: "u4" },
      { groupID: "g3", userID: "u4" },
    ],
  });

const onlyInGroups = "The server finds users by name only within a group.";

it("says where users can be searched, and searches the pinned groups", async () => {
  const { page, goTo, sent } = await openConsole({ database: await world(), place: "/groups/g3?keyword=ipek" });
  await page.getByText(onlyInGroups).waitFor();
  await page.getByText("Pin groups to search all of them from here.").waitFor();
  for (const name of ["Readers", "Runners"]) {
    await goTo(`/groups/${name.toLowerCase()}`);
    await page.getByRole("heading", { level: 1, name }).waitFor();
    await page.getByRole("button", { name: "Pin" }).click();
  }
  await goTo("/groups/g3?keyword=ipek");
  await page.getByText("It takes capital and small letters for the same only from A to Z.").waitFor();
  const before = sent("/get_group_member_list").length;
  await page.getByRole("button", { name: "Search in 2 pinned groups" }).click();
  const match = page.getByRole("main").getByRole("link", { name: "Readers 2 matches" });
  await match.waitFor();
  expect(sent("/get_group_member_list").slice(before)).toEqual(
    ["readers", "runners"].map((groupID) => ({
      groupID,
      keyword: "ipek",
      pagination: { pageNumber: 1, showNumber: 1 },
    })),
  );
  expect(await page.getByRole("link", { name: /Runners \d/ }).count()).toBe(0);
  await match.click();
  await page.getByText("2 members", { exact: true }).waitFor();
  expect(new URL(page.url()).hash).toBe("#/groups/readers?keyword=ipek");
});

it("offers the search in the field that opens anything, for what is no ID", async () => {
  const { page, goTo } = await openConsole({ database: await world(), place: "/groups/readers" });
  await page.getByRole("heading", { level: 1, name: "Readers" }).waitFor();
  await page.getByRole("button", { name: "Pin" }).click();
  await goTo("/groups/404", "No such group: 404");
  const field = page.getByRole("combobox", { name: "Open a group or a user" });
  await field.fill("kaya");
  await field.press("Enter");
  await page.getByText("No group and no user has the ID kaya").waitFor();
  await page.getByText(onlyInGroups).waitFor();
  await page.getByRole("button", { name: "Search in the pinned group" }).click();
  await page.getByRole("banner").getByRole("link", { name: "Readers 1 match" }).click();
  await page.getByText("1 member", { exact: true }).waitFor();
  expect(new URL(page.url()).hash).toBe("#/groups/readers?keyword=kaya");
  expect(await field.inputValue()).toBe("");

  await field.fill("nobody");
  await field.press("Enter");
  await page.getByRole("button", { name: "Search in the pinned group" }).click();
  await page.getByText("Nothing matches in the pinned groups.").waitFor();
});

it("finds a known name without its accents", async () => {
  const { page, goTo } = await openConsole({ database: await world(), place: "/users/u2/groups" });
  await page.getByRole("heading", { level: 1, name: "\u0130pek" }).waitFor();
  await goTo("/accounts");
  const field = page.getByRole("combobox", { name: "Open a group or a user" });
  await field.fill("ipek");
  await page.getByRole("option", { name: "\u0130pek" }).waitFor();
});
