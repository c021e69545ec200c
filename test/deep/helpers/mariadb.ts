import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPool, type Pool, type PoolOptions } from "mysql2/promise";
import { afterAll, beforeAll } from "vitest";

/** A MariaDB server of its own, which listens on a socket in its folder and on no port. */
interface MariadbServer {
  /** Makes an empty database, whose default collation takes A for a, unless it is there, and gives connections to it. */
  openDatabase(database: string, options?: PoolOptions): Promise<Pool>;
  stop(): Promise<void>;
}

/** Has the tests of a file share a server of the programs in the PATH. */
export function mariadbForFile(): Pick<MariadbServer, "openDatabase"> {
  let server: MariadbServer | undefined;
  beforeAll(async () => {
    server = await startMariadb();
  });
  afterAll(() => server?.stop());
  return {
    openDatabase(database, options) {
      if (server === undefined) throw new Error("the server is there as soon as the first test begins");
      return server.openDatabase(database, options);
    },
  };
}

async function startMariadb(): Promise<MariadbServer> {
  const folder = mkdtempSync(join(tmpdir(), "im-admin-mariadb-"));
  const user = unprivilegedUser();
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  const options: SpawnOptions = { ...user, cwd: folder, stdio: ["ignore", "ignore", "pipe"] };
  const data = `--datadir=${join(folder, "data")}`;

  const installation = ["--no-defaults", data, "--auth-root-authentication-method=normal", "--skip-test-db"];
  const installing = spawn("mariadb-install-db", installation, options);
  const said = textOf(installing);
  const [status] = await once(installing, "close");
  if (status !== 0) throw new Error(`mariadb-install-db ended with ${status}: ${said()}`);

  const socketPath = join(folder, "socket");
  const settings = ["--no-defaults", data, `--socket=${socketPath}`, "--skip-networking"];
  // Nothing waits for the disk.
  const server = spawn("mariadbd", [...settings, "--innodb-flush-log-at-trx-commit=0"], options);
  const ended = once(server, "close");
  await ready(server);

  const pools: Pool[] = [];
  const open = (more: PoolOptions) => {
    const pool = createPool({ ...more, socketPath, user: "root" });
    pools.push(pool);
    return pool;
  };
  const owner = open({});
  return {
    async openDatabase(database, options = {}) {
      await owner.query(`CREATE DATABASE IF NOT EXISTS ${database} CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci`);
      return open({ ...options, database });
    },
    async stop() {
      for (const pool of pools) await pool.end();
      server.kill("SIGTERM");
      await ended;
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

/** Waits until a server takes connections. */
function ready(server: ChildProcess): Promise<void> {
  const said = textOf(server);
  return new Promise((resolve, reject) => {
    server.stderr?.on("data", () => {
      if (said().includes("ready for connections")) resolve();
    });
    server.once("close", () => reject(new Error(`mariadbd ended: ${said()}`)));
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
