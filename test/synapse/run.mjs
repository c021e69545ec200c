// Lets im-admin read the lists of a real Synapse from PyPI while its users write, after it was killed, and after it has
// upgraded itself. Arguments choose databases by their names.
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createAdminClient } from "im-admin/client";
import { createActors } from "./actions.mjs";
import { databases } from "./databases.mjs";
import { compareLists } from "./lists.mjs";
import { run, startSynapse, versions } from "./synapse.mjs";

const cli = fileURLToPath(new URL("../../dist/adapters/cli/main.js", import.meta.url));
const administrator = ["--secret", "a secret of im-admin", "--admin", "imAdmin"];
const [older, newer] = Object.keys(versions);
const folder = mkdtempSync(join(tmpdir(), "im-admin-synapse-"));
const pagination = { pageNumber: 1, showNumber: 20 };
const began = performance.now();

// The maps import im-admin.
mkdirSync(join(folder, "node_modules"));
symlinkSync(fileURLToPath(new URL("../..", import.meta.url)), join(folder, "node_modules", "im-admin"));
try {
  const problems = [];
  const chosen = process.argv.slice(2);
  for (const [name, databaseIn] of Object.entries(databases)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue;
    const home = join(folder, name);
    mkdirSync(home);
    problems.push(...(await problemsOver(name, home, await databaseIn(home))));
  }
  for (const problem of problems.slice(0, 20)) say(problem.slice(0, 1000));
  step(problems.length === 0 ? "all is right" : `${problems.length} problems`);
  if (problems.length > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}

function step(what) {
  say(`== ${Math.round((performance.now() - began) / 1000)} s: ${what}`);
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

/** Runs everything over one database, and returns a sentence for each thing that is wrong. */
async function problemsOver(name, home, { db, settings, schema, errors }) {
  const problems = [];
  const actors = createActors();
  const map = join(home, "map.mjs");
  cpSync(new URL(`../../examples/maps/synapse-${name.toLowerCase()}.mjs`, import.meta.url), map);
  let synapse;
  let server;
  const compared = {};

  async function start(version) {
    synapse = await startSynapse(version, home, settings);
    actors.use(synapse);
  }

  /** Runs a command of im-admin, which must succeed, while users write. */
  async function imAdmin(...args) {
    const [{ status, text }] = await Promise.all([output(...args, "--db", db), actors.act(12)]);
    if (status !== 0) problems.push(`im-admin ${args.join(" ")} ends with ${status}: ${text}`);
  }

  /** Lets users write while lists are read, and compares all lists afterwards. */
  async function write(when, action) {
    let isOver = false;
    const written = action().finally(() => (isOver = true));
    while (!isOver) {
      const { errCode, errDlt } = await server.client.getGroupMemberList({ groupID: actors.anyRoom(), pagination });
      if (errCode !== 0 && errCode !== 1004) problems.push(`${when}: a list is answered by ${errDlt}`);
    }
    await written;
    await compare(when);
  }

  async function compare(when) {
    const { client } = server;
    const { items, differences } = await compareLists(synapse, actors.admin().token, client, actors.goneRooms);
    for (const [list, counts] of Object.entries(items)) compared[list] = counts + (compared[list] ?? 0);
    problems.push(...differences.map((difference) => `${when}: ${difference}`));
    const conversation = { conversationID: "any", conversationType: 1, userID: actors.admin().id, isPinned: true };
    const { errCode } = await client.setConversations({ userIDs: [actors.admin().id], conversation });
    if (errCode !== 1001) problems.push(`${when}: setConversations answers ${errCode}`);
  }

  async function writeOn(version) {
    for (let round = 0; round < 3; round++) await write(`Synapse ${version}`, () => actors.act(15));
    await write(`Synapse ${version}, administrators`, actors.administer);
  }

  try {
    await start(older);
    await actors.begin();
    await actors.act(25);
    await synapse.atRest(actors.admin().token);
    step(`${name}, Synapse ${older}: installs the map, removes it, and installs it again`);
    const before = schema();
    await imAdmin("tables", "--map", map);
    await imAdmin("tables", "--remove", "--all");
    if (schema() !== before) problems.push("the removal has changed the schema");
    await imAdmin("tables", "--map", map);
    server = await serve(db);
    await writeOn(older);

    const killed = actors.act(1000).catch(() => {});
    await sleep(1000);
    await synapse.stop("SIGKILL");
    await killed;
    await start(older);
    await compare("after it was killed");

    step(`${name}: upgrades to Synapse ${newer}`);
    await synapse.stop();
    await start(newer);
    await compare("after the upgrade");
    await writeOn(newer);
    await synapse.atRest(actors.admin().token);
    await imAdmin("check");
    await compare("at the end");
    server.stop();
    await imAdmin("tables", "--remove", "--all");
    if (schema().includes("im_admin")) problems.push("the removal has left something");
    await actors.act(12);
  } finally {
    server?.stop();
    await synapse?.stop();
  }
  problems.push(...[...synapse.errors(), ...errors()].map((line) => `a statement has failed: ${line}`));
  for (const [action, { accepted, refused }] of Object.entries(actors.counts))
    if (accepted < 2 || refused > accepted / 4) problems.push(`${action}: ${accepted} accepted, ${refused} refused`);
  for (const [list, items] of Object.entries(compared)) if (items < 20) problems.push(`${list} had ${items} items`);
  const actions = Object.values(actors.counts).reduce((sum, { accepted }) => sum + accepted, 0);
  say(`${name}: ${actions} actions of ${Object.keys(actors.counts).length} kinds; items compared:`);
  say(
    Object.entries(compared)
      .map(([list, items]) => `  ${list} ${items}`)
      .join("\n"),
  );
  return problems.map((problem) => `${name}: ${problem}`);
}

/** Runs the command line, while this process goes on, and returns what it prints. */
function output(...args) {
  const child = spawn(process.execPath, [cli, ...args]);
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (part) => (text += part));
  return new Promise((resolve, reject) =>
    child.once("error", reject).once("close", (status) => resolve({ status, text })),
  );
}

/** Starts `im-admin serve`, and waits until it says where it answers. */
async function serve(db) {
  const args = ["serve", "--db", db, "--port", "0", "--log-level", "silent", ...administrator];
  const child = spawn(process.execPath, [cli, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const token = run(process.execPath, [cli, "token", ...administrator]).trim();
  let text = "";
  for await (const part of child.stdout) {
    text += part;
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(text) ?? [];
    if (url !== undefined) return { client: createAdminClient({ url, token }), stop: () => child.kill() };
  }
  throw new Error(`im-admin serve ended: ${text}`);
}
