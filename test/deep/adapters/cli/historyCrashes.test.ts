/** The history and the database agree, however the servers end that write both. */
import { execFile } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import BetterSqlite3 from "better-sqlite3";
import { expect, it } from "vitest";
import { signAdminToken } from "../../../../adapters/auth.js";
import { openHistoryFile, type SettingBegun, type SettingEnded } from "../../../../adapters/node.js";
import { openSqliteStore } from "../../../../src/stores/drivers/sqlite.js";
import { randomOf, rounds, seed } from "../../../helpers/chance.js";
import { cli, post, serve } from "../../../helpers/cliProcess.js";
import { settingOf } from "../../../helpers/history.js";
import { temporaryFolder } from "../../../helpers/stores.js";

const random = randomOf(seed);
const secret = "sixteen-characters";
const environment = { IM_ADMIN_SECRET: secret, IM_ADMIN_ADMIN: "ann" };
const userIDs = Array.from({ length: 200 }, (_, index) => `u${index}`);

/** A database with these users, and a place for the history. */
async function files() {
  const folder = temporaryFolder();
  const paths = { database: `${folder}/im.db`, history: `${folder}/history.db` };
  const store = openSqliteStore({ path: paths.database });
  await store.put({ users: userIDs.map((userID) => ({ userID })), groups: [{ groupID: "g1" }] });
  await store.close();
  return paths;
}

/** The entries of a history. */
function entriesIn(path: string) {
  const database = new BetterSqlite3(path, { readonly: true });
  const entries = (table: string) =>
    database
      .prepare(`SELECT entry FROM ${table} ORDER BY rowid`)
      .pluck()
      .all()
      .map((entry) => JSON.parse(entry as string));
  const found: { begun: SettingBegun[]; ended: SettingEnded[] } = {
    begun: entries("requests"),
    ended: entries("ends"),
  };
  expect(database.pragma("integrity_check", { simple: true })).toBe("ok");
  database.close();
  return found;
}

it("after servers were killed while they wrote one file, each value in the database is explained by it", async () => {
  const { database, history } = await files();
  const token = await signAdminToken({ secret, userID: "ann" });
  const start = () => serve(["--db", database, "--history", history], environment);
  // While a server starts again, its clients wait for it.
  const servers = [start(), start()];
  await Promise.all(servers);
  const settings = Math.max(150, rounds(1_000));
  let next = 1;
  let isOver = false;
  let answered = 0;
  async function client(number: number): Promise<void> {
    while (next <= settings) {
      const burnDuration = next;
      next += 1;
      const some = userIDs.filter(() => random() < 0.3);
      const server = await servers[number % 2];
      const url = `${server?.url}/conversation/set_conversations`;
      const answer = await post(url, token, settingOf(["u0", ...some], { burnDuration })).catch(() => undefined);
      if (answer?.errCode === 0) answered += 1;
      // The server is dead, and is about to be replaced.
      else await delay(20);
    }
  }
  async function killer(): Promise<number> {
    let killed = 0;
    while (!isOver) {
      await delay(random() * 500);
      const server = await servers[killed % 2];
      server?.kill("SIGKILL");
      servers[killed % 2] = (server?.ended ?? Promise.resolve()).then(start);
      await servers[killed % 2];
      killed += 1;
    }
    return killed;
  }
  const killing = killer();
  await Promise.all([client(0), client(1), client(2), client(3)]);
  isOver = true;
  const killed = await killing;
  for (const server of servers) await (await server).stop();

  const { begun, ended } = entriesIn(history);
  const outcomes = new Map(ended.map((entry) => [entry.requestID, entry]));
  const done = begun.filter(({ requestID }) => outcomes.get(requestID)?.outcome === "done");
  expect(killed).toBeGreaterThan(0);
  expect(done.length).toBeGreaterThanOrEqual(answered);
  expect(answered).toBeGreaterThan(settings / 4);
  const { items } = await (await openHistoryFile(history)).list({ offset: 0, limit: 10_000 });
  expect(items.length).toBe(begun.length);
  expect(items.filter(({ outcome }) => outcome === "done").length).toBe(done.length);

  const store = openSqliteStore({ path: database });
  for (const userID of userIDs) {
    const steps = new Map<number, number>();
    for (const { requestID, fields } of done) {
      const group = outcomes.get(requestID)?.before?.find((group) => group.userIDs.includes(userID));
      if (group !== undefined) steps.set(group.fields.burnDuration ?? -1, fields.burnDuration ?? -1);
    }
    const unknown = begun
      .filter(({ requestID, userIDs }) => !outcomes.has(requestID) && userIDs.includes(userID))
      .map(({ fields }) => fields.burnDuration ?? -1);
    const stored = (await store.conversations(userID))[0]?.burnDuration ?? 0;
    // From each value to the next one: by what is known, and where nothing is, by a request that was cut off.
    let value = 0;
    for (let left = steps.size; left > 0; ) {
      const known = steps.get(value);
      const cut = known === undefined ? unknown.findIndex((candidate) => steps.has(candidate)) : -1;
      if (known === undefined && cut < 0) break;
      if (known !== undefined) {
        steps.delete(value);
        left -= 1;
      }
      value = known ?? unknown.splice(cut, 1)[0] ?? -1;
    }
    expect([userID, steps.size]).toEqual([userID, 0]);
    expect([value, ...unknown]).toContain(stored);
  }
  await store.close();
});

