import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openSqliteStore } from "../../../src/stores/drivers/sqlite.js";
import { imAdmin, post, serve } from "../../helpers/cliProcess.js";
import { temporaryFolder } from "../../helpers/stores.js";

const pagination = { pageNumber: 1, showNumber: 3 };

/** Sends the request that was printed, as a shell understands it. */
async function paste(stdout: string, replacedUrl?: string) {
  const [, request = ""] = stdout.split("A request to try:\n");
  // The shell takes the line apart, and fetch stands in for a curl that may not be there.
  const script = `curl() { printf '%s\\n' "$@"; }\n${request}`;
  const [silent, url = "", ...flags] = execFileSync("sh", ["-c", script], { encoding: "utf8" }).trim().split("\n");
  const [h1, operationID = "", h2, token = "", d, body = ""] = flags;
  expect([silent, h1, h2, d]).toEqual(["-s", "-H", "-H", "-d"]);
  expect(stdout).toContain(`\n  ${token.replace("token: ", "")}\n`);
  const headers = [operationID, token].map((header) => header.split(": ") as [string, string]);
  return (await fetch(replacedUrl ?? url, { method: "POST", headers, body })).json();
}

it("prints a token and a request that works when it is pasted into a shell", async () => {
  const { stdout } = await serve(["--demo", "--db", ":memory:"]);
  expect(stdout).toContain("A token of the administrator imAdmin, good until this server ends:\n");
  expect(await paste(stdout)).toMatchObject({ errCode: 0, data: { total: 167, members: [{}, {}, {}] } });
});

it("accepts what it printed also when it is started again, by a secret that only its owner may read", async () => {
  const database = join(temporaryFolder(), "im.db");
  const first = await serve(["--demo", "--db", database]);
  await first.stop();
  const secret = readFileSync(`${database}.secret`, "utf8").trim();
  expect(Buffer.from(secret, "base64url")).toHaveLength(32);
  expect(first.stdout).not.toContain(secret);
  expect(first.stdout).toContain(`imAdmin, signed with the secret in ${database}.secret:\n`);
  if (process.platform !== "win32") expect(statSync(`${database}.secret`).mode & 0o777).toBe(0o600);

  const second = await serve(["--demo", "--db", database]);
  const answer = await paste(first.stdout, `${second.url}/group/get_group_member_list`);
  expect(answer).toMatchObject({ errCode: 0, data: { total: 167 } });
  const { stdout } = await imAdmin(["token", "--secret", secret, "--admin", "imAdmin"]);
  expect(await post(`${second.url}/user/search_notification_account`, stdout.trim(), { pagination })).toMatchObject({
    errCode: 0,
  });
});

it("makes no secret where one was given", async () => {
  const database = join(temporaryFolder(), "im.db");
  const { stdout, stop } = await serve(["--demo", "--db", database, "--secret", "s"]);
  await stop();
  expect(stdout).toContain("A token of the administrator imAdmin:\n");
  expect(existsSync(`${database}.secret`)).toBe(false);
});

it("says which file holds no secret", async () => {
  const database = join(temporaryFolder(), "im.db");
  writeFileSync(`${database}.secret`, "\n");
  expect(await imAdmin(["serve", "--demo", "--port", "0", "--db", database])).toEqual({
    status: 1,
    stdout: "",
    stderr: `im-admin: ${database}.secret holds no secret of 16 characters or more: delete it, and a new one is made\n`,
  });
});

it("keeps what was changed when it is started again", async () => {
  const database = join(temporaryFolder(), "im.db");
  const conversation = { conversationID: "sg_2559217223", conversationType: 3, groupID: "2559217223", ex: "changed" };
  const first = await serve(["--demo", "--db", database]);
  await post(`${first.url}/conversation/set_conversations`, first.token, { userIDs: ["1001800006"], conversation });
  await first.stop();

  const second = await serve(["--demo", "--db", database]);
  expect(await paste(second.stdout)).toMatchObject({ errCode: 0, data: { total: 167 } });
  await second.stop();
  const store = openSqliteStore({ path: database });
  expect(await store.conversations("1001800006")).toMatchObject([{ ex: "changed" }]);
  await store.close();
});

it("leaves other data as it is, says so, and prints a request that works there", async () => {
  const database = join(temporaryFolder(), "im.db");
  const store = openSqliteStore({ path: database });
  await store.put({ users: [{ userID: "news", appMangerLevel: 3 }] });
  const { stdout, stop } = await serve(["--demo", "--db", database]);
  expect(stdout).toContain(`\n${database} held other data already, so that the demo world was not added.\n`);
  expect(await paste(stdout)).toMatchObject({ errCode: 0, data: { total: 1 } });
  await stop();
  expect(await store.listNotificationAccounts({ keyword: "", offset: 0, limit: 1 })).toMatchObject({ total: 1 });
  await store.close();
});
