import type { Page, Route } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { openSqliteStore } from "../../../src/stores/drivers/sqlite.js";
import { deferred } from "../../helpers/deferred.js";
import { failureText } from "../../helpers/http/request.js";
import { confirmSetting, databaseOf, useConsole } from "../helpers/console/open.js";

const openConsole = useConsole();
const ids = (count: number, from = 1) => Array.from({ length: count }, (_, index) => `u${from + index}`);

/** A group without members, and this many users. */
function world(count: number): Promise<string> {
  return databaseOf({
    users: [...ids(count).map((userID) => ({ userID })), { userID: "imAdmin", appMangerLevel: 2 }],
    groups: [{ groupID: "g1" }, { groupID: "gone", status: 2 }],
  });
}

/** The conversations that the store has at the end. */
function stored(database: string) {
  const store = openSqliteStore({ path: database });
  onTestFinished(() => store.close());
  return (userID: string) => store.conversations(userID);
}

/** Pastes users as a person does. Typing so many lines would take minutes. */
async function paste(page: Page, userIDs: readonly string[]): Promise<void> {
  await page.getByLabel("User IDs").focus();
  await page.evaluate((text) => navigator.clipboard.writeText(text), userIDs.join("\n"));
  await page.keyboard.press("Control+V");
}

/** Pastes users, and ticks two fields. */
async function fill(page: Page, userIDs: readonly string[]): Promise<void> {
  await paste(page, userIDs);
  await page.getByRole("checkbox", { name: "Pinned to the top" }).check();
  await page.getByRole("checkbox", { name: "Messages" }).check();
}

it("says what will change, and sets a conversation for 10,000 users", async () => {
  const database = await world(10_000);
  const { page, sent } = await openConsole({ database, place: "/conversations/g1", seen: "no user is listed yet" });
  expect(await page.getByRole("button", { name: "Set for 0 users" }).isDisabled()).toBe(true);
  await fill(page, [...ids(10_000), "u7", "u8"]);
  await page.getByText("2 listed more than once; each counts once").waitFor();
  const preview = page.getByRole("region", { name: "What will change" });
  await preview.getByText("10,000 users in the conversation of group g1").waitFor();
  expect(await preview.locator("dl").innerText()).toBe("Messages\nMute: no notification\nPinned to the top\nYes");
  expect(sent("/set_conversations")).toEqual([]);

  await confirmSetting(page, "10,000");
  await page.getByText("Done: the conversation is set for 10,000 users").waitFor();
  const conversation = { conversationID: "sg_g1", conversationType: 3, groupID: "g1", recvMsgOpt: 2, isPinned: true };
  expect(sent("/set_conversations")).toEqual([{ userIDs: ids(10_000), conversation }]);
  const read = stored(database);
  expect(await read("u10000")).toMatchObject([{ ...conversation, isPrivateChat: false }]);
});

it("sets it for more users than one request takes, and stops at the first request that fails", async () => {
  const database = await world(21_000);
  const { page, sent } = await openConsole({ database, place: "/conversations/g1" });
  await fill(page, [...ids(15_000), "nobody", ...ids(6_000, 15_001)]);
  await page.getByText("This takes 3 requests, one after the other, each for up to 10,000 users.").waitFor();
  await confirmSetting(page, "21,001");
  await page.getByText("1004 RecordNotFoundError").waitFor();
  await page.getByText("Set for the first 10,000 of 21,001 users; unchanged for the others").waitFor();
  expect(await page.getByRole("table", { name: "Requests" }).locator("tbody").innerText()).toBe(
    "1\t10,000\tSet\n2\t10,000\tNot set\n3\t1,001\tNot set",
  );
  expect(sent("/set_conversations")).toHaveLength(2);
  const read = stored(database);
  expect([(await read("u10000")).length, (await read("u10001")).length]).toEqual([1, 0]);

  await page.getByRole("button", { name: "Leave out all users that do not exist" }).click();
  await page.getByText("Done: the conversation is set for 11,000 users").waitFor();
  await page.getByText("1 user does not exist and was left out.").waitFor();
  expect(await read("u21000")).toMatchObject([{ isPinned: true }]);
});

