import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { jwtVerify } from "jose";
import { expect, it, onTestFinished } from "vitest";
import { cli, imAdmin, post, serve } from "../../helpers/cliProcess.js";
import { temporaryFolder } from "../../helpers/stores.js";

it("names its commands in its help", async () => {
  const { status, stdout } = await imAdmin(["--help"]);
  expect(status).toBe(0);
  expect(stdout.match(/^ {2}[a-z]+/gm)).toEqual(["  serve", "  token", "  import", "  check", "  help"]);
});

it.each([
  [
    "serve",
    [
      "--db IM_ADMIN_DB",
      "--adopt IM_ADMIN_ADOPT",
      "--port IM_ADMIN_PORT",
      "--host IM_ADMIN_HOST",
      "--secret IM_ADMIN_SECRET",
      "--admin IM_ADMIN_ADMIN",
      "--cors IM_ADMIN_CORS",
      "--token-endpoint IM_ADMIN_TOKEN_ENDPOINT",
      "--demo IM_ADMIN_DEMO",
    ],
  ],
  ["token", ["--secret IM_ADMIN_SECRET", "--admin IM_ADMIN_ADMIN", "--expires IM_ADMIN_EXPIRES"]],
  ["import", ["--db IM_ADMIN_DB", "--adopt IM_ADMIN_ADOPT", "--skip-invalid IM_ADMIN_SKIP_INVALID"]],
  ["check", ["--db IM_ADMIN_DB", "--repair IM_ADMIN_REPAIR"]],
])("names every flag of %s and its environment variable in the help", async (command, flags) => {
  const { status, stdout } = await imAdmin([command, "--help"]);
  expect(status).toBe(0);
  const entries = stdout.split(/\n {2}(?=-)/).map((entry) => entry.replace(/\s+/g, " "));
  const named = entries.flatMap((entry) => /^(--[a-z-]+) .*env: (\w+)\)$/.exec(entry)?.slice(1, 3).join(" ") ?? []);
  expect(named).toEqual(flags);
});

it.each([
  [[], "Usage: im-admin [options] [command]"],
  [["nope"], "unknown command 'nope'"],
  [["serve", "--nope"], "unknown option '--nope'"],
  [["serve", "extra"], "too many arguments for 'serve'"],
  [["serve", "--admin", "a"], "a secret is needed: --secret or IM_ADMIN_SECRET"],
  [["serve", "--secret", "s"], "an administrator is needed: --admin or IM_ADMIN_ADMIN"],
  [["serve", "--port", "x"], "'--port <number>' argument 'x' is invalid. It must be a number from 0 to 65535."],
  [["serve", "--port", "65536"], "It must be a number from 0 to 65535."],
  [["serve", "--host", ""], "'--host <address>' argument '' is invalid. It must not be empty."],
  [["serve", "--secret", "s", "--secret", ""], "'--secret <secret>' argument '' is invalid. It must not be empty."],
  [["token", "--admin", "a"], "a secret is needed: --secret or IM_ADMIN_SECRET"],
  [["token", "--secret", "s"], "a user is needed: --admin or IM_ADMIN_ADMIN"],
  [["token", "--expires", "90"], "It must be a number with a unit, such as 90d, 12h or 30m."],
  [["token", "--expires", "0d"], "It must be a number with a unit, such as 90d, 12h or 30m."],
  [["token", "--expires", "999999999y"], "It must be a number with a unit, such as 90d, 12h or 30m."],
  [["import"], "missing required argument 'folder'"],
])("exits with 2 and says what is wrong with %j", async (args, text) => {
  const { status, stdout, stderr } = await imAdmin(args);
  expect(stderr).toContain(text);
  expect([status, stdout]).toEqual([2, ""]);
});

const expiry = { "90 days": 7_776_000, "12 hours": 43_200 };

it.each([
  ["from flags", ["--secret", "s1", "--secret", "s2", "--admin", "a1"], {}, expiry["90 days"]],
  ["with a lifetime", ["--secret", "s1", "--admin", "a1", "--expires", "12h"], {}, expiry["12 hours"]],
  [
    "from the environment",
    [],
    { IM_ADMIN_SECRET: "s1,s2", IM_ADMIN_ADMIN: "a1", IM_ADMIN_EXPIRES: "12h" },
    expiry["12 hours"],
  ],
  [
    "from flags rather than the environment, where an empty variable is none",
    ["--secret", "s1"],
    { IM_ADMIN_SECRET: "other", IM_ADMIN_ADMIN: "a1", IM_ADMIN_EXPIRES: "" },
    expiry["90 days"],
  ],
])("prints a token and nothing else, %s", async (_, args, environment, seconds) => {
  const { status, stdout, stderr } = await imAdmin(["token", ...args], environment);
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^\S+\n$/);
  const { payload } = await jwtVerify(stdout.trim(), new TextEncoder().encode("s1"));
  const { iat = 0 } = payload;
  expect(payload).toEqual({ UserID: "a1", PlatformID: 10, iat, exp: iat + seconds });
});

it("accepts tokens that were signed with any of its secrets, and no others", async () => {
  const { url } = await serve(["--db", ":memory:", "--secret", "s1", "--secret", "s2", "--admin", "a1"]);
  const answers = ["s1", "s2", "s3"].map(async (secret) => {
    const { stdout } = await imAdmin(["token", "--secret", secret, "--admin", "a1"]);
    const pagination = { pageNumber: 1, showNumber: 1 };
    return (await post(`${url}/user/search_notification_account`, stdout.trim(), { pagination })).errCode;
  });
  expect(await Promise.all(answers)).toEqual([0, 0, 1505]);
});

it("exits with 1 and a line without a stack when the work fails", async () => {
  const folder = temporaryFolder();
  const notDatabase = join(folder, "text.db");
  writeFileSync(
    notDatabase,
    "This is a text, and it is longer than the header of a database file would be. ".repeat(9),
  );
  const busy = createServer().listen(0, "127.0.0.1");
  await once(busy, "listening");
  onTestFinished(() => void busy.close());
  const { port } = busy.address() as AddressInfo;

  const run = async (...args: string[]) => {
    const { status, stdout, stderr } = await imAdmin(args, { IM_ADMIN_SECRET: "s", IM_ADMIN_ADMIN: "a" });
    expect([status, stdout]).toEqual([1, ""]);
    return stderr;
  };
  expect(await run("serve", "--db", notDatabase)).toBe(
    `im-admin: cannot open the database ${notDatabase}: it is no SQLite database, or it is encrypted, or its first page is damaged: name another file, or restore a backup\n`,
  );
  expect(await run("serve", "--db", `${folder}/none/im.db`)).toMatch(/^im-admin: cannot open the database .*\n$/);
  expect(await run("serve", "--db", ":memory:", "--port", String(port))).toBe(
    `im-admin: listen EADDRINUSE: address already in use 127.0.0.1:${port}\n`,
  );
  expect(await run("import", `${folder}/none`)).toMatch(/^im-admin: ENOENT: no such file or directory.*\n$/);
  expect(await run("import", folder)).toMatch(/^im-admin: no file to import in .*: it must hold files .*\n$/);
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
