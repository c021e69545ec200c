import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { linesForPeople } from "../../../adapters/cli/linesForPeople.js";
import { progressBar } from "../../../adapters/cli/progress.js";

/** The output of a bar on a terminal with so many columns. */
function drawn(label: string, columns: number, environment: Readonly<Record<string, string>> = {}): string {
  const { stderr } = process;
  const before = { isTTY: stderr.isTTY, columns: stderr.columns };
  let written = "";
  const write = vi.spyOn(stderr, "write").mockImplementation((text) => {
    written += text;
    return true;
  });
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  Object.assign(stderr, { isTTY: true, columns });
  try {
    const bar = progressBar(label);
    bar.start(1_000_000, 0);
    bar.update(1_000_000);
    bar.stop();
  } finally {
    Object.assign(stderr, before);
    write.mockRestore();
  }
  return written;
}

afterEach(() => vi.unstubAllEnvs());

describe("a bar", () => {
  it.each([
    ["conversations", 80],
    ["conversation.ndjson", 40],
    ["a file with a very long name, which somebody has given it.ndjson", 80],
    ["a file with a very long name, which somebody has given it.ndjson", 40],
  ])("fits into the line with its percentage: %s, %i columns", (label, columns) => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal obeys them
    const lines = drawn(label, columns).split(/\x1b\[[\d;?]*[A-Za-z]|[\r\n]/);
    const shown = lines.filter((line) => line.includes("%"));
    expect(shown.length).toBeGreaterThan(0);
    for (const line of shown) {
      expect(line.length).toBeLessThanOrEqual(columns);
      expect(line).toMatch(/\[.{4,40}\] \d+% /);
    }
  });

  it("draws nothing on a terminal without a cursor", () => {
    expect(drawn("users", 80, { TERM: "dumb" })).toBe("");
    expect(drawn("users", 80, { TERM: "xterm" })).not.toBe("");
  });
});

describe("a line of the log for people", () => {
  const format = linesForPeople(false);
  const request = { level: 30, time: Date.now(), method: "POST", path: "/x", status: 200, durationMs: 2.03, bytes: 9 };

  it("tells the request and its answer", () => {
    const call = { operation: "getBlackList", errCode: 1004, adminUserID: "ann", operationID: "op1", msg: "request" };
    expect(format(JSON.stringify({ ...request, ...call }))).toMatch(
      /^\[\d\d:\d\d:\d\d\] INFO: POST \/x 200 in 2\.03 ms getBlackList: 1004 for ann \(op1\)\n$/,
    );
    expect(format(JSON.stringify({ ...request, operationID: "", msg: "request" }))).toMatch(
      / POST \/x 200 in 2\.03 ms\n$/,
    );
    const cut = { ...request, status: undefined, operationID: "", msg: "the connection was cut before the answer" };
    expect(format(JSON.stringify(cut))).toMatch(/ POST \/x the connection was cut before the answer\n$/);
  });

  it("has the cause of a failure with its stack, and shows other lines unchanged", () => {
    const err = { type: "Error", message: "disk", stack: "Error: disk\n    at store.ts:1" };
    const line = format(JSON.stringify({ ...request, level: 50, status: 200, err, msg: "request" }));
    expect(line).toContain("ERROR: POST /x");
    expect(line).toContain("at store.ts:1");
    expect(format('{"level":40,"time":1,"dropped":3,"msg":"lines were dropped"}')).toMatch(
      /WARN: lines were dropped\n +dropped: 3\n$/,
    );
  });

  it("replaces control characters", () => {
    const line = format(JSON.stringify({ ...request, path: "/\u001b[31m\u009b2J\u0007", msg: "request" }));
    expect(line).toContain("/\ufffd[31m\ufffd2J\ufffd 200");
  });
});

it("serve writes lines for people on a terminal, without colours if NO_COLOR is set", async () => {
  const cli = new URL("../../../dist/adapters/cli/main.js", import.meta.url).pathname;
  const command = `"${process.execPath}" "${cli}" serve --demo --db :memory: --port 0`;
  const env = { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined };
  const child = spawn("script", ["-qec", command, "/dev/null"], { env, stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const output = text(child.stdout);
  let seen = "";
  child.stdout.on("data", (data) => {
    seen += data;
  });
  await expect.poll(() => seen).toMatch(/answers on (\S+),/);
  await fetch(`${/answers on (\S+),/.exec(seen)?.[1]}/nowhere`);
  await expect.poll(() => seen).toContain("GET /nowhere 404 in ");
  // The terminal turns Ctrl-C into a signal.
  child.stdin.write("\u0003");
  const whole = await output;
  expect(whole).toMatch(/^\[\d\d:\d\d:\d\d\] INFO: GET \/nowhere 404 in [\d.]+ ms\r$/m);
  expect(whole).toMatch(/INFO: finishing the requests under way/);
  expect(whole).not.toContain("\u001b[3");
});