it("marks the field that the server refuses, and says that nobody was changed", async () => {
  const database = await world(2);
  const { page } = await openConsole({ database, place: "/conversations/g1" });
  await fill(page, ids(2));
  const field = page.getByLabel("Conversation ID");
  await field.fill("c".repeat(65));
  await page.getByRole("button", { name: "Set for 2 users" }).click();
  await page.getByText("Nobody was changed").waitFor();
  expect(await field.getAttribute("aria-invalid")).toBe("true");
  const hint = page.locator(`[id="${await field.getAttribute("aria-describedby")}"]`);
  expect(await hint.textContent()).toContain("must be a string of 1 to 64 characters");
  expect(await page.getByLabel("Group ID").getAttribute("aria-invalid")).toBe("false");
  await page.getByText(/1 longer than 64|1001 ArgsError/).waitFor();
  expect(await stored(database)("u1")).toEqual([]);
});

it.each([
  ["a group that was dismissed", "gone", "1204 DismissedAlreadyError"],
  ["a group that does not exist", "g404", "1004 RecordNotFoundError"],
])("says why nothing was set: %s", async (_, groupID, title) => {
  const { page } = await openConsole({ database: await world(1), place: `/conversations/${groupID}` });
  await fill(page, ids(1));
  await page.getByRole("button", { name: "Set for 1 user" }).click();
  await page.getByText(title).waitFor();
  await page.getByText("Nobody was changed").waitFor();
});

it("says that nobody knows the result of a request without an answer", async () => {
  const database = await world(1);
  const { page } = await openConsole({ database, place: "/conversations/g1" });
  await page.route("**/set_conversations", (route) => route.abort());
  await fill(page, ids(1));
  await page.getByRole("button", { name: "Set for 1 user" }).click();
  await page.getByText("Nobody knows whether the last request changed its 1 user.").waitFor();
  await page.unroute("**/set_conversations");
  await page.getByRole("button", { name: "Go on with the others" }).click();
  await page.getByText("Done: the conversation is set for 1 user").waitFor();
});

it("keeps entries and results when a token expires, and forgets them at a sign-out", async () => {
  const { page, token } = await openConsole({ database: await world(10_001), place: "/conversations/g1" });
  await fill(page, ids(10_001));
  const body = failureText(1501, "TokenExpiredError");
  await page.route("**/set_conversations", (route) =>
    route.request().postDataJSON().userIDs.length === 1 ? route.fulfill({ status: 200, body }) : route.continue(),
  );
  await confirmSetting(page, "10,001");
  await page.getByLabel("Administrator's token").fill(token);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("Set for the first 10,000 of 10,001 users; unchanged for the others").waitFor();
  expect((await page.getByLabel("User IDs").inputValue()).split("\n")).toHaveLength(10_001);
  await page.unroute("**/set_conversations");
  await page.getByRole("button", { name: "Go on with the others" }).click();
  await page.getByText("Done: the conversation is set for 1 user", { exact: true }).waitFor();

  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("Administrator's token").fill(token);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("no user is listed yet").waitFor();
  expect(await page.getByText("Done: the conversation is set").count()).toBe(0);
});

it("does not keep a group's conversation ID for another conversation", async () => {
  const { page } = await openConsole({ database: await world(1), place: "/conversations" });
  await fill(page, ids(1));
  const field = page.getByLabel("Conversation ID");
  await page.getByLabel("Group ID").fill(" g1 ");
  expect(await field.inputValue()).toBe("sg_g1");
  await page.getByText("in the conversation of group g1 (sg_g1)").waitFor();
  await page.getByRole("button", { name: "With one user" }).click();
  await page.getByText("the conversation is not named yet").waitFor();
  expect(await field.inputValue()).toBe("");
  await page.getByRole("button", { name: "Of a group" }).click();
  await expect.poll(() => field.inputValue()).toBe("sg_g1");

  await field.fill("another");
  await page.getByRole("button", { name: "With one user" }).click();
  await page.getByLabel("The other user's ID").fill("u1");
  await page.getByText("in their conversation with u1 (another)").waitFor();
});

