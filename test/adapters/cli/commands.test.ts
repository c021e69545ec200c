import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { cli, imAdmin, post } from "../../helpers/cliProcess.js";
import { temporaryFolder } from "../../helpers/stores.js";

it("names its commands in its help", async () => {
  const { status, stdout } = await imAdmin(["--help"]);
  expect(status).toBe(0);
  expect(stdout.match(/^ {2}[a-z]+/gm)).toEqual([
    "  serve",
    "  token",
    "  import",
    "  copy",
    "  check",
    "  openapi",
    "  help",
  ]);
});

it.each([
  [
    "serve",
    [
      "--db IM_ADMIN_DB",
      "--schema IM_ADMIN_SCHEMA",
      "--adopt IM_ADMIN_ADOPT",
      "--port IM_ADMIN_PORT",
      "--host IM_ADMIN_HOST",
      "--secret IM_ADMIN_SECRET",
      "--allow-weak-secret IM_ADMIN_ALLOW_WEAK_SECRET",
      "--admin IM_ADMIN_ADMIN",
      "--cors IM_ADMIN_CORS",
      "--token-endpoint IM_ADMIN_TOKEN_ENDPOINT",
      "--processes IM_ADMIN_PROCESSES",
      "--console IM_ADMIN_CONSOLE",
      "--log-level IM_ADMIN_LOG_LEVEL",
      "--demo IM_ADMIN_DEMO",
    ],
  ],
  ["token", ["--secret IM_ADMIN_SECRET", "--admin IM_ADMIN_ADMIN", "--expires IM_ADMIN_EXPIRES"]],
  [
    "import",
    ["--db IM_ADMIN_DB", "--schema IM_ADMIN_SCHEMA", "--adopt IM_ADMIN_ADOPT", "--skip-invalid IM_ADMIN_SKIP_INVALID"],
  ],
  ["copy", ["--from IM_ADMIN_FROM", "--to IM_ADMIN_TO", "--schema IM_ADMIN_SCHEMA", "--adopt IM_ADMIN_ADOPT"]],
  ["check", ["--db IM_ADMIN_DB", "--schema IM_ADMIN_SCHEMA", "--repair IM_ADMIN_REPAIR"]],
  ["openapi", ["--base-path IM_ADMIN_BASE_PATH", "--token-endpoint IM_ADMIN_TOKEN_ENDPOINT"]],
])("names every flag of %s and its environment variable in the help", async (command, flags) => {
  const { status, stdout } = await imAdmin([command, "--help"]);
  expect(status).toBe(0);
  const entries = stdout.split(/\n {2}(?=-)/).map((entry) => entry.replace(/\s+/g, " "));
  const named = entries.flatMap((entry) => /^(--[a-z-]+) .*env: (\w+)\)$/.exec(entry)?.slice(1, 3).join(" ") ?? []);
  expect(named).toEqual(flags);
});

it.each([
  [[], "Usage: im-admin [options] [command]"],
  [["zzzzzz"], "im-admin: unknown command 'zzzzzz'\nim-admin --help tells what there is.\n"],
  [["serve", "--prt"], "unknown option '--prt'\n(Did you mean --port?)\nim-admin serve --help tells what there is.\n"],
  [["serve", "extra"], "too many arguments for 'serve'"],
  [["serve", "--admin", "a"], "im-admin: a secret is needed: --secret or IM_ADMIN_SECRET\n"],
  [["serve", "--secret", "s"], "im-admin: an administrator is needed: --admin or IM_ADMIN_ADMIN\n"],
  [["serve", "--port"], "option '--port <number>' argument missing"],
  [["serve", "--port", "abc"], "'--port <number>' argument 'abc' is invalid. It must be a number from 0 to 65535."],
  [["serve", "--port", "70000"], "It must be a number from 0 to 65535."],
  [["serve", "--host", ""], "'--host <address>' argument '' is invalid. It must not be empty."],
  [["serve", "--secret", "s", "--secret", ""], "'--secret <secret>' argument '' is invalid. It must not be empty."],
  [["serve", "--secret", " "], "It must not be empty."],
  [["serve", "--admin", ", "], "'--admin <userID>' argument ', ' is invalid. It must not be empty."],
  [
    ["serve", "--cors", "a.example.org"],
    'matches no origin; it must be a scheme, a host and perhaps a port, such as "https://',
  ],
  [
    ["serve", "--cors", "*,https://a.example.org/"],
    "matches no origin; it must be a scheme, a host and perhaps a port",
  ],
  [["serve", "--log-level", "loud"], "Allowed choices are debug, info, warn, error, silent."],
  [["token", "--admin", "a"], "a secret is needed: --secret or IM_ADMIN_SECRET"],
  [["token", "--secret", "s"], "a user is needed: --admin or IM_ADMIN_ADMIN"],
  [["token", "--expires", "0"], "It must be a number with a unit, such as 90d, 12h or 30m."],
  [["token", "--expires", "90"], "It must be a number with a unit, such as 90d, 12h or 30m."],
  [["token", "--expires", "soon"], "It must be a number with a unit, such as 90d, 12h or 30m."],
  [["token", "--expires", `${"9".repeat(200)}d`], "It must be a number with a unit, such as 90d, 12h or 30m."],
  [["token", "--expires", "0d"], "It must be one second (1s) or longer."],
  [["token", "--expires", "-5d"], "It must be one second (1s) or longer."],
  [["token", "--expires", "101y"], "It must be 100 years (100y) or less."],
  [["import"], "missing required argument 'folder'"],
  [["copy", "--to", "im.db"], "im-admin: a file is needed: --from or IM_ADMIN_FROM\n"],
  [["copy", "--from", "im.db"], "im-admin: a database is needed: --to or IM_ADMIN_TO\n"],
])("exits with 2 and says what is wrong with %j", async (args, text) => {
  const { status, stdout, stderr } = await imAdmin(args);
  expect(stderr).toContain(text);
  expect([status, stdout]).toEqual([2, ""]);
});

