import { expect, it } from "vitest";
import { signAdminToken } from "../../../adapters/auth.js";
import { randomOf, rounds, seed } from "../../helpers/chance.js";
import { post, serve } from "../../helpers/cliProcess.js";
import { driverModule, driversAndHeartbeats, withMongodb } from "../../helpers/openim/followed.js";
import type { MongoServer } from "../../helpers/openim/mongoServer.js";
import { newFile } from "./copies.js";
import { newOpenimInMongo } from "./newOpenimInMongo.js";

const secret = "a-secret-of-some-length";
const token = await signAdminToken({ secret, userID: "boss" });

/** How long MongoDB is away at most, in milliseconds. */
const longest = 15_000;

/** What is done to a MongoDB, and what brings it back. */
const failures: Record<string, (server: MongoServer, pause: () => Promise<void>) => Promise<void>> = {
  async killed(server, pause) {
    await server.stop();
    await pause();
    await server.restart();
  },
  async stopped(server, pause) {
    server.become({ role: "secondary", refusal: [91, "ShutdownInProgress"] });
    await server.stop();
    await pause();
    server.become({ role: "primary", refusal: undefined });
    await server.restart();
  },
  async "started alone"(server, pause) {
    await server.stop();
    server.become({ role: "standalone" });
    await server.restart();
    await pause();
    await server.stop();
    server.become({ role: "primary" });
    await server.restart();
  },
  async "alone for a while"(server, pause) {
    server.become({ role: "standalone" });
    await pause();
    server.become({ role: "primary" });
  },
  async "stepped down"(server, pause) {
    server.become({ role: "secondary" });
    await pause();
    server.become({ role: "primary" });
  },
  async "cut off"(server) {
    server.cut();
  },
  async "behind a cut network"(server, pause) {
    server.become({ isFrozen: true });
    await pause();
    server.cut();
    server.become({ isFrozen: false });
  },
  async "started with a short oplog"(server, pause) {
    await server.stop();
    await pause();
    server.cutOplog("openim_v3");
    await server.restart();
  },
};

/** Lets each failure happen to a MongoDB that a server follows, and tells the longest times until it was back. */
async function survive({ driver, streams }: (typeof driversAndHeartbeats)[number]): Promise<string[]> {
  const { log, server, url, openim, expected } = await newOpenimInMongo();
  server.become({ streams });
  openim.write(200);
  const { database, records } = await newFile();
  const flags = ["--secret", secret, "--admin", "boss", "--db", database];
  const served = await serve(flags, { ...withMongodb(driverModule(driver)), IM_ADMIN_FOLLOW: url });
  const random = randomOf(seed);
  const title = `${driver}, ${streams ? "streaming" : "polling"}`;
  let marks = 0;
  /** How long the lists take until they show a new account, in milliseconds. */
  async function shown(after: string): Promise<number> {
    marks += 1;
    const user_id = `mark ${marks}`;
    log.insert("user", { _id: user_id, user_id, app_manger_level: 3 });
    const begun = performance.now();
    const search = { keyword: user_id, pagination: { pageNumber: 1, showNumber: 1 } };
    const found = () => post(`${served.url}/user/search_notification_account`, token, search);
    await expect
      .poll(found, { timeout: 60_000 })
      .toMatchObject({ data: { total: 1 } })
      .catch((error: Error) => {
        const lines = served.written.stderr.split("\n").filter((line) => !line.includes('"msg":"request"'));
        throw new Error(`${title}, ${after}: ${lines.slice(-20).join("\n")}`, { cause: error });
      });
    log.delete("user", user_id);
    return Math.round(performance.now() - begun);
  }

  await shown("at first");
  const times = rounds(20);
  const kinds = Object.entries(failures).flatMap((kind) => Array.from({ length: times }, () => kind));
  // In any order, since one failure may come while another is got over.
  const shuffled = kinds.map((kind) => ({ kind, at: random() })).sort((left, right) => left.at - right.at);
  const returns = new Map<string, number[]>();
  for (const { kind } of shuffled) {
    const [name, fail] = kind;
    openim.write(20);
    await fail(server, async () => {
      openim.write(20);
      await new Promise((resolve) => setTimeout(resolve, random() ** 3 * longest));
    });
    returns.set(name, [...(returns.get(name) ?? []), await shown(name)]);
    await expect.poll(records, { timeout: 10_000, message: `${title}, ${name}` }).toEqual(expected());
  }
  expect((await served.stop()).status).toBe(0);
  return [...returns].map(([name, all]) => `${title}: ${all.length} times ${name}, back after ${Math.max(...all)} ms`);
}

it("is back within a minute after each failure of MongoDB, and has what a whole import has", async () => {
  const told = await Promise.all(driversAndHeartbeats.map(survive));
  process.stdout.write(`${told.flat().sort().join("\n")}\n`);
}, 7_200_000);
