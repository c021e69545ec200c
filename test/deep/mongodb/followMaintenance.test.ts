import Database from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { start } from "../../helpers/cliProcess.js";
import { account, driverModule, driversAndHeartbeats, newOpenim, withMongodb } from "../../helpers/openim/followed.js";
import { MongoServer } from "../../helpers/openim/mongoServer.js";

/** A process that follows a MongoDB by the real driver, when it has copied one user. */
async function followed({ driver, streams }: { driver: string; streams: boolean }) {
  const { log, db } = newOpenim();
  const server = await newServer(log);
  server.become({ streams });
  log.insert("user", account(1));
  const url = `mongodb://${server.host}/openim_v3`;
  const following = startFollowing(url, db, driver);
  await following.wrote("stderr", /following/);
  const file = new Database(db, { readonly: true });
  onTestFinished(() => void file.close());
  const users = () => file.prepare("SELECT count(*) FROM im_admin_users").pluck().get();
  return { log, server, following, users };
}

async function newServer(log: ReturnType<typeof newOpenim>["log"]) {
  const server = await MongoServer.start(() => log);
  onTestFinished(() => server.stop());
  return server;
}

function startFollowing(url: string, db: string, driver: string) {
  return start(["follow", "--db", db], { ...withMongodb(driverModule(driver)), IM_ADMIN_FROM: url });
}

/** All of them at the same time, since most of the time is waited. */
function withEach(run: (client: (typeof driversAndHeartbeats)[number]) => Promise<void>): Promise<unknown> {
  return Promise.all(driversAndHeartbeats.map(run));
}

it("follows again after all connections were cut, with each driver and each kind of heartbeat", () =>
  withEach(async (client) => {
    const { log, server, users } = await followed(client);
    // A polling client hangs only if it has been at rest before.
    const asked = Number(server.asked.get("getmore"));
    await expect.poll(() => server.asked.get("getmore"), { timeout: 60_000 }).toBeGreaterThan(asked + 8);
    server.cut();
    log.insert("user", account(2));
    await expect.poll(users, { message: JSON.stringify(client), timeout: 60_000 }).toBe(2);
  }));

it("ends when it is told to, also if its connections were cut", () =>
  withEach(async (client) => {
    const { server, following } = await followed(client);
    const asked = Number(server.asked.get("getmore"));
    await expect.poll(() => server.asked.get("getmore"), { timeout: 60_000 }).toBeGreaterThan(asked + 8);
    server.cut();
    following.kill("SIGTERM");
    expect(await following.ended).toMatchObject({ status: 0 });
  }));

it("gives up a connection on which MongoDB does not answer, and says so", () =>
  withEach(async (client) => {
    const { log, server, following, users } = await followed(client);
    server.become({ isFrozen: true });
    await following.wrote("stderr", /warning: MongoDB takes connections, but does not answer/);
    log.insert("user", account(2));
    server.cut();
    server.become({ isFrozen: false });
    await expect.poll(users, { message: JSON.stringify(client), timeout: 60_000 }).toBe(2);
  }));

it("ends when it is told to, also while MongoDB does not answer", () =>
  withEach(async (client) => {
    const { server, following } = await followed(client);
    server.become({ isFrozen: true });
    following.kill("SIGTERM");
    expect(await following.ended).toMatchObject({ status: 0 });
  }));

interface Cause {
  state: Partial<MongoServer["state"]>;
  options?: string;
  told: RegExp;
}

const causes: Cause[] = [
  { state: { wireVersion: 5 }, told: /too old for the installed version of the package mongodb/ },
  { state: { role: "standalone" }, options: "?replicaSet=rs0", told: /no host in MongoDB's URL is a member/ },
  { state: {}, options: "?replicaSet=rs1", told: /no host in MongoDB's URL is a member/ },
  { state: { role: "secondary" }, told: /replica set has no primary at present/ },
];

it("says why it reaches no MongoDB, without its host", () =>
  Promise.all(
    ["mongodb", "mongodb-6"].flatMap((driver) =>
      causes.map(async ({ state, options = "", told }) => {
        const { log, db } = newOpenim();
        const server = await newServer(log);
        server.become(state);
        const following = startFollowing(`mongodb://${server.host}/openim_v3${options}`, db, driver);
        await following.wrote("stderr", told);
        following.kill("SIGTERM");
        expect((await following.ended).stderr).not.toContain(server.host);
      }),
    ),
  ));

it("follows a change of a document of nearly 10 MB, of which an event has the document twice", async () => {
  const [client] = driversAndHeartbeats;
  if (client === undefined) throw new Error("there is no driver");
  const { log, following, users } = await followed(client);
  const long = { ...account(1), ex: "e".repeat(9_500_000) };
  log.update("user", long);
  log.insert("user", account(2));
  await expect.poll(users, { timeout: 60_000 }).toBe(2);
  expect(following.written.stderr).not.toContain("MongoDB cannot tell what has changed");
});
