import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { createPostgresStore, migratePostgres } from "../../../../src/stores/postgres/index.js";
import { imAdmin, post, serve } from "../../../helpers/cliProcess.js";
import { type PostgresCluster, startCluster } from "../../../helpers/postgres/cluster.js";
import { temporaryFolder } from "../../../helpers/stores.js";

let cluster: PostgresCluster;
/** Somebody who migrates the database "slow", and does not come to an end. */
let migrating: pg.Client;
beforeAll(async () => {
  cluster = await startCluster({ access: ["local all ann scram-sha-256", "local all bob reject"] });
  for (const statement of [
    "CREATE ROLE ann LOGIN PASSWORD 's3/cr#t'",
    "CREATE DATABASE others",
    "CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LOCALE 'C' LOCALE_PROVIDER libc",
    "CREATE ROLE hurried LOGIN",
    "ALTER ROLE hurried SET statement_timeout = 100",
    "CREATE DATABASE slow OWNER hurried",
  ]) {
    await cluster.pool.query(statement);
  }
  migrating = new pg.Client({ host: cluster.folder, user: "postgres", database: "slow" });
  // A test stops the server.
  migrating.on("error", () => {});
  await migrating.connect();
  await migrating.query("SELECT pg_advisory_lock(hashtext('im-admin migration'))");
});
afterAll(async () => {
  await migrating.end();
  await cluster.stop();
});

const password = "give the right one in the URL, in PGPASSWORD, or in the file ~/.pgpass";

it.each([
  ["ann:secret", "others", `the password is wrong, or there is no such user: ${password}`],
  ["ann", "others", `a password is needed: ${password}`],
  ["ann:s3%2Fcr%23t", "none", "there is no such database: make it with createdb, or name another"],
  ["ann:s3%2Fcr%23t", "others", "the role ann lacks a right: GRANT CREATE ON DATABASE others TO ann"],
  [
    "postgres",
    "latin",
    "the database has the encoding LATIN1: make one for im-admin with CREATE DATABASE ... TEMPLATE template0 ENCODING 'UTF8'",
  ],
  [
    "hurried",
    "slow",
    "canceling statement due to statement timeout: raise the limit of time that the server or this user has for it, and try again",
  ],
  ["bob", "others", "REJECTION: name another user, or allow this one in the server's pg_hba.conf"],
])("tells %s why the database %s cannot be used, and what to do", async (account, database, reason) => {
  const url = `postgresql://${account}@${encodeURIComponent(cluster.folder)}/${database}`;
  const args = ["serve", "--port", "0", "--secret", "a secret of a test", "--admin", "a", "--db", url];
  const { status, stdout, stderr } = await imAdmin(args);
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr.replace(cluster.folder, "FOLDER").replace(/pg_hba\.conf rejects .* no encryption/, "REJECTION")).toBe(
    `im-admin: cannot use the database postgres:///${database}?host=FOLDER: ${reason}\n`,
  );
});

it("tells a user who may not read the lists who may", async () => {
  await migratePostgres(cluster.pool);
  const url = `postgresql://ann:s3%2Fcr%23t@${encodeURIComponent(cluster.folder)}/postgres`;
  const { status, stderr } = await imAdmin(["export", "--list", "notificationAccounts", "--db", url]);
  expect([status, stderr.replace(cluster.folder, "FOLDER")]).toEqual([
    1,
    "im-admin: cannot use the database postgres:///postgres?host=FOLDER: the role ann lacks rights: GRANT USAGE ON SCHEMA im_admin TO ann; GRANT SELECT ON ALL TABLES IN SCHEMA im_admin TO ann\n",
  ]);
});

it.each([
  [
    "postgres://ann:s3cret@127.0.0.1:1/im",
    "no PostgreSQL server listens there: start it, or name another host or port",
  ],
  ["postgres://ann:s3cret@nowhere.invalid/im", "no address is known for this host: name another"],
  [
    "postgres://ann:s3cret@h:99999/im",
    "the URL in --db cannot be read: it must be such as postgres://user@host:5432/database",
  ],
  ["postgres://ann:1/s3cret@h/im", "with %40, %2F and %23 for @, / and # in a password"],
])("says what is wrong with %s, and shows no password", async (url, sentence) => {
  const { status, stdout, stderr } = await imAdmin(["check", "--db", url]);
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toContain(sentence);
  expect(stderr).not.toContain("s3cret");
});

it("says what to install where the driver is missing", async () => {
  const folder = temporaryFolder();
  const root = fileURLToPath(new URL("../../../../", import.meta.url));
  for (const name of ["dist", "package.json"]) cpSync(join(root, name), join(folder, name), { recursive: true });
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(join(root, "node_modules/valibot"), join(folder, "node_modules/valibot"));
  const args = [join(folder, "dist/adapters/cli/main.js"), "check", "--db", "postgres://h/im"];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect([status, stderr]).toEqual([
    1,
    "im-admin: the package pg, which speaks to PostgreSQL, cannot be loaded: npm install pg\n",
  ]);
});

it("serves a demo world, answers 500 while the server is away, and keeps what was changed", async () => {
  await cluster.pool.query("CREATE DATABASE away");
  const url = `postgres://postgres:s3cret@${encodeURIComponent(cluster.folder)}/away`;
  const flags = ["--demo", "--db", url, "--schema", "demo"];
  const first = await serve(flags);
  expect(first.stdout).toContain(`, from postgres:///away?host=${cluster.folder}\n`);
  expect(first.stdout).toContain("A token of the administrator imAdmin, good until this server ends:\n");
  const members = { groupID: "2559217223", keyword: "李", pagination: { pageNumber: 1, showNumber: 3 } };
  const list = ({ url, token }: typeof first) => post(`${url}/group/get_group_member_list`, token, members);
  expect(await list(first)).toMatchObject({ errCode: 0, data: { total: 167, members: [{}, {}, {}] } });
  const conversation = { conversationID: "sg_2559217223", conversationType: 3, groupID: "2559217223", ex: "changed" };
  await post(`${first.url}/conversation/set_conversations`, first.token, { userIDs: ["1001800006"], conversation });
  await cluster.kill();
  expect(await list(first)).toMatchObject({ errCode: 500 });
  await cluster.start();
  await expect.poll(() => list(first)).toMatchObject({ errCode: 0, data: { total: 167 } });
  const { status, stderr } = await first.stop();
  expect([status, stderr]).toEqual([0, expect.stringContaining('"err":')]);

  const second = await serve(flags);
  expect(await list(second)).toMatchObject({ errCode: 0, data: { total: 167 } });
  await second.stop();
  const pool = new pg.Pool({ connectionString: url });
  onTestFinished(() => pool.end());
  const store = createPostgresStore({ pool, schema: "demo" });
  expect(await store.conversations("1001800006")).toMatchObject([{ ex: "changed" }]);
});
