import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { imAdmin, post, serve } from "../../helpers/cliProcess.js";
import { type PostgresCluster, startCluster } from "../../helpers/postgres/cluster.js";
import { temporaryFolder } from "../../helpers/stores.js";

let cluster: PostgresCluster;
beforeAll(async () => {
  cluster = await startCluster({ access: ["local all ann scram-sha-256", "local all bob reject"] });
  await cluster.pool.query("CREATE ROLE ann LOGIN PASSWORD 's3/cr#t'");
  await cluster.pool.query("CREATE DATABASE others");
  await cluster.pool.query(
    "CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LOCALE 'C' LOCALE_PROVIDER libc",
  );
});
afterAll(() => cluster.stop());

const environment = { IM_ADMIN_SECRET: "a secret of a test", IM_ADMIN_ADMIN: "a" };

/** What serve says that cannot begin. */
async function refusal(account: string, database: string, ...flags: string[]): Promise<string> {
  const url = `postgresql://${account}@${encodeURIComponent(cluster.folder)}/${database}`;
  const { status, stdout, stderr } = await imAdmin(["serve", "--port", "0", "--db", url, ...flags], environment);
  expect([status, stdout]).toEqual([1, ""]);
  return stderr.replace(cluster.folder, "FOLDER");
}

it("says why a database cannot be used, and what to do", async () => {
  const password = "give the right one in the URL, in PGPASSWORD, or in the file ~/.pgpass\n";
  const cannot = (database: string) => `im-admin: cannot use the database postgres:///${database}?host=FOLDER: `;
  expect(await refusal("ann:secret", "others")).toBe(
    `${cannot("others")}the password is wrong, or there is no such user: ${password}`,
  );
  expect(await refusal("ann", "others")).toBe(`${cannot("others")}a password is needed: ${password}`);
  expect(await refusal("bob", "others")).toMatch(/name another user, or allow this one in the server's pg_hba.conf\n$/);
  expect(await refusal("ann:s3%2Fcr%23t", "none")).toBe(
    `${cannot("none")}there is no such database: make it with createdb, or name another\n`,
  );
  expect(await refusal("ann:s3%2Fcr%23t", "others")).toBe(
    `${cannot("others")}permission denied for database others: run this once as a user who may make the schema, or who owns it, or GRANT CREATE ON DATABASE to this one\n`,
  );
  expect(await refusal("postgres", "latin")).toBe(
    `${cannot("latin")}the database has the encoding LATIN1: make one for im-admin with CREATE DATABASE ... TEMPLATE template0 ENCODING 'UTF8'\n`,
  );
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

it.each([
  [
    ["serve", "--adopt", "--db", "postgres://ann:s3cret@h/im"],
    "--adopt is for files: in PostgreSQL, the tables have a schema of their own\n",
  ],
  [["check", "--schema", "im", "--db", "im.db"], "--schema is for PostgreSQL: a file has one schema only\n"],
  [
    ["check", "--db", "mysql://ann:s3cret@h/im"],
    "--db must be a file, or a URL that begins with postgres:// or postgresql://\n",
  ],
  [["check", "--db", "postgres:/ann:s3cret@h/im"], "the URL in --db cannot be read: it must be such as postgres://"],
  [["serve", "--db", "postgresql:ann:s3cret@h"], "the URL in --db cannot be read: it must be such as postgres://"],
  [["copy", "--from", "im.db", "--to", " postgres://ann:s3cret@h/im"], "the URL in --to cannot be read"],
  [["copy", "--from", "postgres://h/im?user=ann&password=s3cret", "--to", "im.db"], "--from must be a file"],
  [["check", "--dbs=postgres://ann:s3cret@h/im"], "unknown option '--dbs=postgres://ann:***@h/im'\n"],
])("exits with 2 for %j", async (args, sentence) => {
  const { status, stderr } = await imAdmin(args, environment);
  expect(status).toBe(2);
  expect(stderr).toContain(sentence);
  expect(stderr).not.toContain("s3cret");
});

it("says that the server has a limit of time, and not that it does not answer", async () => {
  await cluster.pool.query("CREATE ROLE hurried LOGIN");
  await cluster.pool.query("ALTER ROLE hurried SET statement_timeout = 1");
  await cluster.pool.query("CREATE DATABASE slow OWNER hurried");
  expect(await refusal("hurried", "slow")).toBe(
    "im-admin: cannot use the database postgres:///slow?host=FOLDER: canceling statement due to statement timeout: raise the limit of time that the server or this user has for it, and try again\n",
  );
});

it("shows no password where a URL stands in the place of a folder", async () => {
  const { stderr } = await imAdmin(["import", "postgres://ann:s3cret@h/im"]);
  expect(stderr).toMatch(/^im-admin: cannot read the folder postgres:\/\/ann:\*\*\*@h\/im: it is not there; /);
});

it("says what to install where the driver is missing", async () => {
  const folder = temporaryFolder();
  const root = fileURLToPath(new URL("../../../", import.meta.url));
  cpSync(join(root, "dist"), join(folder, "dist"), { recursive: true });
  cpSync(join(root, "package.json"), join(folder, "package.json"));
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(join(root, "node_modules/valibot"), join(folder, "node_modules/valibot"));
  const command = join(folder, "dist/adapters/cli/main.js");
  const { status, stderr } = spawnSync(process.execPath, [command, "check", "--db", "postgres://h/im"], {
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([
    1,
    "im-admin: the package pg, which speaks to PostgreSQL, cannot be loaded: npm install pg\n",
  ]);
});

it("answers 500 while the server is away, and then goes on", async () => {
  await cluster.pool.query("CREATE DATABASE away");
  const url = `postgres://postgres@${encodeURIComponent(cluster.folder)}/away`;
  const served = await serve(["--demo", "--db", url]);
  const list = async () =>
    (
      await post(`${served.url}/user/search_notification_account`, served.token, {
        pagination: { pageNumber: 1, showNumber: 3 },
      })
    ).errCode;
  expect(await list()).toBe(0);
  await cluster.kill();
  expect(await list()).toBe(500);
  await cluster.start();
  await expect.poll(list).toBe(0);
  const { status, stderr } = await served.stop();
  expect(status).toBe(0);
  expect(stderr).toContain('"err":');
});
