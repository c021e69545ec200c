import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import type { FollowProgress } from "../../../src/openim/index.js";
import { randomOf, rounds, seed } from "../../helpers/chance.js";
import { newFile, newSchema } from "./copies.js";
import { newOpenimInMongo } from "./newOpenimInMongo.js";

const follower = fileURLToPath(new URL("follower.mjs", import.meta.url));
const changesOfRound = 200;

/** Starts a process that follows, and kills it before so many statements, or when the result is called. */
function start(url: string, copy: string, driver: string, killAt: number) {
  const child: ChildProcess = spawn(process.execPath, [follower, url, copy, driver], {
    env: { ...process.env, KILL_AT: String(killAt) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const told: FollowProgress[] = [];
  if (child.stdout) createInterface(child.stdout).on("line", (line) => told.push(JSON.parse(line)));
  const exited = once(child, "exit");
  const kill = async () => {
    child.kill("SIGKILL");
    await exited;
  };
  onTestFinished(kill);
  return { told, kill, exited };
}

it.each([
  ["SQLite", "mongodb", newFile],
  ["PostgreSQL", "mongodb-6", newSchema],
])("has what a whole import has after kills at any time, in %s, with the driver %s", async (_name, driver, newCopy) => {
  const { url, openim, expected } = await newOpenimInMongo();
  const { database, records } = await newCopy();
  const random = randomOf(seed);
  openim.write(changesOfRound);
  const kills = rounds(50);
  for (let round = 0; round < kills; round += 1) {
    // Some end within a statement of a commit, and others at any time.
    const { kill, told, exited } = start(url, database, driver, random() < 0.7 ? 1 + Math.floor(random() * 60) : 0);
    openim.write(changesOfRound / 2);
    await Promise.race([exited, expect.poll(() => told.length).toBeGreaterThan(0)]);
    openim.write(changesOfRound / 2);
    await kill();
  }
  start(url, database, driver, 0);
  await expect.poll(records, { timeout: 60_000 }).toEqual(expected());
});

it("copies again when a collection was dropped", async () => {
  const { log, records, told } = await followInFile();
  log.drop("user");
  await expect.poll(async () => Object.keys((await records()).users)).toEqual([]);
  log.insert("user", { _id: 1, user_id: "new" });
  await expect.poll(async () => Object.keys((await records()).users)).toEqual(["new"]);
  expect(told.at(-1)?.copies).toBe(2);
});

it("notes its place while only other collections change, so that MongoDB does not forget it", async () => {
  const { log, database } = await followInFile();
  const file = new Database(database, { readonly: true });
  onTestFinished(() => void file.close());
  const place = () => file.prepare("SELECT token FROM im_admin_last_import").pluck().get();
  const before = place();
  log.insert("msg", { _id: 1, doc_id: "m" });
  await expect.poll(place).not.toBe(before);
});

/** Follows a database with some documents. */
async function followInFile() {
  const { url, openim, log, expected } = await newOpenimInMongo();
  openim.write(changesOfRound);
  const { database, records } = await newFile();
  const { told } = start(url, database, "mongodb", 0);
  await expect.poll(records).toEqual(expected());
  return { log, database, records, told };
}
