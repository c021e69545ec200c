/** Three servers under Patroni, each on something like a machine of its own, and HAProxy before them. It takes root on Linux. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdirSync, mkdtempSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import pg from "pg";

/** Several servers. One writes, and if it fails, another one takes over. */
export interface PatroniCluster {
  /** The URL that leads to the server that writes, and that of its replicas. */
  urls: { primary: string; replicas: string };
  nodes: readonly PatroniNode[];
  /** Which node writes, as Patroni has it. */
  primary(): Promise<PatroniNode | undefined>;
  /** Which replica has all that is acknowledged; undefined where it is not all well. */
  synchronousReplica(): Promise<PatroniNode | undefined>;
  stop(): Promise<void>;
}

/** A machine with a server. */
export interface PatroniNode {
  name: string;
  /** Connections to the server past HAProxy. */
  pool: pg.Pool;
  /** Whether Patroni says that this server writes. */
  isPrimary(): Promise<boolean>;
  /** Ends all processes of the machine at once, as when its power fails. */
  cutPower(): Promise<void>;
  /** Starts a machine whose power was cut. */
  start(): Promise<void>;
  /** Kills Patroni and the server. */
  killServer(): void;
  /** Starts Patroni, which starts the server. */
  startPatroni(): void;
  /** Kills what writes changed pages to the disk. */
  killCheckpointer(): void;
  /** Has all processes of the server stand still, as when its disk does not answer. */
  freeze(): void;
  /** Has a replica receive what is written, and not show it, or show it again. */
  holdReplay(isHeld: boolean): void;
  /** Takes the machine off the network, or back to it; nobody is told. */
  plug(isPlugged: boolean): void;
}

/** The user who runs the servers, which refuse to run as root. */
const nobody = { uid: idOf("-u"), gid: idOf("-g") };
const asNobody = ["setpriv", `--reuid=${nobody.uid}`, `--regid=${nobody.gid}`, "--clear-groups"];

function idOf(flag: string): number {
  return Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" }));
}

const hubAddress = "10.77.0.100";
const etcdPort = 2379;
const patroniPort = 8008;
const serverPort = 5432;
const ports = { primary: 5000, replicas: 5001 };
const names = ["n1", "n2", "n3"];
const addressOf = (name: string) => `10.77.0.${name.slice(1)}`;

export async function startPatroni(): Promise<PatroniCluster> {
  const folder = mkdtempSync(join(tmpdir(), "im-admin-patroni-"));
  chownSync(folder, nobody.uid, nobody.gid);
  // Whatever ends this process, the folder does not stay.
  const hub = await startMachine(`kill -KILL -1; until rm -rf ${folder}; do sleep 0.1; done`);
  hub.ip("link", "add", "switch", "type", "bridge");
  hub.ip("address", "add", `${hubAddress}/24`, "dev", "switch");
  hub.ip("link", "set", "switch", "up");
  const etcdURL = `http://${hubAddress}:${etcdPort}`;
  hub.start(join(folder, "etcd.log"), "etcd", [
    `--data-dir=${join(folder, "etcd")}`,
    `--listen-client-urls=${etcdURL}`,
    `--advertise-client-urls=${etcdURL}`,
    "--listen-peer-urls=http://127.0.0.1:2380",
    "--unsafe-no-fsync",
  ]);
  const proxySettings = join(folder, "haproxy.cfg");
  writeFileSync(proxySettings, haproxySettings(folder));
  hub.start(join(folder, "haproxy.log"), "haproxy", ["-db", "-f", proxySettings]);

  const nodes: PatroniNode[] = [];
  for (const name of names) nodes.push(await startNode(folder, name, hub));
  const urlOf = (port: number) => `postgres:///postgres?host=${folder}&port=${port}&user=postgres`;
  return {
    urls: { primary: urlOf(ports.primary), replicas: urlOf(ports.replicas) },
    nodes,
    async primary() {
      for (const node of nodes) if (await node.isPrimary()) return node;
      return undefined;
    },
    async synchronousReplica() {
      const members = await membersOf(folder);
      const isWell = members.every(({ role, state, timeline, lag }) => {
        return timeline === members[0]?.timeline && (role === "leader" || (state === "running" && Number(lag) < 1e6));
      });
      if (members.length < names.length || !isWell) return undefined;
      return nodes.find(({ name }) => members.some((member) => member.name === name && member.role === "sync_standby"));
    },
    async stop() {
      for (const node of nodes) {
        await node.pool.end();
        await node.cutPower();
      }
      await hub.cutPower();
    },
  };
}

/** Processes and a network that end with it, when its power is cut, or when this process has ended. */
interface Machine {
  /** Changes its network. */
  ip(...args: string[]): void;
  /** Sends a signal to its processes whose command lines match. */
  signal(signal: NodeJS.Signals, pattern: string): void;
  /** Starts something as nobody. */
  start(log: string, program: string, args: readonly string[]): void;
  /** The process that has the network. */
  pid: number;
  cutPower(): Promise<void>;
}

