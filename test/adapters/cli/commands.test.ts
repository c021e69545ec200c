import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { cli, imAdmin, post } from "../../helpers/cliProcess.js";
import { temporaryFolder } from "../../helpers/stores.js";

it.each([
  [
    "serve",
    "db schema adopt port host base-path secret allow-weak-secret admin cors token-endpoint trust-proxy allow-host upstream follow max-copy-age threads processes metrics-port history console title log-level demo",
  ],
  ["token", "secret admin expires"],
  ["import", "db schema adopt strict replace yes json"],
  ["export", "db schema list format quote-ids group user keyword filter handle-result app-manager-level"],
  ["copy", "from to schema adopt sql json"],
  ["check", "db schema repair json"],
  ["tables", "db schema map print remove all trust-owner json"],
  ["openapi", "base-path token-endpoint closed"],
])("names every flag of %s and its environment variable in the help", async (command, flags) => {
  const { status, stdout } = await imAdmin([command, "--help"]);
  expect(status).toBe(0);
  const entries = stdout.split(/\n {2}(?=-)/).map((entry) => entry.replace(/\s+/g, " "));
  const named = entries.flatMap((entry) => [...(/^--([a-z-]+) .*env: IM_ADMIN_(\w+)\)$/.exec(entry) ?? [])].slice(1));
  expect(named).toEqual(flags.split(" ").flatMap((flag) => [flag, flag.toUpperCase().replaceAll("-", "_")]));
});

it.each([["--help"], ["help"], ["--version"]])("%s loads nothing of the library", async (...args) => {
  const folder = join(temporaryFolder(), "a", "b", "c");
  cpSync(dirname(cli), folder, { recursive: true });
  writeFileSync(join(folder, "..", "..", "..", "package.json"), '{"type":"module","version":"0.0.0"}');
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, "main.js"), ...args]);
  expect(stdout).toMatch(/^(Usage: im-admin|0\.0\.0)/);
});

it("names its commands in its help, and the exit statuses in that of check", async () => {
  const { status, stdout } = await imAdmin(["--help"]);
  expect([status, stdout.match(/(?<=^ {2})[a-z]+/gm)?.join(" ")]).toEqual([
    0,
    "serve token import follow export copy check migrate settle tables history openapi help",
  ]);
  expect((await imAdmin(["check", "--help"])).stdout).toContain(`Exit status:
  0  all is right, or has been repaired
  1  something is wrong
  2  wrong usage
  3  nothing wrong was found, but something could not be checked`);
});

const boss = "--secret 16-characters--- --admin boss".split(" ");
const postgres = "postgres://ann:s3cret@h/im";
const port = "It must be a number from 0 to 65535.";
const duration = "It must be a number with a unit, such as 90d, 12h or 30m.";
const second = "It must be one second (1s) or longer.";
const processes = "It must be a number from 1 to 64.";
const origin = "matches no origin; it must be a scheme, a host and perhaps a port";
const asUrl = "cannot be read: it must be such as postgres://";
const upstream = ["--upstream", "http://openim"];

