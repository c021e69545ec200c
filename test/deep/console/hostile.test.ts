import { expect, it } from "vitest";
import { databaseOf, useConsole } from "../helpers/console/open.js";

const openConsole = useConsole();

/** Markup that would do something if the page did not treat it as text. */
const evil = `"><img src=x onerror=complain('ran')><script>complain('ran')</script>\u202e{{7*7}}javascript:complain(1)`;
const evilID = `<img src=x onerror=complain(1)>/..?#&'"%2F`;

/** A time outside the range of `Date`. */
const beyond = 8_640_000_000_000_001;

/** A world in which every text is evil. */
function evilWorld(): Promise<string> {
  const profile = { nickname: evil, faceURL: "https://elsewhere.example/face.png", ex: evil };
  return databaseOf({
    users: [
      { userID: evilID, ...profile, appMangerLevel: 3 },
      { userID: "=cmd|'/c calc'!A1", ...profile, nickname: "=1+1" },
    ],
    groups: [{ groupID: evilID, groupName: evil, notification: evil, introduction: evil, ex: evil }],
    groupMembers: [
      { groupID: evilID, userID: evilID, roleLevel: 100, joinTime: beyond, nickname: evil, ex: evil },
      { groupID: evilID, userID: "=cmd|'/c calc'!A1", roleLevel: 999, muteEndTime: beyond },
    ],
    blacks: [{ ownerUserID: evilID, blackUserID: "=cmd|'/c calc'!A1", createTime: beyond, ex: evil }],
    groupRequests: [{ groupID: evilID, userID: "=cmd|'/c calc'!A1", reqMsg: evil, handleMsg: evil, ex: evil }],
  });
}

it("shows markup in every field as text, and sends no request elsewhere", async () => {
  const id = encodeURIComponent(evilID);
  const { page, goTo } = await openConsole({ database: await evilWorld() });
  for (const [place, total] of [
    [`/groups/${id}`, "2 members"],
    [`/users/${id}/groups`, "1 group"],
    [`/users/${id}/requests`, "1 request"],
    [`/users/${id}/blacklist`, "1 blocked user"],
    ["/accounts", "1 account"],
  ] as const) {
    await goTo(place);
    await page.getByText(total, { exact: true }).waitFor();
    await page.locator('[aria-rowindex="2"]').click();
    const detail = page.locator(".detail");
    await detail.getByRole("button", { name: "Close" }).waitFor();
    if (!place.endsWith("blacklist"))
      await detail
        .getByText(/<img src=x/)
        .first()
        .waitFor();
    await page.keyboard.press("Escape");
    await detail.waitFor({ state: "detached" });
  }
  expect(await page.locator("img, main script").count()).toBe(0);
});

it("leads from a user with an evil ID to its groups, and from there to the members", async () => {
  const { page, goTo } = await openConsole({ database: await evilWorld() });
  await goTo(`/groups/${encodeURIComponent(evilID)}`);
  await page.getByText("2 members", { exact: true }).waitFor();
  await page.locator('[aria-rowindex="2"]').click();
  await page.locator(".detail").getByRole("link", { name: "Joined groups" }).click();
  await page.getByText("1 group", { exact: true }).waitFor();
  await page.locator('[aria-rowindex="2"]').click();
  await page.locator(".detail").getByRole("link", { name: "Members of the group" }).click();
  await page.getByText("2 members", { exact: true }).waitFor();
  await page.goBack();
  await page.getByText("1 group", { exact: true }).waitFor();
});

it("copies no formula into a spreadsheet, and no quote that ends a shell's string", async () => {
  const { page, copied, goTo } = await openConsole({ database: await evilWorld() });
  await goTo(`/groups/${encodeURIComponent(evilID)}`, "2 members");
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByRole("button", { name: "Copy all 2 rows as CSV" }).click();
  await expect.poll(copied).toContain("groupID,userID,roleLevel");
  expect(await copied()).toContain(`,'=cmd|'/c calc'!A1,999,0,'=1+1,`);

  await page.getByRole("button", { name: "Copy as curl" }).click();
  await expect.poll(copied).toContain("curl -s");
  expect(await copied()).toContain(`/..?#&'\\''\\"%2F`);
  expect(await copied()).toContain("$TOKEN");
});
