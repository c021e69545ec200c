import cluster from "node:cluster";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { CallReport, UnreadableReport } from "../../src/observer.js";
import { snakeCase } from "../../src/stores/snakeCase.js";
import type { Load } from "./databases/databaseKind.js";
import type { Following } from "./follow/followThread.js";
import { onlyHosts } from "./hosts.js";
import { listenFailure } from "./listenFailure.js";

/** Counts and measures for Prometheus what a process does. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #calls: Histogram<"operation" | "code">;
  readonly #unreadable: Counter<"record" | "field">;
  readonly #connections: Gauge;
  #stop: (() => void) | undefined;

  /**
   * @param loadOf tells how much work waits for the database, and how old a copy of OpenIM's is
   * @param followingOf tells what following OpenIM has done, if it is followed
   */
  constructor(loadOf: () => Promise<Observed>, followingOf?: () => Following) {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry });
    this.#calls = new Histogram({
      name: "im_admin_call_duration_seconds",
      help: "Calls of the operations, by what they were answered.",
      labelNames: ["operation", "code"],
      buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10],
      registers,
    });
    this.#unreadable = new Counter({
      name: "im_admin_unreadable_fields_total",
      help: "Fields of your own tables that could not be read, and were answered as 0, false or an empty text.",
      labelNames: ["record", "field"],
      registers,
    });
    this.#connections = new Gauge({ name: "im_admin_connections", help: "Open connections.", registers });
    for (const [name, { metric, help, isOfProcess }] of Object.entries(loads)) {
      new Gauge({
        name: metric,
        help,
        registers,
        // All processes with the same database report the same load.
        aggregator: isOfProcess ? "sum" : "max",
        async collect() {
          // If the database does not answer, report the rest.
          const load = await loadOf().catch(() => undefined);
          const value = load?.[name as keyof Observed];
          if (value === undefined) this.remove();
          else this.set(value);
        },
      });
    }
    if (followingOf) countFollowing(followingOf, registers);
    // The process of a cluster that answers requests for metrics gets these from the others.
    AggregatorRegistry.setRegistries(registers);
    new AggregatorRegistry();
  }

  onCall({ operation, errCode, durationMs }: CallReport): void {
    this.#calls.observe({ operation, code: errCode }, durationMs / 1000);
  }

  onUnreadable({ unreadable }: UnreadableReport): void {
    for (const { record, field } of unreadable) this.#unreadable.inc({ record, field });
  }

  onConnection(socket: Socket): void {
    this.#connections.inc();
    socket.once("close", () => this.#connections.dec());
  }

  /** Serves the metrics, unless the process that started this one serves them for all. */
  async listen(address: MetricsAddress): Promise<void> {
    if (cluster.worker === undefined) this.#stop = await serveMetrics(() => this.#registry.metrics(), address);
  }

  close(): void {
    this.#stop?.();
  }
}

/** What is measured when somebody asks. */
interface Observed extends Load {
  copyAgeSeconds?: number | undefined;
}

function countFollowing(followingOf: () => Following, registers: Registry[]): void {
  for (const [name, help] of Object.entries(follows)) {
    new Counter({
      name: `im_admin_follow_${snakeCase(name)}_total`,
      help,
      registers,
      // All processes report the same.
      aggregator: "max",
      collect() {
        this.reset();
        this.inc(followingOf()[name as keyof typeof follows]);
      },
    });
  }
  new Gauge({
    name: "im_admin_follow_failing",
    help: "1 while OpenIM's changes cannot be followed, else 0.",
    registers,
    aggregator: "max",
    collect() {
      this.set(Number(followingOf().isFailing));
    },
  });
}

const follows = {
  changes: "Changes of OpenIM's that were made in the copy.",
  copies: "Whole copies that were made of OpenIM's records.",
  mended: "Values of OpenIM's that were changed, since the database cannot hold them.",
  leftOut: "Documents of OpenIM's that were left out, since the database cannot hold their keys.",
  passedOver: "Documents of OpenIM's that were passed over, since another one with a greater _id has their key.",
};

const loads: Record<keyof Observed, { metric: string; help: string; isOfProcess?: true }> = {
  heavyCallsWaiting: {
    metric: "im_admin_heavy_calls_waiting",
    help: "Heavy calls that wait for a thread.",
    isOfProcess: true,
  },
  pagesFromRecords: {
    metric: "im_admin_pages_from_records",
    help: "Pages that were read from the records, since changes could not be settled in time, in SQLite.",
    isOfProcess: true,
  },
  changesWaiting: {
    metric: "im_admin_changes_waiting",
    help: "Changes that are not settled in the lists yet.",
  },
  secondsSinceSettled: {
    metric: "im_admin_settled_age_seconds",
    help: "Time since changes were last folded into the lists, in PostgreSQL.",
  },
  copyAgeSeconds: {
    metric: "im_admin_copy_age_seconds",
    help: "How old a copy of OpenIM's records is: the lists have all that OpenIM wrote before. Without a copy, it counts from 1970.",
  },
};

/** Serves the metrics of all processes together, in the process that started them. Call the result to stop. */
export function serveMetricsOfProcesses(address: MetricsAddress): Promise<() => void> {
  const registry = new AggregatorRegistry();
  return serveMetrics(() => registry.clusterMetrics(), address);
}

/** Where metrics are served, and the names of this host that requests may use. */
interface MetricsAddress {
  port: number;
  host: string;
  names: readonly string[] | undefined;
}

/** Answers `GET /metrics` on a port of its own, since it asks for no token. */
async function serveMetrics(text: () => Promise<string>, { port, host, names }: MetricsAddress): Promise<() => void> {
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      if (request.url !== "/metrics" || request.method !== "GET") return void response.writeHead(404).end();
      const body = await text();
      const headers = { "content-type": Registry.PROMETHEUS_CONTENT_TYPE, "x-content-type-options": "nosniff" };
      response.writeHead(200, headers).end(body);
    } catch {
      response.writeHead(503).end();
    }
  }
  const server = createServer(onlyHosts(answer, host, names));
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(listenFailure(error, host, port, "--metrics-port")));
    server.listen(port, host, resolve);
  });
  // A later "error" concerns one connection that the server could not accept.
  server.removeAllListeners("error").on("error", () => {});
  return () => {
    server.close();
    // An open connection would keep the process alive.
    server.closeAllConnections();
  };
}