it("sets users whose IDs contain a separator, and shows that they are one each", async () => {
  const userIDs = ["u1,u2", "u3"];
  const users = ["imAdmin", ...userIDs].map((userID) => ({ userID, appMangerLevel: 2 }));
  const { page, sent } = await openConsole({
    database: await databaseOf({ users, groups: [{ groupID: "g1" }] }),
    place: "/conversations/g1",
  });
  const buffer = Buffer.from('"u1,u2",x\nu3,y');
  await page.getByLabel("Choose a file").setInputFiles({ name: "users.csv", mimeType: "text/csv", buffer });
  await page.getByText("2 users", { exact: true }).first().waitFor();
  expect(await page.getByLabel("User IDs").inputValue()).toBe("u1,u2\nu3");
  expect(await page.getByLabel("User IDs").isEditable()).toBe(false);
  await page.getByRole("checkbox", { name: "Pinned to the top" }).check();
  await page.getByRole("button", { name: "Set for 2 users" }).click();
  await page.getByText("Done: the conversation is set for 2 users").waitFor();
  expect(sent("/set_conversations")).toMatchObject([{ userIDs }]);
  await page.getByRole("button", { name: "Remove all" }).click();
  await page.getByLabel("User IDs").fill("u3\nu4");
  await page.getByText("2 users", { exact: true }).first().waitFor();
});

it("reads users from the first column of a CSV file, and sets a single chat", async () => {
  const database = await world(3);
  const { page, sent } = await openConsole({ database, place: "/conversations" });
  const csv = '\ufeff"userID","nickname"\r\n"u1","An, n"\r\nu2,Ben\r\n\r\n';
  const files = { name: "users.csv", mimeType: "text/csv", buffer: Buffer.from(csv) };
  await page.getByLabel("Choose a file").setInputFiles(files);
  await page.getByText("2 users", { exact: true }).first().waitFor();
  await page.getByRole("button", { name: "With one user" }).click();
  await page.getByLabel("The other user's ID").fill("u3");
  await page.getByLabel("Conversation ID").fill("si_many_u3");
  await page.getByRole("checkbox", { name: "Self-destruct after (seconds)" }).check();
  await page.getByRole("textbox", { name: "Self-destruct after (seconds)" }).fill("1.5");
  await page.getByText("the seconds must be a whole number").waitFor();
  await page.getByRole("textbox", { name: "Self-destruct after (seconds)" }).fill("60");
  await page.getByText("in their conversation with u3").waitFor();
  await page.getByRole("button", { name: "Set for 2 users" }).click();
  await page.getByText("Done: the conversation is set for 2 users").waitFor();
  const conversation = { conversationID: "si_many_u3", conversationType: 1, userID: "u3", burnDuration: 60 };
  expect(sent("/set_conversations")).toEqual([{ userIDs: ["u1", "u2"], conversation }]);
});

it("goes on with a run while the administrator looks elsewhere, and shows it there", async () => {
  const database = await world(20_001);
  const { page, goTo } = await openConsole({ database, place: "/conversations/g1" });
  await fill(page, ids(20_001));
  const held = deferred<Route>();
  await page.route("**/set_conversations", (route) =>
    route.request().postDataJSON().userIDs[0] === "u10001" ? held.fulfil(route) : route.continue(),
  );
  await confirmSetting(page, "20,001");
  const second = await held.promise;
  await page.getByText("10,000 of 20,001 users are done").waitFor();
  const tasks = page.getByRole("region", { name: "Tasks" });
  expect(await tasks.count()).toBe(0);

  await goTo("/groups/g1");
  await tasks.getByText("10,000 of 20,001 users are done").waitFor();
  await second.continue();
  await tasks.getByText("Done: the conversation is set for 20,001 users").waitFor();
  expect(await stored(database)("u20001")).toMatchObject([{ isPinned: true }]);
  await tasks.getByRole("link", { name: "Set conversations" }).click();
  await page.getByText("Done: the conversation is set for 20,001 users").waitFor();
  // A result that was seen is not shown again.
  await goTo("/groups/g1", "This group has no members.");
  expect(await tasks.count()).toBe(0);
});

