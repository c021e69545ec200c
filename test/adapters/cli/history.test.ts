import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { openSqliteStore } from "../../../src/stores/drivers/sqlite.js";
import { imAdmin, post, serveHere } from "../../helpers/cliProcess.js";
import { settingOf } from "../../helpers/history.js";
import { temporaryFolder } from "../../helpers/stores.js";

const secret = ["--secret", "sixteen-characters", "--admin", "ann"];

/** A server with a history, and a token for it. */
async function server(more: readonly string[] = []) {
  const folder = temporaryFolder();
  const [database, history] = [`${folder}/im.db`, `${folder}/history.ndjson`];
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
  expect(readFileSync(history, "utf8")).not.toContain(token);
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
    `im-admin: cannot read the history ${history}: it is not there`,
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
    `im-admin: cannot open the history ${folder}/im.db: it is there, and no history`,
  ]);
  writeFileSync(`${folder}/package.json`, '{"name": "chat"}');
  expect(await said(`${folder}/package.json`)).toEqual([
    1,
    `im-admin: cannot open the history ${folder}/package.json: it is there, and no history`,
  ]);
  expect(await said(`${folder}/nowhere/history`)).toEqual([
    1,
    `im-admin: cannot open the history ${folder}/nowhere/history: it is not there`,
  ]);
  expect(await said(folder)).toEqual([1, `im-admin: cannot open the history ${folder}: it is no file`]);
  // Nothing has damaged the database.
  await openSqliteStore({ path: `${folder}/im.db` }).close();
});
