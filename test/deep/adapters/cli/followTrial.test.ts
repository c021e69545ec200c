import { expect, it, onTestFinished } from "vitest";
import { start } from "../../../helpers/cliProcess.js";
import { driverModule, withMongodb } from "../../../helpers/openim/followed.js";
import { MongoLog } from "../../../helpers/openim/mongoLog.mjs";
import { MongoServer } from "../../../helpers/openim/mongoServer.js";
import { temporaryFolder } from "../../../helpers/stores.js";

/** A MongoDB with databases, each of which has a log. */
async function newMongo() {
  const folder = temporaryFolder();
  const logs = new Map<string, MongoLog>();
  const server = await MongoServer.start((name) => {
    const log = logs.get(name) ?? new MongoLog(`${folder}/${name}`);
    logs.set(name, log);
    return log;
  });
  onTestFinished(() => server.stop());
  return { server, logs, url: `mongodb://${server.host}` };
}

function tryIt(url: string, driver = "mongodb", ...flags: string[]) {
  const environment = { ...withMongodb(driverModule(driver)), IM_ADMIN_TRY: url };
  return start(["follow", "--json", "--for", "3s", ...flags], environment);
}

it.each(["mongodb", "mongodb-6"])("tells that a MongoDB is fit, with the driver %s", async (driver) => {
  const { logs, url } = await newMongo();
  const { status, stdout, stderr } = await tryIt(`${url}/openim_v3`, driver).ended;
  expect([status, stderr]).toEqual([
    0,
    expect.stringContaining("lists compared with those of whole copies: all are equal"),
  ]);
  const { writes, transactions, kills, lists, different, lag } = JSON.parse(stdout);
  expect([different, kills > 0, transactions > 0]).toEqual([[], true, true]);
  expect(writes).toBeGreaterThan(300);
  // The members of 5 groups, three lists of 16 users, and one of all.
  expect(lists % (5 + 3 * 16 + 1)).toBe(0);
  expect(lag.p99).toBeGreaterThanOrEqual(lag.p50);
  expect(stderr).toMatch(/not tried: a restart of MongoDB, an election, /);
  expect([...logs.keys()].filter((name) => !["admin", "im_admin_try"].includes(name))).toEqual([]);
  expect(logs.get("im_admin_try")?.documents("user")).toEqual([]);
});

it("tells which lists differ, and drops what it wrote", async () => {
  const { server, logs, url } = await newMongo();
  // Insertions, not deletions: without those, im-admin notices two documents with one key, and copies all again.
  server.withhold("insert");
  const { status, stdout, stderr } = await tryIt(url).ended;
  expect(status).toBe(1);
  expect(JSON.parse(stdout).different.length).toBeGreaterThan(0);
  expect(stderr).toMatch(/ lists compared with those of whole copies: [0-9,]+ differ\ndiffers: /);
  expect(stderr).toContain("im-admin: some lists differ: report it, with what was printed");
  expect(logs.get("im_admin_try")?.documents("group")).toEqual([]);
});

it("writes nothing beside documents of somebody else", async () => {
  const { logs, url } = await newMongo();
  await tryIt(url, "mongodb", "--for", "1s").ended;
  logs.get("im_admin_try")?.insert("user", { _id: 1, user_id: "left" });
  const { status, stderr } = await tryIt(url).ended;
  expect([status, stderr]).toEqual([1, expect.stringContaining("MongoDB has a database im_admin_try already")]);
  expect(logs.get("im_admin_try")?.documents("user")).toEqual([{ _id: 1, user_id: "left" }]);
});

it("drops what it wrote when it is interrupted", async () => {
  const { logs, url } = await newMongo();
  const trying = tryIt(url, "mongodb", "--for", "1h");
  await expect.poll(() => logs.get("im_admin_try")?.documents("group").length).toBeGreaterThan(0);
  trying.kill("SIGINT");
  expect((await trying.ended).status).not.toBe(0);
  expect(logs.get("im_admin_try")?.documents("group")).toEqual([]);
});

it.each([
  ["is no replica set", { role: "standalone" }, "this MongoDB is no replica set"],
  ["lets the user not write", { refusal: [13, "Unauthorized"] }, "MongoDB gives this user no right to write"],
  ["is too old", { wireVersion: 5 }, "this MongoDB is too old for the installed version of the package mongodb"],
] as const)("says that MongoDB %s", async (_title, state, sentence) => {
  const { server, url } = await newMongo();
  server.become(state);
  const { status, stderr } = await tryIt(url).ended;
  expect([status, stderr]).toEqual([1, expect.stringContaining(`im-admin: ${sentence}`)]);
  expect(stderr).not.toContain(server.host);
});