it("names the environment variable that is wrong", async () => {
  const { status, stderr } = await imAdmin(["serve"], { IM_ADMIN_PORT: "abc" });
  expect(stderr).toContain("value 'abc' from env 'IM_ADMIN_PORT' is invalid. It must be a number from 0 to 65535.\n");
  expect(status).toBe(2);
});

const kinds =
  "files (.json, .ndjson, .jsonl) named users, groups, groupMembers, blacks, groupRequests, conversations, or, " +
  "as mongoexport writes them, user, group, group_member, black, group_request, conversation";

it("exits with 1, and says in a sentence what cannot be done", async () => {
  const folder = temporaryFolder();
  const text = join(folder, "text.db");
  writeFileSync(text, "This is a text, and it is longer than the header of a database file would be. ".repeat(9));
  const busy = createServer().listen(0, "127.0.0.1");
  await once(busy, "listening");
  onTestFinished(() => void busy.close());
  const { port } = busy.address() as AddressInfo;

  const run = async (...args: string[]) => {
    const environment = {
      IM_ADMIN_SECRET: "a secret of a test",
      IM_ADMIN_ADMIN: "a",
      IM_ADMIN_DB: join(folder, "im.db"),
    };
    const { status, stdout, stderr } = await imAdmin(args, environment);
    expect([status, stdout]).toEqual([1, ""]);
    return stderr.replaceAll(folder, "FOLDER");
  };
  expect(await run("serve", "--db", text)).toBe(
    "im-admin: cannot open the database FOLDER/text.db: it is no SQLite database, or it is encrypted, or its first page is damaged: name another file, or restore a backup\n",
  );
  expect(await run("serve", "--db", `${folder}/none/im.db`)).toMatch(/^im-admin: cannot open the database .*\n$/);
  expect(await run("serve", "--port", String(port))).toBe(
    `im-admin: port ${port} of 127.0.0.1 is in use: end what listens there, or choose another with --port (0 picks a free one)\n`,
  );
  // An address that is reserved for documentation, and a name that never is one.
  expect(await run("serve", "--port", "0", "--host", "203.0.113.1")).toBe(
    "im-admin: 203.0.113.1 is no address of this machine: give one with --host, such as 127.0.0.1, or 0.0.0.0 for all\n",
  );
  expect(await run("serve", "--port", "0", "--host", "nowhere.invalid")).toBe(
    "im-admin: no address is known for nowhere.invalid: give one of this machine with --host, such as 127.0.0.1\n",
  );
  const advice = "give the folder that holds the files to import\n";
  expect(await run("import", `${folder}/none`)).toBe(
    `im-admin: cannot read the folder FOLDER/none: it is not there; ${advice}`,
  );
  expect(await run("import", text)).toBe(`im-admin: cannot read the folder FOLDER/text.db: it is no folder; ${advice}`);
  const empty = join(folder, "empty");
  mkdirSync(empty);
  expect(await run("import", empty)).toBe(`im-admin: no file to import in FOLDER/empty: it must hold ${kinds}\n`);
});

it("says nothing when the reader of its output has gone", async () => {
  const command = `'${process.execPath}' '${cli}' token --secret s --admin a | true`;
  expect(await promisify(execFile)("sh", ["-c", command])).toEqual({ stdout: "", stderr: "" });
});

it("goes on answering when its log cannot be written", async () => {
  // A disk that is always full, on Linux.
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
