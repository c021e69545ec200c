/** The commands of docs/cloudflare.md, and of filling D1, with the wrangler that this Node runs. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { rounds } from "../helpers/chance.js";
import { blockIn, pageAt, root } from "../helpers/docs/pages.js";

const wrangler =
  process.env["WRANGLER"] ?? fileURLToPath(new URL("node_modules/wrangler/bin/wrangler.js", import.meta.url));

let folder: string;
beforeAll(() => {
  // It is inside the package, so that packages are found.
  folder = mkdtempSync(`${root}.cloudflare-`);
  mkdirSync(`${folder}/node_modules/.bin`, { recursive: true });
  symlinkSync(root, `${folder}/node_modules/im-admin`);
  for (const name of ["worker.ts", "wrangler.jsonc", "tsconfig.json"]) {
    cpSync(`${root}examples/worker/${name}`, `${folder}/${name}`);
  }
  command("wrangler", `exec ${process.execPath} ${wrangler} "$@"`);
  command("im-admin", `exec ${process.execPath} ${root}dist/adapters/cli/main.js "$@"`);
  command("tsc", `exec ${root}node_modules/.bin/tsc "$@"`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A command as npm would install it. */
function command(name: string, script: string): void {
  writeFileSync(`${folder}/node_modules/.bin/${name}`, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

/** The commands of a section, without what is said about them. */
function commandsOf(page: string, heading: string): string {
  const { text } = pageAt(page);
  const section = text.slice(text.indexOf(`# ${heading}\n`));
  return /```sh\n(.*?)```/s.exec(section)?.[1] ?? "";
}

function shell(script: string) {
  const child = spawn("bash", ["-ec", script], {
    cwd: folder,
    env: { ...process.env, CI: "1", WRANGLER_SEND_METRICS: "false", CLOUDFLARE_API_TOKEN: "", FORCE_COLOR: "0" },
    detached: true,
  });
  let written = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (written += text));
  return { child, written: () => written };
}

async function run(script: string): Promise<string> {
  const { child, written } = shell(script);
  const [status] = await once(child, "close");
  expect([script, status, status === 0 ? "" : written()]).toEqual([script, 0, ""]);
  return written();
}

/** The lines of a section that need no account. */
const local = (heading: string, needed = /--local|types|tsc|dev.vars|dry-run/) =>
  commandsOf("docs/cloudflare.md", heading)
    .split("\n")
    .filter((line) => needed.test(line));

it("makes the tables, types that the Worker compiles with, and a bundle", { timeout: 300_000 }, async () => {
  expect(local("The database")).toHaveLength(1);
  await run(local("The database").join("\n"));
  expect(await run("npx wrangler d1 migrations list im-admin --local")).toContain("No migrations to apply");
  await run(local("Secrets").join("\n"));
  expect(local("Types")).toHaveLength(2);
  await run(local("Types").join("\n"));
  expect(readFileSync(`${folder}/worker-configuration.d.ts`, "utf8")).toContain("IM_ADMIN_SECRET: string");
  expect(await run(local("Deploy it").join("\n"))).toContain("dry-run: exiting now");
});

it("answers a call by the commands of the page", { timeout: 300_000 }, async () => {
  const [insert = ""] = local("Try it");
  await run(insert);
  const { child, written } = shell("exec npx wrangler dev --port 0");
  try {
    let port: string | undefined;
    await expect.poll(() => (port = /localhost:(\d+)/.exec(written())?.[1]), { timeout: 120_000 }).toBeDefined();
    const answer = await run(blockIn("docs/cloudflare.md", "curl").replace("8787", String(port)));
    expect(answer).toContain(
      '"data":{"total":1,"notificationAccounts":[{"userID":"news","faceURL":"","nickName":"News"}]}',
    );
  } finally {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
    await once(child, "close");
  }
});

it("exports a database, and imports it into an empty one", { timeout: 300_000 }, async () => {
  await run("npx wrangler d1 export im-admin --local --output exported.sql");
  await run("npx wrangler d1 execute im-admin --local --persist-to other --file exported.sql");
  const count = (options: string) =>
    run(`npx wrangler d1 execute im-admin --local ${options} --json --command "
      SELECT (SELECT group_concat(name) FROM (SELECT name FROM sqlite_schema WHERE name LIKE 'im_admin_%' ORDER BY name)) AS names,
        (SELECT count(*) FROM im_admin_group_members) AS members, (SELECT group_concat(user_id) FROM im_admin_users) AS users"`);
  const [before, after] = [await count(""), await count("--persist-to other")].map(
    (answer) => JSON.parse(answer)[0].results[0],
  );
  expect(after).toEqual(before);
  expect(after).toMatchObject({ names: expect.stringContaining(",im_admin_list_words,"), users: "news" });
});

it("names flags that wrangler has where an account is needed", { timeout: 300_000 }, async () => {
  const commands = ["The database", "Secrets", "Deploy it"]
    .flatMap((heading) => commandsOf("docs/cloudflare.md", heading).split("\n"))
    .map((line) => line.replace(/#.*/, "").trim())
    .filter((line) => line.startsWith("npx wrangler") && !/--local|dry-run|types/.test(line));
  expect(commands).toHaveLength(5);
  for (const line of commands) {
    const { child, written } = shell(`${line} < /dev/null`);
    await once(child, "close");
    // It got as far as to the account.
    expect(written()).toMatch(/CLOUDFLARE_API_TOKEN|log ?in|authenticat/i);
    expect(written()).not.toMatch(/Unknown argument|Not enough non-option/);
  }
});

it("fills a local database from an import", { timeout: 900_000 }, async () => {
  const size = Math.max(8_000, rounds(200_000));
  mkdirSync(`${folder}/FOLDER`);
  const write = (name: string, rows: object[]) =>
    writeFileSync(`${folder}/FOLDER/${name}.ndjson`, rows.map((row) => JSON.stringify(row)).join("\n"));
  write("groups", [{ groupID: "g1", notification: "说".repeat(40_000), introduction: "it's; -- /* END\r\n" }]);
  write(
    "groupMembers",
    Array.from({ length: size }, (_, index) => ({
      groupID: "g1",
      userID: `u${index}`,
      joinTime: index,
      roleLevel: 20,
    })),
  );
  await run(commandsOf("docs/sqlite-and-d1.md", "Fill D1 from an import"));
  const rows = await run(`npx wrangler d1 execute im-admin --local --json --command "
    SELECT total, (SELECT count(*) FROM im_admin_group_members) AS members, length(notification) AS length, introduction
      FROM im_admin_lists CROSS JOIN im_admin_groups WHERE name = 'groupMembers'"`);
  const expected = { total: size, members: size, length: 40_000, introduction: "it's; -- /* END\r\n" };
  expect(JSON.parse(rows.slice(rows.indexOf("[")))[0].results).toEqual([expected]);
});

it("puts lists over tables of your own by the printed SQL", { timeout: 300_000 }, async () => {
  const [, own = ""] = commandsOf("docs/own-tables.md", "SQLite and D1").split("\n");
  expect(own).toContain("--print > migrations/0008_lists.sql");
  const config = readFileSync(`${folder}/wrangler.jsonc`, "utf8").replace(
    "node_modules/im-admin/migrations",
    "migrations",
  );
  writeFileSync(`${folder}/own.jsonc`, config.replace("im_admin_migrations", "own_migrations"));
  mkdirSync(`${folder}/migrations`);
  writeFileSync(
    `${folder}/migrations/0001_chat.sql`,
    "CREATE TABLE member (room TEXT, person INTEGER, PRIMARY KEY (room, person)); INSERT INTO member VALUES ('r', 7), ('r', 8);",
  );
  writeFileSync(`${folder}/chat.db`, "");
  const map = { groupMembers: { from: "member", key: { groupID: "room", userID: "person" } } };
  writeFileSync(`${folder}/tables.mjs`, `export default ${JSON.stringify(map)};`);
  await run(`npx ${own}`);
  for (const config of ["wrangler.jsonc", "own.jsonc"]) {
    await run(`npx wrangler d1 migrations apply im-admin --local --persist-to own --config ${config}`);
  }
  const rows = await run(`npx wrangler d1 execute im-admin --local --persist-to own --json --command "
    INSERT INTO member VALUES ('r', 9); SELECT count(*) AS kept, (SELECT count(*) FROM im_admin_changed) AS noted
      FROM im_admin_listed_group_members WHERE group_id = 'r'"`);
  expect(JSON.parse(rows.slice(rows.indexOf("["))).at(-1).results).toEqual([{ kept: 2, noted: 1 }]);
});