it("takes a number that is typed in before the page is drawn", async () => {
  const { page } = await openConsole({ database: await world(1_001), place: "/conversations/g1" });
  await paste(page, ids(1_001));
  await page.getByText("1,001 users", { exact: true }).waitFor();
  await page.evaluate(() => {
    new MutationObserver((_, observer) => {
      const field = document.querySelector<HTMLInputElement>(".preview input");
      if (field === null) return;
      observer.disconnect();
      field.value = "1001";
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }).observe(document.body, { childList: true, subtree: true });
  });
  await page.getByRole("checkbox", { name: "Messages" }).check();
  await page.getByRole("button", { name: "Set for 1,001 users" }).click();
  await page.getByText("Done: the conversation is set for 1,001 users").waitFor();
});

it("stops a run from elsewhere, after the request under way", async () => {
  const database = await world(20_001);
  const { page, goTo, sent } = await openConsole({ database, place: "/conversations/g1" });
  await fill(page, ids(20_001));
  const held = deferred<Route>();
  await page.route("**/set_conversations", (route) => held.fulfil(route));
  await confirmSetting(page, "20,001");
  const first = await held.promise;
  await goTo("/accounts");
  const tasks = page.getByRole("region", { name: "Tasks" });
  await tasks.getByRole("button", { name: "Stop" }).click();
  await first.continue();
  await tasks
    .getByText("Stopped: the conversation is set for 10,000 of 20,001 users, and unchanged for the others")
    .waitFor();
  expect(sent("/set_conversations")).toHaveLength(1);
});

it("takes no click on “Stop” for one on “Dismiss”, if the run ends meanwhile", async () => {
  const { page, goTo } = await openConsole({ database: await world(1), place: "/conversations/g1" });
  await fill(page, ["u1", "nobody"]);
  const held = deferred<Route>();
  await page.route("**/set_conversations", (route) => held.fulfil(route));
  await page.getByRole("button", { name: "Set for 2 users" }).click();
  const request = await held.promise;
  await goTo("/accounts");
  const tasks = page.getByRole("region", { name: "Tasks" });
  await tasks.getByRole("button", { name: "Stop" }).hover();
  await page.mouse.down();
  await request.fallback();
  await tasks.getByText("No such user: nobody").waitFor();
  await page.mouse.up();
  expect(await tasks.count()).toBe(1);
});

it("leaves out any number of users that do not exist with one click", async () => {
  const database = await world(8_000);
  const { page, sent, copied, goTo } = await openConsole({ database, place: "/conversations/g1" });
  const gone = Array.from({ length: 2_500 }, (_, index) => `gone${index}`);
  await fill(page, [...ids(4_000), ...gone, ...ids(4_000, 4_001)]);
  await confirmSetting(page, "10,500");
  await page.getByText("Nobody was changed").waitFor();
  // The note names a thousand users on demand, and its button is in sight.
  const leaveOut = page.getByRole("button", { name: "Leave out all users that do not exist" });
  expect((await leaveOut.boundingBox())?.y).toBeLessThan(800);
  await page.getByText("users gone0, gone1").first().click();
  await page.getByText("gone999").last().waitFor();
  // The result stays while the administrator looks elsewhere.
  await goTo("/accounts");
  await page.getByRole("banner").getByText("Some users do not exist").waitFor();
  await page.getByRole("region", { name: "Tasks" }).getByRole("link").click();
  await leaveOut.click();
  await page.getByText("2,500 users do not exist and were left out.").waitFor();
  await page.getByText("Done: the conversation is set for 8,000 users").waitFor();
  // One request failed, three found a thousand missing users each, and two set the conversation.
  expect(sent("/set_conversations")).toHaveLength(6);
  const read = stored(database);
  expect(await read("u1")).toMatchObject([{ isPinned: true }]);
  expect(await read("u8000")).toMatchObject([{ isPinned: true }]);
  await page.getByRole("button", { name: "Copy their IDs" }).click();
  await expect.poll(copied).toBe(gone.join("\n"));
  await page.getByText("8,000 users", { exact: true }).first().waitFor();
});