/** @param last a shell command for the end of the machine */
async function startMachine(last = ""): Promise<Machine> {
  // All processes of the machine end with its first one, which ends with its input, and so with this process.
  const script = `ip link set lo up; echo started; read -r; ${last}`;
  const holder = spawn("unshare", ["--net", "--pid", "--fork", "--kill-child", "--mount-proc", "bash", "-c", script], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(holder, "close");
  await once(holder.stdout, "data");
  const pid = Number(readFileSync(`/proc/${holder.pid}/task/${holder.pid}/children`, "utf8"));
  const network = ["--target", String(pid), "--net"];
  const inside = [...network, "--pid", "--mount"];
  return {
    pid,
    ip(...args) {
      execFileSync("nsenter", [...network, "ip", ...args]);
    },
    signal(signal, pattern) {
      execFileSync("nsenter", [...inside, "pkill", "--signal", signal.slice(3), "--full", pattern]);
    },
    start(log, program, args) {
      const output = openSync(log, "a");
      spawn("nsenter", [...inside, ...asNobody, program, ...args], { stdio: ["ignore", output, output] });
    },
    async cutPower() {
      holder.stdin.end();
      await ended;
    },
  };
}

async function startNode(folder: string, name: string, hub: Machine): Promise<PatroniNode> {
  const own = join(folder, name);
  mkdirSync(own);
  chownSync(own, nobody.uid, nobody.gid);
  const settings = join(own, "patroni.yml");
  // JSON is YAML.
  writeFileSync(settings, JSON.stringify(patroniSettings(own, name)));
  let machine: Machine;

  async function start(): Promise<void> {
    machine = await startMachine();
    // A new card with the old address, so that others find it at once.
    const card = ["address", `02:00:00:00:00:0${name.slice(1)}`];
    hub.ip("link", "add", name, "type", "veth", "peer", "name", "eth0", ...card, "netns", String(machine.pid));
    hub.ip("link", "set", name, "master", "switch", "up");
    machine.ip("address", "add", `${addressOf(name)}/24`, "dev", "eth0");
    machine.ip("link", "set", "eth0", "up");
    startPatroni();
  }
  const startPatroni = () => machine.start(join(own, "log"), "patroni", [settings]);

  await start();
  const pool = new pg.Pool({ host: own, user: "postgres", database: "postgres", max: 2 });
  pool.on("error", () => {});
  return {
    name,
    pool,
    isPrimary: async () => (await ask(folder, name, "/primary"))?.status === 200,
    cutPower: () => machine.cutPower(),
    start,
    killServer() {
      machine.signal("SIGKILL", "^/usr/bin/python3 /usr/bin/patroni");
      machine.signal("SIGKILL", `postgres -D ${own}`);
    },
    startPatroni,
    killCheckpointer: () => machine.signal("SIGKILL", "^postgres: .*checkpointer"),
    freeze: () => machine.signal("SIGSTOP", `postgres -D ${own}|^postgres: `),
    holdReplay: (isHeld) => machine.signal(isHeld ? "SIGSTOP" : "SIGCONT", "^postgres: .*startup"),
    plug: (isPlugged) => hub.ip("link", "set", name, ...(isPlugged ? ["master", "switch"] : ["nomaster"])),
  };
}

function patroniSettings(own: string, name: string): object {
  const address = addressOf(name);
  return {
    scope: "im",
    name,
    restapi: { listen: `${address}:${patroniPort}`, connect_address: `${address}:${patroniPort}` },
    etcd3: { host: `${hubAddress}:${etcdPort}` },
    bootstrap: {
      dcs: {
        ttl: 10,
        loop_wait: 1,
        retry_timeout: 3,
        synchronous_mode: true,
        postgresql: {
          use_pg_rewind: true,
          parameters: { wal_sender_timeout: "5s", wal_receiver_timeout: "5s", hot_standby_feedback: true },
        },
      },
      initdb: [{ encoding: "UTF8" }, { locale: "C" }, { auth: "trust" }],
    },
    postgresql: {
      listen: `${address}:${serverPort}`,
      connect_address: `${address}:${serverPort}`,
      data_dir: join(own, "data"),
      bin_dir: process.env["POSTGRES_BIN"],
      pgpass: join(own, "pgpass"),
      authentication: { superuser: { username: "postgres" }, replication: { username: "replicator" } },
      parameters: { unix_socket_directories: own, shared_buffers: "64MB" },
      pg_hba: ["local all all trust", "host all all samenet trust", "host replication all samenet trust"],
    },
  };
}

function haproxySettings(folder: string): string {
  const lines = (line: (name: string) => string) => names.map(line).join("\n");
  const servers = lines((name) => `  server ${name} ${addressOf(name)}:${serverPort} check port ${patroniPort}`);
  return `
defaults
  mode tcp
  timeout connect 1s
  timeout check 1s
  timeout client 1h
  timeout server 1h
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
listen primary
  bind unix@${folder}/.s.PGSQL.${ports.primary} mode 666
  option httpchk GET /primary
${servers}
listen replicas
  bind unix@${folder}/.s.PGSQL.${ports.replicas} mode 666
  option httpchk GET /replica?lag=1MB
${servers}
${lines(
  (name) => `
listen ${name}
  mode http
  bind unix@${folder}/patroni-${name} mode 666
  server ${name} ${addressOf(name)}:${patroniPort}`,
)}
`;
}

/** What Patroni says of a server. */
interface Member {
  name: string;
  role: "leader" | "sync_standby" | "replica";
  state: string;
  timeline: number;
  lag?: number | "unknown";
}

/** The members of the cluster, from the first node that answers. */
async function membersOf(folder: string): Promise<Member[]> {
  for (const name of names) {
    const answer = await ask(folder, name, "/cluster");
    if (answer?.status === 200) return JSON.parse(answer.body).members;
  }
  return [];
}

/** Asks the Patroni of a node; undefined where it does not answer. */
function ask(folder: string, name: string, path: string): Promise<{ status: number; body: string } | undefined> {
  const socketPath = join(folder, `patroni-${name}`);
  return new Promise((resolve) => {
    request({ socketPath, path, timeout: 2000 }, async (response) => {
      const body = await text(response).catch(() => "");
      resolve({ status: response.statusCode ?? 0, body });
    })
      .on("timeout", function (this: ReturnType<typeof request>) {
        this.destroy();
      })
      .on("error", () => resolve(undefined))
      .end();
  });
}
