import { afterAll, beforeAll, expect, it } from "vitest";
import { setConversations } from "../../../../src/index.js";
import { createPostgresStore } from "../../../../src/stores/postgres/index.js";
import { fastSettings, type PostgresCluster, startCluster } from "../../../helpers/postgres/cluster.js";
import { openMigrated } from "../../../helpers/postgres/migrated.js";
import { poolWith } from "../../../helpers/postgres/sessions.js";

let cluster: PostgresCluster;
beforeAll(async () => {
  // The replica that writes wait for is away; only some of the sessions here wait for it.
  cluster = await startCluster({ settings: [...fastSettings, "synchronous_standby_names=away"] });
  await cluster.pool.query("SET synchronous_commit = local; ALTER DATABASE postgres SET synchronous_commit = local");
});
afterAll(() => cluster.stop());

it("fails if it has cancelled a commit that waited for a replica", async () => {
  const pool = poolWith(cluster.pool, {});
  await openMigrated(pool, { users: [{ userID: "u1" }, { userID: "u2" }] });
  const waiting = poolWith(cluster.pool, { options: "-c synchronous_commit=on" });
  const store = createPostgresStore({ pool: waiting });
  // A call that is given up is cancelled over another connection, which is there already.
  await Promise.all(Array.from({ length: 2 }, () => waiting.query("SELECT pg_sleep(0.1)")));
  const conversation = { conversationID: "c1", conversationType: 1, userID: "u2", isPinned: true } as const;
  const caller = new AbortController();
  const answer = setConversations(
    store,
    { userIDs: ["u1"], conversation },
    { signal: caller.signal, observer: { onError() {} } },
  );
  const waits = () => pool.query("SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
  await expect.poll(async () => (await waits()).rowCount).toBe(1);
  caller.abort("the caller has gone");
  expect((await answer).errCode).toBe(500);
  await expect.poll(async () => (await waits()).rowCount).toBe(0);
});
