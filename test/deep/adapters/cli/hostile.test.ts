import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { demoUserID } from "../../../../adapters/cli/demo.js";
import { openSqliteStore } from "../../../../src/stores/drivers/sqlite.js";
import { rounds } from "../../../helpers/chance.js";
import { imAdmin, post, serve } from "../../../helpers/cliProcess.js";
import { attack, slowClients } from "../../../helpers/http/attacks.js";
import { temporaryFolder } from "../../../helpers/stores.js";
import { residentBytes } from "../../helpers/residentBytes.js";

const attacks = rounds(100_000) / 2;

it("stands hostile clients, and leaves no half of a change when it is killed", { timeout: 3_600_000 }, async () => {
  const db = join(temporaryFolder(), "im.db");
  const { url, token, pid, kill, ended, written } = await serve(["--demo", "--db", db, "--log-level", "error"]);
  const port = Number(new URL(url).port);

  const slow = await slowClients(port, 500);
  onTestFinished(() => {
    for (const socket of slow) socket.destroy();
  });
  expect(await attack({ port, token }, attacks)).toEqual([]);
  const before = residentBytes(pid);
  expect(await attack({ port, token }, attacks)).toEqual([]);
  expect(residentBytes(pid) - before).toBeLessThan(100 * 2 ** 20);
  // All that the server has to say of it.
  expect(written.stderr).toBe("");

  const conversation = { conversationID: "c1", conversationType: 1, userID: "1001800006" };
  const userIDs = [1, 2, 3].map(demoUserID);
  const set = (burnDuration: number) =>
    post(`${url}/conversation/set_conversations`, token, { userIDs, conversation: { ...conversation, burnDuration } });
  expect(await set(0)).toMatchObject({ errCode: 0 });
  let answered = 0;
  async function setOnAndOn(): Promise<never> {
    for (;;) {
      await set(answered + 1);
      answered += 1;
    }
  }
  const cut = setOnAndOn().catch(() => {});
  await expect.poll(() => answered, { timeout: 30_000 }).toBeGreaterThan(5);
  kill("SIGKILL");
  await cut;
  expect((await ended).status).toBe("SIGKILL");

  expect(await imAdmin(["check", "--db", db])).toMatchObject({ status: 0 });
  const store = openSqliteStore({ path: db });
  onTestFinished(() => store.close());
  const kept = await Promise.all(
    userIDs.map(async (userID) =>
      (await store.conversations(userID)).find(({ conversationID }) => conversationID === "c1"),
    ),
  );
  const durations = new Set(kept.map((found) => found?.burnDuration));
  // All that was answered is kept, and of the change that was cut off, all or nothing.
  expect([[answered], [answered + 1]]).toContainEqual([...durations]);
});
