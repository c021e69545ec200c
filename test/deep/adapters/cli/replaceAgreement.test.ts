/** An import with --replace of a folder that changes by chance, under readers who must never see a mixture. */
import { fork } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { openSqliteStore } from "../../../../src/stores/drivers/sqlite.js";
import { createPostgresStore } from "../../../../src/stores/postgres/index.js";
import { randomOf, rounds, seed } from "../../../helpers/chance.js";
import { ChangedFolder } from "../../../helpers/changedFolder.js";
import { imAdmin } from "../../../helpers/cliProcess.js";
import { type PostgresServer, startPostgres } from "../../../helpers/postgres/server.js";
import { readLists } from "../../../helpers/readLists.mjs";
import { temporaryFolder } from "../../../helpers/stores.js";

type Lists = Record<string, string>;

/** Reads all the time. */
interface Reader {
  /** Waits until all that was read so far is known, and gives each answer of each list since the last time. */
  answers(): Promise<[list: string, answer: string][]>;
  stop(): Promise<void>;
}

/** Imports a folder that changes, and compares each time what is stored, and what was read meanwhile. */
async function expectAgreement(db: readonly string[], lists: () => Promise<Lists>, read: () => Promise<Reader>) {
  const folder = new ChangedFolder(randomOf(seed));
  const imported = async () => {
    folder.change();
    const { status, stderr } = await imAdmin(["import", folder.path, ...db, "--replace", "--yes"]);
    expect([status, stderr]).toEqual([0, expect.stringContaining("conversations.ndjson: ")]);
  };
  await imported();
  let before = await folder.lists();
  const reader = await read();
  await reader.answers();
  for (let round = 0; round < rounds(100); round += 1) {
    await imported();
    const after = await folder.lists();
    expect(await lists()).toEqual(after);
    const mixtures = (await reader.answers()).filter(
      ([list, answer]) => answer !== before[list] && answer !== after[list],
    );
    expect(mixtures).toEqual([]);
    before = after;
  }
  await reader.stop();
  expect(await imAdmin(["check", ...db])).toMatchObject({ status: 0 });
}

it("makes a file what a fresh import makes of the folder", { timeout: 600_000 }, async () => {
  const path = join(temporaryFolder(), "im.db");
  const lists = async () => {
    const store = openSqliteStore({ path, readonly: true });
    try {
      return await readLists(store);
    } finally {
      await store.close();
    }
  };
  await expectAgreement(["--db", path], lists, () => readInProcess(path));
});

/** Reads in another process, since an import holds up its own. */
async function readInProcess(path: string): Promise<Reader> {
  const child = fork(new URL("../../../children/sqliteRead.mjs", import.meta.url), [path]);
  onTestFinished(() => void child.kill("SIGKILL"));
  let answers: [string, string][] = [];
  let times = 0;
  const exit = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const waiting = new Map<number, () => void>();
  child.on("message", ({ list, answer, asked }: { list: string; answer: string; asked?: number }) => {
    if (asked === undefined) answers.push([list, answer]);
    else waiting.get(asked)?.();
  });
  return {
    async answers() {
      times += 1;
      const answered = new Promise<void>((resolve) => waiting.set(times, resolve));
      child.send(times);
      await Promise.race([answered, exit]);
      expect(child.exitCode).toBeNull();
      return answers.splice(0);
    },
    async stop() {
      child.send("stop");
      expect(await exit).toBe(0);
      answers = [];
    },
  };
}

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

it("makes a schema in PostgreSQL what a fresh import makes of the folder", { timeout: 600_000 }, async () => {
  const store = createPostgresStore({ pool: server.pool, settle: false });
  await expectAgreement(
    ["--db", server.url],
    () => readLists(store),
    async () => {
      let isOver = false;
      const answers: [string, string][] = [];
      let rounds = 0;
      const reading = (async () => {
        while (!isOver) {
          answers.push(...Object.entries(await readLists(store)));
          rounds += 1;
        }
      })();
      return {
        async answers() {
          const asked = rounds;
          // What was under way when it was asked is over two rounds later.
          await expect.poll(() => rounds, { timeout: 60_000 }).toBeGreaterThan(asked + 1);
          return answers.splice(0);
        },
        async stop() {
          isOver = true;
          await reading;
        },
      };
    },
  );
});