it.each<[string[], string]>([
  [[], "Usage: im-admin [options] [command]"],
  [["exprot"], "im-admin: unknown command 'exprot'\n(Did you mean export?)\n"],
  [["help", "exprot"], "im-admin: unknown command 'exprot'\n(Did you mean export?)\n"],
  [
    ["export", "--list", "member"],
    "Allowed choices are members, blacks, groups, groupRequests, notificationAccounts.\n",
  ],
  [["export", "--format", "cvs"], "Allowed choices are ndjson, csv.\n"],
  [["zzzzzz"], "im-admin: unknown command 'zzzzzz'\nim-admin --help tells what there is.\n"],
  [["serve", "--prt"], "unknown option '--prt'\n(Did you mean --port?)\nim-admin serve --help tells what there is.\n"],
  [["serve", "extra"], "too many arguments for 'serve'"],
  [["serve", "--admin", "a"], "im-admin: a secret is needed: --secret or IM_ADMIN_SECRET\n"],
  [["serve", "--secret", "s"], "im-admin: an administrator is needed: --admin or IM_ADMIN_ADMIN\n"],
  [["serve", "--port"], "option '--port <number>' argument missing"],
  [["serve", "--port", "abc"], `'--port <number>' argument 'abc' is invalid. ${port}`],
  [["serve", "--port", "70000"], port],
  [["serve", "--host", ""], "'--host <address>' argument '' is invalid. It must not be empty."],
  [["serve", "--secret", "s", "--secret", ""], "'--secret <secret>' argument '' is invalid. It must not be empty."],
  [["serve", "--secret", " "], "It must not be empty."],
  [["serve", "--admin", ", "], "'--admin <userID>' argument ', ' is invalid. It must not be empty."],
  [["serve", "--cors", "a.example.org"], `${origin}, such as "https://`],
  [["serve", "--cors", "*,https://a.example.org/"], origin],
  [["serve", "--log-level", "loud"], "Allowed choices are debug, info, warn, error, silent."],
  [["serve", "--trust-proxy", "x-real-ip=proxy.example.org"], "is invalid. invalid IP address: proxy.example.org\n"],
  [["serve", "--trust-proxy", "x-real-ip="], "is invalid. invalid IP address: \n"],
  [["serve", "--trust-proxy", "127.0.0.1"], "It must be such as x-forwarded-for=127.0.0.1,10.0.0.0/8.\n"],
  [["serve", "--threads", "65"], "It must be a number from 0 to 64."],
  [
    ["serve", ...boss, "--threads", "2", "--db", postgres],
    "--threads is for files: PostgreSQL has processes of its own\n",
  ],
  [
    ["serve", "--upstream", "openim:10002"],
    'upstream.url must be the URL of a server, such as "http://openim:10002", ',
  ],
  [
    ["serve", ...boss, "--token-endpoint", ...upstream],
    "--token-endpoint is not for --upstream: OpenIM accepts only tokens that it gave out itself\n",
  ],
  [["serve", ...boss, "--demo", ...upstream], "--demo is not for --upstream: the lists are those of OpenIM\n"],
  [["serve", ...boss, "--max-copy-age", "1h"], "--max-copy-age is for --upstream or --follow\n"],
  [["token", "--admin", "a"], "a secret is needed: --secret or IM_ADMIN_SECRET"],
  [["token", "--secret", "s"], "a user is needed: --admin or IM_ADMIN_ADMIN"],
  ...["0", "90", "soon", `${"9".repeat(200)}d`].map((value): [string[], string] => [
    ["token", "--expires", value],
    duration,
  ]),
  [["token", "--expires", "0d"], second],
  [["token", "--expires", "-5d"], second],
  [["token", "--expires", "101y"], "It must be 100 years (100y) or less."],
  [["import"], "missing required argument 'folder'"],
  [["copy", "--to", "im.db"], "im-admin: a file is needed: --from or IM_ADMIN_FROM\n"],
  [["copy", "--from", "im.db"], "im-admin: a database is needed: --to or IM_ADMIN_TO\n"],
  [
    ["serve", ...boss, "--adopt", "--db", postgres],
    "--adopt is for files: in PostgreSQL, the tables have a schema of their own\n",
  ],
  [["check", "--schema", "im", "--db", "im.db"], "--schema is for PostgreSQL: a file has one schema only\n"],
  [
    ["check", "--db", "mysql://ann:s3cret@h/im"],
    "--db must be a file, or a URL that begins with postgres:// or postgresql://\n",
  ],
  [["check", "--db", "postgres:/ann:s3cret@h/im"], `the URL in --db ${asUrl}`],
  [["serve", "--demo", "--db", "postgresql:ann:s3cret@h"], `the URL in --db ${asUrl}`],
  [["copy", "--from", "im.db", "--to", ` ${postgres}`], "the URL in --to cannot be read"],
  [["copy", "--from", "postgres://h/im?user=ann&password=s3cret", "--to", "im.db"], "--from must be a file"],
  [["check", `--dbs=${postgres}`], "unknown option '--dbs=postgres://ann:***@h/im'\n"],
  [["serve", "--processes", "0"], processes],
  [["serve", "--processes", "65"], processes],
  [
    ["serve", "--demo", "--processes", "2", "--db", ":memory:"],
    "--processes is for a database that processes can share: --db must be a file or a URL\n",
  ],
  ...["/a?b", "https://chat.example/admin"].map((path): [string[], string] => [
    ["openapi", "--base-path", path],
    `option '--base-path <path>' argument '${path}' is invalid. It must be a path such as "/admin".`,
  ]),
])("exits with 2 and says what is wrong with %j", async (args, text) => {
  const { status, stdout, stderr } = await imAdmin(args);
  expect(stderr).toContain(text);
  expect(stderr).not.toContain("s3cret");
  expect([status, stdout]).toEqual([2, ""]);
});