it("changes nothing while there is no room for the history, and goes on when there is", async () => {
  const { database, history } = await files();
  const token = await signAdminToken({ secret, userID: "ann" });
  const set = async (url: string, fields: object) =>
    (await post(`${url}/conversation/set_conversations`, token, settingOf(userIDs, fields))).errCode;
  // The shell lets no file grow beyond this, and the history is nearly as long.
  const most = 33_554_432;
  const filled = await openHistoryFile(history);
  const begun = { entry: "begun", time: 1, adminUserID: "ann", operationID: "", conversationID: "c" } as const;
  await filled.append([
    {
      ...begun,
      requestID: "r",
      conversationType: 3,
      userID: "",
      groupID: "g",
      fields: { ex: "x".repeat(most - 500_000) },
      userIDs: ["u"],
    },
  ]);
  await filled.close();
  const line = `ulimit -f ${most / 1024}; exec '${process.execPath}' '${cli}' serve --port 0 --db '${database}' --history '${history}'`;
  const child = execFile("bash", ["--norc", "-c", line], { env: { PATH: process.env["PATH"], ...environment } });
  const url = await new Promise<string>((resolve) => {
    child.stdout?.on("data", (text) => {
      const [, found] = /answers on (\S+),/.exec(text) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  const codes: number[] = [];
  for (let burnDuration = 1; codes.at(-1) !== 500 && burnDuration < 1_000; burnDuration += 1) {
    codes.push(await set(url, { burnDuration }));
  }
  expect(codes.at(-1)).toBe(500);
  const made = codes.indexOf(500);
  const store = openSqliteStore({ path: database });
  expect((await store.conversations("u7"))[0]?.burnDuration).toBe(made);
  expect(made).toBeGreaterThan(2);
  child.kill("SIGKILL");
  await new Promise((resolve) => child.once("exit", resolve));

  const server = await serve(["--db", database, "--history", history], environment);
  expect(await set(server.url, { burnDuration: 5_000 })).toBe(0);
  const page = { pagination: { pageNumber: 1, showNumber: 2 } };
  const { data } = await post(`${server.url}/im_admin/list_settings`, token, page);
  expect(data["settings"]).toMatchObject([
    { fields: { burnDuration: 5_000 }, users: 200, changed: 200, outcome: "done" },
    { fields: { burnDuration: made } },
  ]);
  await server.stop();
  await store.close();
});
