/** Administrators ask for pages of users whose texts have megabytes. Another administrator is answered meanwhile. */
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { signAdminToken } from "../../../../adapters/auth.js";
import type { BundledStore } from "../../../../src/stores/bundledStore.js";
import { openSqliteStore } from "../../../../src/stores/drivers/sqlite.js";
import { createPostgresStore, migratePostgres } from "../../../../src/stores/postgres/index.js";
import { serve } from "../../../helpers/cliProcess.js";
import { paths } from "../../../helpers/http/request.js";
import { startPostgres } from "../../../helpers/postgres/server.js";
import { temporaryFolder } from "../../../helpers/stores.js";
import { residentBytes } from "../../helpers/residentBytes.js";

const secret = "a-secret-of-some-length";
const [heavy, light] = await Promise.all(["heavy", "light"].map((userID) => signAdminToken({ secret, userID })));
const ex = "e".repeat(2_000_000);
const members = 100;

/** A group of 100 members with texts of 2 MB, and one of a member without any. */
async function fill(store: BundledStore): Promise<void> {
  await store.put({ groups: [{ groupID: "long" }, { groupID: "short" }] });
  for (let index = 0; index < members; index += 1) {
    const userID = `u${index}`;
    await store.put({ users: [{ userID, ex }], groupMembers: [{ groupID: "long", userID, ex }] });
  }
  await store.put({ groupMembers: [{ groupID: "short", userID: "u0" }] });
  await store.close();
}

const databases: Record<string, () => Promise<string>> = {
  async SQLite() {
    const path = join(temporaryFolder(), "im.db");
    await fill(openSqliteStore({ path }));
    return path;
  },
  async PostgreSQL() {
    const { pool, url, stop } = await startPostgres();
    onTestFinished(stop);
    await migratePostgres(pool);
    await fill(createPostgresStore({ pool }));
    return url;
  },
};

it.each(Object.entries(databases))(
  "lives within 400 MB over %s, and answers others meanwhile",
  async (name, filled) => {
    const db = await filled();
    const flags = ["--db", db, "--secret", secret, "--admin", "heavy", "--admin", "light", "--log-level", "silent"];
    const served = await serve(flags, { NODE_OPTIONS: "--max-old-space-size=256" });
    async function ask(token: string | undefined, groupID: string, showNumber: number) {
      const response = await fetch(served.url + paths.members, {
        method: "POST",
        headers: { operationID: "op1", token: token ?? "" },
        body: JSON.stringify({ groupID, pagination: { pageNumber: 1, showNumber } }),
      });
      return response.json() as Promise<{ errCode: number; errDlt: string; data?: { members: unknown[] } }>;
    }
    await ask(light, "short", 20);
    let isOver = false;
    let [longest, most] = [0, 0];
    const others = (async () => {
      while (!isOver) {
        const begun = performance.now();
        expect(await ask(light, "short", 20)).toMatchObject({ errCode: 0, data: { total: 1 } });
        longest = Math.max(longest, performance.now() - begun);
        most = Math.max(most, residentBytes(served.pid));
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    })();
    for (let round = 0; round < 5; round += 1) {
      const refused = await Promise.all(Array.from({ length: 4 }, () => ask(heavy, "long", 100)));
      for (const { errDlt } of refused) {
        expect(errDlt).toBe("1001 ArgsError: pagination.showNumber must be at most 8: more have over 16777216 bytes");
      }
      const answered = await Promise.all(Array.from({ length: 3 }, () => ask(heavy, "long", 8)));
      for (const { errCode, data } of answered) expect([errCode, data?.members.length]).toEqual([0, 8]);
    }
    isOver = true;
    await others;
    process.stdout.write(
      `${name}: ${Math.round(most / 1e6)} MB at most, another call took ${Math.round(longest)} ms at most\n`,
    );
    expect(most).toBeLessThan(400e6);
    expect((await served.stop()).status).toBe(0);
  },
);