it.each([
  ["groupID,userID,nickname\r\ng1,u1,An\r\ng1,'+8613800138000,Ben\r\n", "userID"],
  ["User ID\tName\nu1\tAn\n'+8613800138000\tBen", "User ID"],
])("takes the users alone from a table that is pasted: %j", async (table, column) => {
  const { page } = await openConsole({ database: await world(1), place: "/conversations/g1" });
  const field = page.getByLabel("User IDs");
  await field.fill("u7\n");
  await page.evaluate((text) => navigator.clipboard.writeText(text), table);
  await field.press("Control+End");
  await page.keyboard.press("Control+V");
  await page.getByText(`Taken from the column “${column}”`).waitFor();
  expect(await field.inputValue()).toBe("u7\nu1\n+8613800138000");
  await page.getByText("3 users", { exact: true }).first().waitFor();
});

it("says that a table of groups names no users", async () => {
  const { page } = await openConsole({ database: await world(1), place: "/conversations/g1" });
  const buffer = Buffer.from("groupID,groupName\r\ng1,One\r\n");
  await page.getByLabel("Choose a file").setInputFiles({ name: "groups.csv", mimeType: "text/csv", buffer });
  await page.getByText("This table has no column with user IDs, such as userID.").waitFor();
  expect(await page.getByLabel("User IDs").inputValue()).toBe("");
});

it("reads 100,000 users once, and not again when another field changes", async () => {
  const { page } = await openConsole({ database: await world(1), place: "/conversations/g1" });
  await fill(page, ids(100_000));
  await page.getByText("100,000 users", { exact: true }).first().waitFor();
  const reads = await page.evaluate(async () => {
    // Reading the text begins by splitting it.
    const proto = RegExp.prototype as unknown as Record<symbol, unknown>;
    const matchAll = proto[Symbol.matchAll] as (this: RegExp, text: string) => Iterable<RegExpExecArray>;
    let reads = 0;
    proto[Symbol.matchAll] = function (this: RegExp, text: string) {
      if (text.length > 100_000) reads += 1;
      return matchAll.call(this, text);
    };
    const field = document.querySelector<HTMLInputElement>('main input[autocomplete="off"]');
    if (field === null) return -1;
    for (const typed of ["c", "co", "con", "conv"]) {
      field.value = typed;
      field.dispatchEvent(new InputEvent("input", { bubbles: true }));
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    return reads;
  });
  expect(reads).toBe(0);
  expect(await page.getByLabel("User IDs").inputValue()).toBe([...ids(100), "…"].join("\n"));
  await page.getByRole("button", { name: "Remove all" }).click();
  await page.getByText("no user is listed yet").waitFor();
  await page.getByLabel("User IDs").fill("u1");
  await page.getByText("1 user", { exact: true }).first().waitFor();
});

it("stands in the middle of a wide screen, has values under their ticks, and names the group", async () => {
  const viewport = { width: 2560, height: 1200 };
  const { page } = await openConsole({ viewport, place: "/conversations/2559217223?user=1001800006" });
  const tick = page.getByRole("checkbox", { name: "Messages" });
  await tick.check();
  await page.getByText("in the conversation of 全员群 Everybody (group 2559217223, sg_2559217223)").waitFor();
  const boxOf = async (selector: string) => {
    const box = await page.locator(selector).boundingBox();
    if (box === null) throw new Error(`${selector} is not shown`);
    return { left: box.x, right: box.x + box.width, top: box.y, bottom: box.y + box.height };
  };
  const [main, form] = [await boxOf("main"), await boxOf(".conversations")];
  expect(Math.abs(form.left - main.left - (main.right - form.right))).toBeLessThan(20);
  expect(form.right - form.left).toBeLessThan(1_000);
  const [box, value] = [await boxOf('.tick:has(select) input[type="checkbox"]'), await boxOf(".tick select")];
  expect(value.left - box.right).toBe(8);
  expect(value.top).toBeGreaterThan(box.bottom);
});