it("names the environment variable that is wrong", async () => {
  const { status, stderr } = await imAdmin(["serve"], { IM_ADMIN_PORT: "abc" });
  expect(stderr).toContain("value 'abc' from env 'IM_ADMIN_PORT' is invalid. It must be a number from 0 to 65535.\n");
  expect(status).toBe(2);
});

const advice = "give the folder that holds the files to import\n";

it.each([
  [
    "serve --port 0 --db FOLDER/text.db",
    "cannot open the database FOLDER/text.db: it is no SQLite database, or it is encrypted, or its first page is damaged: name another file, or restore a backup\n",
  ],
  [
    "serve --port BUSY",
    "port BUSY of 127.0.0.1 is in use: end what listens there, or choose another with --port (0 picks a free one)\n",
  ],
  // Both are reserved for documentation: no machine has them.
  [
    "serve --port 0 --host 203.0.113.1",
    "203.0.113.1 is no address of this machine: give one with --host, such as 127.0.0.1, or 0.0.0.0 for all\n",
  ],
  [
    "serve --port 0 --host nowhere.invalid",
    "no address is known for nowhere.invalid: give one of this machine with --host, such as 127.0.0.1\n",
  ],
  ["import FOLDER/none", `cannot read the folder FOLDER/none: it is not there; ${advice}`],
  ["import FOLDER/text.db", `cannot read the folder FOLDER/text.db: it is no folder; ${advice}`],
  [
    "import FOLDER/empty",
    "no file to import in FOLDER/empty: it must hold files (.json, .ndjson, .jsonl) named users, groups, groupMembers, blacks, groupRequests, conversations, or, as mongoexport or mongodump (.bson) writes them, user, group, group_member, black, group_request, conversation; each may end in .gz\n",
  ],
  ["import postgres://ann:s3cret@h/im", `cannot read the folder postgres://ann:***@h/im: it is not there; ${advice}`],
])("exits with 1, and says in a sentence why it cannot %s", async (line, sentence) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "text.db"), "This is a text, and longer than the header of a database. ".repeat(9));
  mkdirSync(join(folder, "empty"));
  const busy = createServer().listen(0, "127.0.0.1");
  await once(busy, "listening");
  onTestFinished(() => void busy.close());
  const busyPort = String((busy.address() as AddressInfo).port);
  const args = line.replace("FOLDER", folder).replace("BUSY", busyPort).split(" ");
  const environment = {
    IM_ADMIN_SECRET: "a secret of a test",
    IM_ADMIN_ADMIN: "a",
    IM_ADMIN_DB: join(folder, "im.db"),
  };
  const { status, stdout, stderr } = await imAdmin(args, environment);
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr.replaceAll(folder, "FOLDER").replace(busyPort, "BUSY")).toBe(`im-admin: ${sentence}`);
});

it("says nothing if the reader of its output has left", async () => {
  const command = `'${process.execPath}' '${cli}' token --secret s --admin a | true`;
  expect(await promisify(execFile)("sh", ["-c", command])).toEqual({ stdout: "", stderr: "" });
});

it("goes on answering when its log cannot be written", async () => {
  // Linux has a disk that is always full.
  const log = openSync(existsSync("/dev/full") ? "/dev/full" : "/dev/null", "w");
  const args = ["serve", "--db", ":memory:", "--port", "0", "--secret", "s", "--admin", "a"];
  const child = spawn(process.execPath, [cli, ...args], { stdio: ["ignore", "pipe", log] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [output] = await once(child.stdout as Readable, "data");
  const url = /answers on (\S+),/.exec(output)?.[1];
  for (let attempt = 0; attempt < 3; attempt += 1) {
    expect(await post(`${url}/friend/get_black_list`, "x", {})).toMatchObject({ errCode: 1503 });
  }
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
});
