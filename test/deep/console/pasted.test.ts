import { expect, it } from "vitest";
import { useConsole } from "../helpers/console/open.js";

const openConsole = useConsole();
const opened = "5,000 members";

it("finds members by what is pasted with blanks and invisible characters around it", async () => {
  const { page, sent } = await openConsole({ place: "/groups/2559217223", seen: opened });
  const field = page.getByRole("searchbox", { name: "Search by name or ID" });
  await field.fill(" 1001800006\u200b ");
  await page.getByText("1 member", { exact: true }).waitFor();
  expect(sent("/get_group_member_list").at(-1)).toMatchObject({ keyword: "1001800006" });
});

it("offers to search for the first of several IDs, without quotes, and says what that leaves out", async () => {
  const { page } = await openConsole({ place: "/groups/2559217223", seen: opened });
  await page.getByRole("searchbox", { name: "Search by name or ID" }).fill("‘1001800006’, 1003600005");
  await page.getByText("Left out: 1003600005").waitFor();
  await page.getByRole("button", { name: "Search for 1001800006" }).click();
  await page.getByText("1 member", { exact: true }).waitFor();
  expect(await page.getByRole("searchbox").inputValue()).toBe("1001800006");
});

it.each([
  ["an ID with an invisible character", "2559217223\u200b\u200d "],
  ["an ID in quotes", " “2559217223”, "],
  ["a link of the console", "https://chat.example.org/console#/groups/2559217223"],
])("opens %s", async (_, text) => {
  const { page } = await openConsole();
  await page.getByRole("combobox", { name: "Open a group or a user" }).fill(text);
  await page.keyboard.press("Enter");
  await page.getByText(opened).waitFor();
});

it("opens the first of two IDs, and says what it leaves out", async () => {
  const { page } = await openConsole();
  await page.getByRole("combobox", { name: "Open a group or a user" }).fill("2559217223, 1000000007");
  await page.keyboard.press("Enter");
  await page.getByText("Press Enter to open it. Left out: 1000000007").waitFor();
  await page.keyboard.press("Enter");
  await page.getByText(opened).waitFor();
});
