/** Synapse from PyPI, as a server of its own that answers on a socket in its folder. */
import { spawn, spawnSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** What pip installs for each version. The older one does not start with today's versions of the packages that it needs. */
export const versions = {
  "1.95.1": [
    "matrix-synapse[postgres]==1.95.1",
    "attrs==23.2.0",
    "prometheus_client==0.20.0",
    "treq==23.11.0",
    "Twisted==23.10.0",
  ],
  "1.163.2": ["matrix-synapse[postgres]==1.163.2"],
};

export const serverName = "im.test";
const secret = "a secret of Synapse";
const cache = process.env.SYNAPSE_CACHE ?? join(homedir(), ".cache", "im-admin-synapse");
/** How long Synapse may take to answer for the first time, in milliseconds. */
const patience = 60_000;
const noLimit = { per_second: 100_000, burst_count: 100_000 };

/** Runs a program that must succeed, and returns what it prints. */
export function run(command, args, options = {}) {
  const { status, error, stdout, stderr } = spawnSync(command, args, { encoding: "utf8", ...options });
  if (status === 0) return stdout;
  throw error ?? new Error(`${command} ${args.join(" ")} failed:\n${stdout}${stderr}`);
}

/** Makes the virtual environment of a version once, and returns its Python. */
export function install(version) {
  const to = join(cache, version);
  const ready = join(to, "ready");
  const wanted = versions[version].join("\n");
  const python = join(to, "bin", "python");
  if (existsSync(ready) && readFileSync(ready, "utf8") === wanted) return python;
  mkdirSync(cache, { recursive: true });
  run("python3", ["-m", "venv", "--clear", to]);
  run(python, ["-m", "pip", "install", "--quiet", ...versions[version]]);
  writeFileSync(ready, wanted);
  return python;
}

/** Starts Synapse over a database, and waits until it answers. */
export async function startSynapse(version, folder, database) {
  const socketPath = join(folder, "socket");
  const log = join(folder, "log");
  const args = ["-m", "synapse.app.homeserver", "-c", join(folder, "homeserver.yaml")];
  const python = install(version);
  writeFileSync(join(folder, "log.yaml"), JSON.stringify(logging(log)));
  writeFileSync(join(folder, "homeserver.yaml"), JSON.stringify(settings(folder, socketPath, database)));
  run(python, [...args, "--generate-keys"]);
  rmSync(socketPath, { force: true });
  const output = openSync(join(folder, "output"), "a");
  const server = spawn(python, args, { cwd: folder, stdio: ["ignore", output, output] });
  closeSync(output);
  const ended = once(server, "exit");
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });

  /** Calls the API, and returns the status and the answer. */
  async function call(method, path, { token, body } = {}) {
    const given = body === undefined ? "" : JSON.stringify(body);
    const headers = {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(given),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    };
    const sent = request({ socketPath, agent, method, path, headers }).end(given);
    const [answer] = await once(sent, "response");
    let text = "";
    for await (const part of answer.setEncoding("utf8")) text += part;
    return { status: answer.statusCode, data: text === "" ? {} : JSON.parse(text) };
  }

  /** Calls the API, which must succeed, and returns the answer. */
  async function succeed(method, path, options) {
    const { status, data } = await call(method, path, options);
    if (status < 300) return data;
    const message = `Synapse answered ${status} to ${method} ${path}: ${JSON.stringify(data)}`;
    throw Object.assign(new Error(message), { isRefusal: status === 403 });
  }

  async function register(username, isAdmin = false) {
    const path = "/_synapse/admin/v1/register";
    const { nonce } = await succeed("GET", path);
    const password = "password";
    const signed = [nonce, username, password, isAdmin ? "admin" : "notadmin"].join("\0");
    const mac = createHmac("sha1", secret).update(signed).digest("hex");
    const body = { nonce, username, password, admin: isAdmin, mac };
    const { access_token: token, user_id: id } = await succeed("POST", path, { body });
    return { id, token };
  }

  /** Waits until Synapse has done what it does in the background after an upgrade. */
  async function atRest(token) {
    for (;;) {
      const { current_updates: updates } = await succeed("GET", "/_synapse/admin/v1/background_updates/status", {
        token,
      });
      if (Object.keys(updates).length === 0) return;
      await sleep(100);
    }
  }

  async function stop(signal = "SIGTERM") {
    server.kill(signal);
    await ended;
    agent.destroy();
  }

  /** The lines of the log that tell of a failed statement. */
  function errors() {
    const lines = readFileSync(log, "utf8").split("\n");
    return lines.filter((line) => /\b(psycopg2|sqlite3)\.|im_admin/.test(line));
  }

  const until = performance.now() + patience;
  for (;;) {
    const isUp = await call("GET", "/_matrix/client/versions").then(
      ({ status }) => status === 200,
      () => false,
    );
    if (isUp) return { succeed, register, atRest, errors, stop };
    if (server.exitCode !== null || performance.now() > until) {
      await stop("SIGKILL");
      throw new Error(
        `Synapse ${version} does not start:\n${readFileSync(join(folder, "output"), "utf8").slice(-3000)}`,
      );
    }
    await sleep(100);
  }
}

function settings(folder, socketPath, database) {
  const limited = [
    "message",
    "registration",
    "joins_per_room",
    "room_creation",
    "admin_redaction",
    "reports",
    "presence",
  ];
  const byKind = {
    login: ["address", "account", "failed_attempts"],
    joins: ["local", "remote"],
    invites: ["per_room", "per_user", "per_issuer"],
  };
  const limits = Object.fromEntries([
    ...limited.map((name) => [`rc_${name}`, noLimit]),
    ...Object.entries(byKind).map(([name, kinds]) => [
      `rc_${name}`,
      Object.fromEntries(kinds.map((kind) => [kind, noLimit])),
    ]),
  ]);
  return {
    server_name: serverName,
    pid_file: join(folder, "pid"),
    listeners: [{ path: socketPath, type: "http", resources: [{ names: ["client"] }] }],
    database,
    registration_shared_secret: secret,
    bcrypt_rounds: 4,
    macaroon_secret_key: secret,
    form_secret: secret,
    signing_key_path: join(folder, "signing.key"),
    log_config: join(folder, "log.yaml"),
    media_store_path: join(folder, "media"),
    federation_domain_whitelist: [],
    trusted_key_servers: [],
    suppress_key_server_warning: true,
    report_stats: false,
    background_updates: { sleep_enabled: false },
    ...limits,
  };
}

/** Only warnings and errors are logged. */
function logging(file) {
  return {
    version: 1,
    formatters: { plain: { format: "%(asctime)s %(levelname)s %(name)s %(message)s" } },
    handlers: { file: { class: "logging.FileHandler", filename: file, formatter: "plain" } },
    root: { level: "WARNING", handlers: ["file"] },
    disable_existing_loggers: false,
  };
}
