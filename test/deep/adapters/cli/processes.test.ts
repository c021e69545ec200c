import { join } from "node:path";
import { expect, it } from "vitest";
import { imAdmin, post, serve } from "../../../helpers/cliProcess.js";
import { sendOverHttp } from "../../../helpers/http/adapters.js";
import { temporaryFolder } from "../../../helpers/stores.js";

const pagination = { pageNumber: 1, showNumber: 3 };

/** A server of two processes on a demo database; its log tells which of them has answered. */
async function startTwo() {
  const db = join(temporaryFolder(), "im.db");
  const server = await serve(["--demo", "--db", db, "--processes", "2"]);

  /** The lines of the log that are whole. */
  const lines = (): Record<string, unknown>[] =>
    server.written.stderr
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line));

  /** The processes that have answered a request, after one more request on a connection of its own. */
  async function askOnce(): Promise<number[]> {
    const headers = { operationID: "op1", token: server.token };
    const path = "/user/search_notification_account";
    const port = Number(new URL(server.url).port);
    const { text } = await sendOverHttp(port, { method: "POST", path, headers, body: JSON.stringify({ pagination }) });
    expect(JSON.parse(text)).toMatchObject({ errCode: 0, data: { total: 4 } });
    const answered = lines().filter(({ msg }) => msg === "request");
    return [...new Set(answered.map(({ pid }) => Number(pid)))];
  }

  /** Asks until so many processes have answered. */
  async function processes(count: number): Promise<number[]> {
    await expect.poll(askOnce, { timeout: 30_000 }).toHaveLength(count);
    return askOnce();
  }
  return { ...server, db, lines, processes };
}

it("answers by several processes on one port, replaces one that has died, and ends them all", async () => {
  const { processes, lines, stop } = await startTwo();
  const [first = 0, second = 0] = await processes(2);
  process.kill(first, "SIGKILL");
  await expect
    .poll(() => lines().filter(({ level }) => level === 50), { timeout: 30_000 })
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
  const third = (await processes(3)).find((pid) => pid !== first && pid !== second) ?? 0;

  const { status, stdout } = await stop();
  expect(status).toBe(0);
  expect(stdout.match(/im-admin answers on/g)).toHaveLength(1);
  for (const pid of [first, second, third]) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
});

it("shares its database and its tokens between processes", async () => {
  const { url, token, processes } = await startTwo();
  await processes(2);
  const conversation = { conversationID: "c1", conversationType: 1, userID: "1001800006" };
  const set = (burnDuration: number) =>
    post(`${url}/conversation/set_conversations`, token, {
      userIDs: ["1000000007"],
      conversation: { ...conversation, burnDuration },
    });
  const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => set(index)));
  expect(answers.map(({ errCode }) => errCode)).toEqual(Array(20).fill(0));
});

it.each([
  [["--processes", "2", "--db", ":memory:"], 2, "--processes is for a database that processes can share"],
  [["--processes", "0"], 2, "It must be a number from 1 to 64."],
  [["--processes", "2", "--db", "/no/such/folder/im.db"], 1, "there is no folder /no/such/folder: make it first"],
  [["--processes", "2", "--host", "203.0.113.1"], 1, "203.0.113.1 is no address of this machine"],
])("ends at once with %j, and says why once", async (flags, status, sentence) => {
  const environment = {
    IM_ADMIN_SECRET: "correct horse battery staple",
    IM_ADMIN_DB: join(temporaryFolder(), "im.db"),
  };
  const ended = await imAdmin(["serve", "--admin", "a", "--port", "0", ...flags], environment);
  expect(ended).toMatchObject({ status, stdout: "" });
  expect(ended.stderr.split(sentence)).toHaveLength(2);
});
