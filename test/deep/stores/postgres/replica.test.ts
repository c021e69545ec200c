import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { type BundledStore, createPostgresStore } from "../../../../src/stores/postgres/index.js";
import { imAdmin } from "../../../helpers/cliProcess.js";
import { accounts, compareList, groupsOf, membersOf, requestsFor } from "../../../helpers/listsModel.js";
import { type PostgresCluster, startCluster } from "../../../helpers/postgres/cluster.js";
import { openMigrated } from "../../../helpers/postgres/migrated.js";
import { inOneSnapshot } from "../../../helpers/postgres/rows.js";

let primary: PostgresCluster;
let replica: PostgresCluster;
beforeAll(async () => {
  primary = await startCluster();
  const users = Array.from({ length: 20 }, (_, index) => ({ userID: `u${index}`, appMangerLevel: index % 4 }));
  await openMigrated(primary.pool, { users, groups: [{ groupID: "g1" }] });
  replica = await primary.startReplica();
});
afterAll(async () => {
  await replica.stop();
  await primary.stop();
});

const lists = [membersOf("g1"), membersOf("g1", { roleLevels: [60] }), groupsOf("u1"), requestsFor("u1"), accounts()];

/** Compares all pages of the replica with its own rows. */
function differences(): Promise<(string | undefined)[]> {
  return inOneSnapshot(replica.pool, async (store, rows) => {
    const found = [];
    for (const list of lists) found.push(await compareList(store, rows, list, 50));
    return found.filter((difference) => difference !== undefined);
  });
}

it("reads from a replica while others write, while the server is away, and when it is back", async () => {
  const store = createPostgresStore({ pool: primary.pool, readPool: replica.pool });
  const totalOf = async (one: BundledStore) =>
    (await one.listGroupMembers({ groupID: "g1", keyword: "", offset: 0, limit: 1 }))?.total;
  const total = () => totalOf(store);
  let acknowledged = 0;
  let isOver = false;
  // A writer that never waits writes the more, the longer its readers take, and they take longer the more there is.
  let mostWritten = 500;
  const writing = (async () => {
    for (let index = 0; !isOver; index += 1) {
      if (acknowledged >= mostWritten) {
        await pause(10);
        continue;
      }
      const groupMembers = Array.from({ length: index % 10 ? 1 : 100 }, (_, copy) => ({
        groupID: "g1",
        userID: `u${index}-${copy}`,
        roleLevel: copy % 7 ? 20 : 60,
        joinTime: copy,
      }));
      try {
        await store.put({ groupMembers, groupRequests: [{ groupID: "g1", userID: `u${index}` }] });
        acknowledged += groupMembers.length;
      } catch {
        // The server is away.
        await pause(10);
      }
    }
  })();
  onTestFinished(() => {
    isOver = true;
  });
  await expect.poll(total).toBeGreaterThan(300);
  for (let round = 0; round < 5; round += 1) {
    mostWritten = acknowledged + 500;
    expect(await differences()).toEqual([]);
  }

  mostWritten = Number.POSITIVE_INFINITY;
  await primary.kill();
  const before = acknowledged;
  mostWritten = before + 500;
  expect(await differences()).toEqual([]);
  expect(await total()).toBeGreaterThan(300);
  await primary.start();
  await expect.poll(() => acknowledged).toBeGreaterThan(before + 100);
  isOver = true;
  await writing;
  expect(await totalOf(createPostgresStore({ pool: primary.pool }))).toBeGreaterThanOrEqual(acknowledged);
  await expect.poll(total).toBeGreaterThanOrEqual(acknowledged);
  expect(await differences()).toEqual([]);
});

it("exports a list from a replica", async () => {
  const url = `postgres:///postgres?host=${replica.folder}&user=postgres`;
  const args = ["export", "--db", url, "--list", "notificationAccounts", "--keyword", "u1"];
  expect(await imAdmin(args)).toEqual({
    status: 0,
    stdout: [11, 15, 19].map((n) => `{"userID":"u${n}","faceURL":"","nickName":""}\n`).join(""),
    stderr: "3 notificationAccounts exported\n",
  });
});
