import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openSqliteStore } from "../../../src/stores/drivers/sqlite.js";
import { imAdmin, post, serve, serveHere } from "../../helpers/cliProcess.js";
import { temporaryFolder } from "../../helpers/stores.js";

const pagination = { pageNumber: 1, showNumber: 3 };

/** Sends the printed request, as a shell reads it. */
async function paste(stdout: string, replacedUrl?: string) {
  const [, request = ""] = stdout.split("A request to try:\n");
  // The shell splits the line, and fetch replaces curl, which may be missing.
  const script = `curl() { printf '%s\\n' "$@"; }\n${request}`;
  const [silent, url = "", ...flags] = execFileSync("sh", ["-c", script], { encoding: "utf8" }).trim().split("\n");
  const [h1, operationID = "", h2, token = "", d, body = ""] = flags;
  expect([silent, h1, h2, d]).toEqual(["-s", "-H", "-H", "-d"]);
  expect(stdout).toContain(`\n  ${token.replace("token: ", "")}\n`);
  const headers = [operationID, token].map((header) => header.split(": ") as [string, string]);
  return (await fetch(replacedUrl ?? url, { method: "POST", headers, body })).json();
}

it("prints a token, a request for a shell, and a link to the console; all of them work", async () => {
  const { url, token, stdout, stop } = await serve(["--demo", "--db", ":memory:", "--console"]);
  expect(stdout).toContain(`\nits console is ${url}/console\n`);
  expect(stdout).toContain("A token of the administrator imAdmin, good until this server ends:\n");
  // The fragment has the token: no server sees it.
  expect(stdout).toContain(`\n  ${url}/console#token=${token}&place=/groups/2559217223\n`);
  const [beforeConsole = ""] = stdout.split("The console, with that token:\n");
  expect(await paste(beforeConsole)).toMatchObject({ errCode: 0, data: { total: 167, members: [{}, {}, {}] } });
  // There are no warnings.
  expect((await stop()).stderr).not.toContain('"level":40');
});

it("serves the console at /console, and says so, without a token where there is no --demo", async () => {
  const given = ["--db", ":memory:", "--secret", "a secret of sixteen characters", "--admin", "imAdmin"];
  const { url, stdout } = await serve([...given, "--console"]);
  expect(stdout).toBe(`im-admin answers on ${url}, from :memory:\nits console is ${url}/console\n`);
  const response = await fetch(`${url}/console`);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  expect(await response.text()).toContain('<meta name="im-admin-api" content=".">');
  const etag = response.headers.get("etag") ?? "";
  expect((await fetch(`${url}/console/`, { headers: { "if-none-match": etag } })).status).toBe(304);
  expect((await fetch(`${url}/console/else`)).status).toBe(404);
  expect((await fetch(`${url}/console`, { method: "POST", body: "{}" })).status).toBe(405);
  const head = await fetch(`${url}/console`, { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
});

it.each([
  ["", "/console", ["/"]],
  ["/admin", "/admin/console", ["/", "/admin", "/admin/?from=mail"]],
])("with base path '%s', leads a browser to %s from %j, and nobody else", async (basePath, console, paths) => {
  const flags = basePath === "" ? [] : ["--base-path", basePath];
  const { url: root } = await serve(["--demo", "--db", ":memory:", "--console", ...flags]);
  const browser = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
  for (const path of paths) {
    const page = await fetch(root + path, { headers: browser });
    expect([page.status, page.url]).toEqual([200, root + console]);
    expect(await page.text()).toContain("<title>");
    const led = await fetch(root + path, { headers: browser, redirect: "manual" });
    // A proxy in front may have taken a prefix from the path, so that no absolute path is right.
    expect([led.status, led.headers.get("vary")]).toEqual([302, "accept"]);
    expect(led.headers.get("location")).toMatch(/^[a-z]/);
    for (const init of [{}, { method: "POST", headers: browser }]) {
      expect(await (await fetch(root + path, init)).json()).toMatchObject({ errMsg: "ArgsError" });
    }
  }
  for (const odd of ["//", "//evil.example", "/./..//"]) {
    expect((await fetch(root + odd, { headers: browser, redirect: "manual" })).headers.get("location"), odd).toSatisfy(
      (location) => location === null || /^[a-z/]*console$/.test(location),
    );
  }
});

it("says to a browser what would serve a console, where there is none", async () => {
  const { url } = await serveHere(["--demo", "--db", ":memory:"]);
  const response = await fetch(url, { headers: { accept: "text/html" } });
  expect(response.status).toBe(404);
  expect((await response.json()).errDlt).toBe(
    "1001 ArgsError: path must be that of an operation, and no console is served here: " +
      "that takes im-admin serve --console, or createConsoleHandler of im-admin/console",
  );
});

it("keeps its secret, which only its owner may read, and its changes, and accepts the same token after a restart", async () => {
  const database = join(temporaryFolder(), "im.db");
  const conversation = { conversationID: "sg_2559217223", conversationType: 3, groupID: "2559217223", ex: "changed" };
  const first = await serve(["--demo", "--db", database]);
  await post(`${first.url}/conversation/set_conversations`, first.token, { userIDs: ["1001800006"], conversation });
  await first.stop();
  const secret = readFileSync(`${database}.secret`, "utf8").trim();
  expect(Buffer.from(secret, "base64url")).toHaveLength(32);
  expect(first.stdout).not.toContain(secret);
  expect(first.stdout).toContain(`imAdmin, signed with the secret in ${database}.secret:\n`);
  if (process.platform !== "win32") expect(statSync(`${database}.secret`).mode & 0o777).toBe(0o600);

  const second = await serve(["--demo", "--db", database]);
  const answer = await paste(first.stdout, `${second.url}/group/get_group_member_list`);
  expect(answer).toMatchObject({ errCode: 0, data: { total: 167 } });
  expect(await paste(second.stdout)).toEqual(answer);
  const { stdout } = await imAdmin(["token", "--secret", secret, "--admin", "imAdmin"]);
  const accounts = `${second.url}/user/search_notification_account`;
  expect(await post(accounts, stdout.trim(), { pagination })).toMatchObject({ errCode: 0 });
  await second.stop();
  const store = openSqliteStore({ path: database });
  expect(await store.conversations("1001800006")).toMatchObject([{ ex: "changed" }]);
  await store.close();
});

it("leaves other data alone, says so, and prints a request that works on it", async () => {
  const database = join(temporaryFolder(), "im.db");
  const store = openSqliteStore({ path: database });
  await store.put({ users: [{ userID: "news", appMangerLevel: 3 }] });
  const { stdout } = await serveHere(["--demo", "--db", database]);
  expect(stdout).toContain(`\n${database} held other data already, so that the demo world was not added.\n`);
  expect(await paste(stdout)).toMatchObject({ errCode: 0, data: { total: 1 } });
  expect(await store.listNotificationAccounts({ keyword: "", offset: 0, limit: 1 })).toMatchObject({ total: 1 });
  await store.close();
});
