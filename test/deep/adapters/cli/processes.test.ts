import { join } from "node:path";
import { expect, it } from "vitest";
import { post, serve, start } from "../../../helpers/cliProcess.js";
import { sendOverHttp } from "../../../helpers/http/send.js";
import { temporaryFolder } from "../../../helpers/stores.js";

it("answers by several processes on one port and database, replaces one that has died, and ends them all", async () => {
  const db = join(temporaryFolder(), "im.db");
  const { url, token, written, stop } = await serve(["--demo", "--db", db, "--processes", "2"]);

  /** The lines of the log that are whole, which tell the process. */
  const lines = (): Record<string, unknown>[] =>
    written.stderr
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line));

  /** The processes that have answered a request, after one more request on a connection of its own. */
  async function askOnce(): Promise<number[]> {
    const headers = { operationID: "op1", token };
    const body = JSON.stringify({ pagination: { pageNumber: 1, showNumber: 3 } });
    const path = "/user/search_notification_account";
    const { text } = await sendOverHttp(Number(new URL(url).port), { method: "POST", path, headers, body });
    expect(JSON.parse(text)).toMatchObject({ errCode: 0, data: { total: 4 } });
    const answered = lines().filter(({ msg }) => msg === "request");
    return [...new Set(answered.map(({ pid }) => Number(pid)))];
  }

  await expect.poll(askOnce).toHaveLength(2);
  const [first = 0, second = 0] = await askOnce();
  const set = async (burnDuration: number) => {
    const conversation = { conversationID: "c1", conversationType: 1, userID: "1001800006", burnDuration };
    return post(`${url}/conversation/set_conversations`, token, { userIDs: ["1000000007"], conversation });
  };
  const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => set(index)));
  expect(answers.map(({ errCode }) => errCode)).toEqual(Array(20).fill(0));

  process.kill(first, "SIGKILL");
  await expect
    .poll(() => lines().filter(({ level }) => level === 50))
    .toEqual([
      {
        level: 50,
        time: expect.any(Number),
        pid: first,
        code: null,
        signal: "SIGKILL",
        msg: "a process has ended, and another takes its place",
      },
    ]);
  await expect.poll(askOnce).toHaveLength(3);
  const third = (await askOnce()).find((pid) => pid !== first && pid !== second) ?? 0;

  const { status, stdout } = await stop();
  expect(status).toBe(0);
  expect(stdout.match(/im-admin answers on/g)).toHaveLength(1);
  for (const pid of [first, second, third]) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
});

it.each([
  [["--db", "/no/such/folder/im.db"], "there is no folder /no/such/folder: make it first"],
  [["--host", "203.0.113.1"], "203.0.113.1 is no address of this machine"],
])("ends at once with %j, and says why once", async (flags, sentence) => {
  const environment = { IM_ADMIN_SECRET: "16 characters...", IM_ADMIN_DB: join(temporaryFolder(), "im.db") };
  const args = ["serve", "--processes", "2", "--admin", "a", "--port", "0", ...flags];
  const ended = await start(args, environment).ended;
  expect(ended).toMatchObject({ status: 1, stdout: "" });
  expect(ended.stderr.split(sentence)).toHaveLength(2);
});
