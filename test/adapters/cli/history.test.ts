import { execFileSync } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { openHistoryFile, type SettingBegun } from "../../../adapters/node.js";
import { openSqliteStore } from "../../../src/stores/drivers/sqlite.js";
import { cli, imAdmin, post, serveHere } from "../../helpers/cliProcess.js";
import { settingOf } from "../../helpers/history.js";
import { temporaryFolder } from "../../helpers/stores.js";

const secret = ["--secret", "sixteen-characters", "--admin", "ann"];

/** A server with a history, and a token for it. */
async function server(more: readonly string[] = []) {
  const folder = temporaryFolder();
  const [database, history] = [`${folder}/im.db`, `${folder}/history.db`];
  const store = openSqliteStore({ path: database });
  await store.put({ users: ["u1", "u2"].map((userID) => ({ userID })), groups: [{ groupID: "g1" }] });
  await store.close();
  const { stdout } = await imAdmin(["token", ...secret]);
  const { url } = await serveHere(["--db", database, ...secret, "--history", history, ...more]);
  return { url, history, token: stdout.trim() };
}

it("lists and exports what serve --history has kept", async () => {
  const { url, history, token } = await server();
  await post(`${url}/conversation/set_conversations`, token, settingOf(["u1", "u2"], { isPinned: true, ex: "\u0085" }));
  await post(`${url}/conversation/set_conversations`, token, settingOf(["u1", "nobody"], { ex: "" }));
  const page = { pagination: { pageNumber: 1, showNumber: 9 } };
  const { data } = await post(`${url}/im_admin/list_settings`, token, page);
  const settings = data["settings"] as { settingID: string }[];
  const [failed, done] = settings.map(({ settingID }) => settingID);

  const people = await imAdmin(["history", "--history", history]);
  expect(people).toMatchObject({ status: 0, stderr: "" });
  const time = "\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z";
  expect(people.stdout.split("\n")).toEqual([
    expect.stringMatching(`^${time}  ann  sg_g1  {"ex":""}  2 users, 0 changed  failed  ${failed}$`),
    expect.stringMatching(`^${time}  ann  sg_g1  {"isPinned":true,"ex":"\ufffd"}  2 users, 2 changed  done  ${done}$`),
    "",
  ]);
  const one = await imAdmin(["history", "--setting", done ?? ""], { IM_ADMIN_HISTORY: history });
  expect(one.stdout.split("\n").slice(1)).toEqual(['  before, {"isPinned":false,"ex":""}: u1, u2', ""]);

  const all = await imAdmin(["history", "--history", history, "--json"]);
  expect(
    all.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual(settings);
  const exported = await imAdmin(["history", "--history", history, "--json", "--setting", done ?? ""]);
  expect(JSON.parse(exported.stdout)).toEqual({
    settingID: done,
    request: 0,
    time: expect.any(Number),
    adminUserID: "ann",
    operationID: "op1",
    conversationID: "sg_g1",
    conversationType: 3,
    userID: "",
    groupID: "g1",
    fields: { isPinned: true, ex: "\u0085" },
    userIDs: ["u1", "u2"],
    outcome: "done",
    errCode: 0,
    changed: 2,
    before: [{ fields: { isPinned: false, ex: "" }, userIDs: ["u1", "u2"] }],
  });
  expect(readFileSync(history, "latin1") + readFileSync(`${history}-wal`, "latin1")).not.toContain(token);
});

/** A history with settings of three days. */
async function threeDays() {
  const path = `${temporaryFolder()}/history.db`;
  const history = await openHistoryFile(path);
  const noon = Date.parse("2026-05-01T12:00:00Z");
  const entries = ["one", "two", "three"].flatMap((requestID, day) => [
    {
      entry: "begun",
      requestID,
      time: noon + day * 86_400_000,
      adminUserID: day === 0 ? "ann" : "bob",
      operationID: requestID,
      conversationID: day === 2 ? "sg_g2" : "sg_g1",
      conversationType: 3,
      userID: "",
      groupID: day === 2 ? "g2" : "g1",
      fields: day === 1 ? { isPinned: true } : { ex: "x".repeat(300) },
      userIDs: ["u1", `u${day + 2}`],
    } as const,
    { entry: "ended", requestID, time: noon, outcome: "done", errCode: 0, changed: 0, before: [] } as const,
  ]);
  await history.append(entries.slice(0, -1));
  await history.close();
  return { path, entries: entries.slice(0, -1) };
}

it("prints the settings that fit", async () => {
  const { path } = await threeDays();
  const printed = async (...flags: string[]) => {
    // The server's administrators are no filter.
    const environment = { IM_ADMIN_HISTORY: path, IM_ADMIN_ADMIN: "nobody" };
    const { stdout, stderr } = await imAdmin(["history", ...flags], environment);
    return stderr || (stdout.match(/\S+$/gm) ?? []).join(" ");
  };
  expect(await printed()).toBe("three two one");
  expect(await printed("--admin", "bob")).toBe("three two");
  expect(await printed("--conversation", "sg_g1")).toBe("two one");
  expect(await printed("--user", "u3")).toBe("two");
  expect(await printed("--field", "ex")).toBe("three one");
  expect(await printed("--since", "2026-05-02")).toBe("three two");
  expect(await printed("--until", "2026-05-02T12:00Z")).toBe("one");
  expect(await printed("--since", "2026-05-02T14:00+02:00", "--until", "2026-05-03", "--admin", "bob")).toBe("two");
  expect(await printed("--user", "u4", "--field", "isPinned")).toBe("");
  expect(await printed("--since", "yesterday")).toContain(
    "It must be a day such as 2026-05-01, or a time such as 2026-05-01T10:00Z.",
  );
  expect(await printed("--since", "2026-13-01")).toContain("It must be a day");
  expect(await printed("--field", "ext")).toContain("Allowed choices are recvMsgOpt, attachedInfo,");
  expect(await printed("--setting", "one", "--user", "u1")).toContain("cannot be used with option '--user <userID>'");
});

it("gives other programs all that was kept, as it was kept", async () => {
  const { path, entries } = await threeDays();
  const lines = async (...flags: string[]) => {
    const { stdout, stderr } = await imAdmin(["history", "--history", path, "--format", "ndjson", ...flags]);
    expect(stderr).toBe("");
    return stdout
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  };
  const [one, oneEnd, two, twoEnd, three] = entries;
  expect(await lines()).toEqual([three, two, twoEnd, one, oneEnd]);
  expect(await lines("--admin", "ann")).toEqual([one, oneEnd]);
  expect(await lines("--setting", "two")).toEqual([two, twoEnd]);
  expect((await imAdmin(["history", "--history", path, "--format", "ndjson", "--json"])).status).toBe(2);
  // What was kept can be kept in another history.
  const copy = await openHistoryFile(`${path}-copy`);
  for (const line of await lines()) await copy.append([line]);
  expect((await copy.list({ offset: 0, limit: 9 })).items.map(({ settingID }) => settingID)).toEqual([
    "three",
    "two",
    "one",
  ]);
  await copy.close();
});

it("prints page after page, settings of one time in their order, and ends when nobody reads on", async () => {
  const path = `${temporaryFolder()}/history.db`;
  const history = await openHistoryFile(path);
  const [begun] = (await threeDays()).entries;
  const requestIDs = Array.from({ length: 250 }, (_, index) => `r${index}`);
  const time = (index: number) => Math.floor(index / 40);
  await history.append(
    requestIDs.map((requestID, index) => ({
      ...(begun as SettingBegun),
      requestID,
      operationID: "",
      time: time(index),
    })),
  );
  const { stdout } = await imAdmin(["history", "--history", path]);
  expect(stdout.match(/\S+$/gm)).toEqual(requestIDs.reverse());
  const line = `'${process.execPath}' '${cli}' history --history '${path}' | head -n 2 | wc -l`;
  expect(execFileSync("sh", ["-c", line], { encoding: "utf8" }).trim()).toBe("2");
  await history.close();
});

it("can be copied while it is written", async () => {
  const { url, history, token } = await server();
  const set = (ex: string) => post(`${url}/conversation/set_conversations`, token, settingOf(["u1"], { ex }));
  await set("before");
  execFileSync(process.execPath, [
    "--input-type=commonjs",
    "--eval",
    `require("better-sqlite3")(process.argv[1]).exec("VACUUM INTO '" + process.argv[1] + "-copy'")`,
    history,
  ]);
  expect(await set("after")).toMatchObject({ errCode: 0 });
  const { stdout } = await imAdmin(["history", "--history", `${history}-copy`]);
  expect(stdout.match(/{.*}/g)).toEqual(['{"ex":"before"}']);
  expect(statSync(`${history}-copy`).size).toBeGreaterThan(0);
});

it("says what is missing", async () => {
  const folder = temporaryFolder();
  const history = `${folder}/history`;
  const said = async (...args: string[]) => {
    const { status, stderr } = await imAdmin(["history", ...args]);
    return [status, stderr.split("\n")[0]];
  };
  expect(await said()).toEqual([2, "im-admin: a file is needed: --history or IM_ADMIN_HISTORY"]);
  expect(await said("--history", history)).toEqual([
    1,
    `im-admin: cannot read the history ${history}: there is no such file`,
  ]);
  writeFileSync(history, "");
  expect(await said("--history", history)).toEqual([0, ""]);
  expect(await said("--history", history, "--setting", "s1")).toEqual([1, `im-admin: ${history} has no setting s1`]);
});

it("is not kept beside an upstream, in another file, or where nobody can write", async () => {
  const folder = temporaryFolder();
  const said = async (history: string, ...more: string[]) => {
    const flags = ["--db", `${folder}/im.db`, "--port", "0", "--log-level", "silent", ...secret, "--history", history];
    const { status, stderr } = await imAdmin(["serve", ...flags, ...more]);
    return [status, stderr.split("\n")[0]];
  };
  expect(await said(`${folder}/history`, "--upstream", "http://localhost:1")).toEqual([
    2,
    "im-admin: --history is not for --upstream: OpenIM writes the conversations",
  ]);
  expect(await said(`${folder}/im.db`)).toEqual([
    1,
    `im-admin: cannot open the history ${folder}/im.db: it is another database, and no history: give the history a file of its own`,
  ]);
  writeFileSync(`${folder}/package.json`, '{"name": "chat"}');
  expect(await said(`${folder}/package.json`)).toEqual([
    1,
    expect.stringMatching(`^im-admin: cannot open the history ${folder}/package.json: it is no SQLite database, .*$`),
  ]);
  expect(await said(`${folder}/nowhere/history`)).toEqual([
    1,
    `im-admin: cannot open the history ${folder}/nowhere/history: there is no folder ${folder}/nowhere: make it first`,
  ]);
  expect(await said(folder)).toEqual([
    1,
    `im-admin: cannot open the history ${folder}: it is a folder: name a file in it, such as im.db`,
  ]);
  // Nothing has damaged the database.
  await openSqliteStore({ path: `${folder}/im.db` }).close();
});
