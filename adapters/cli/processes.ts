import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import type { Logger } from "pino";

/** The pause before a new process replaces one that ended, in milliseconds. The new one may end at once, too. */
const pause = 1_000;

/**
 * Runs the command in several processes, which listen on one port, until a signal stops it. It replaces each process that
 * ends before.
 *
 * @param onReady is called when the first one listens, and has prepared the database
 */
export async function runProcesses(count: number, logger: Logger, onReady: () => void): Promise<void> {
  const stopped = new Promise((resolve) => process.once("SIGINT", resolve).once("SIGTERM", resolve));
  let isStopping = false;

  cluster.on("message", (worker, message) => message === asking && worker.send(told, () => {}));

  function keepOneMore(worker = cluster.fork()): void {
    worker.once("exit", (code, signal) => {
      if (isStopping) return;
      logger.error({ pid: worker.process.pid, code, signal }, "a process has ended, and another takes its place");
      setTimeout(() => isStopping || keepOneMore(), pause);
    });
  }

  // The first process prepares the database for the others.
  const first = cluster.fork();
  const isReady = await Promise.race([isListening(first), stopped]);
  if (isReady === true) {
    onReady();
    keepOneMore(first);
    for (let started = 1; started < count; started += 1) keepOneMore();
    await stopped;
  }
  isStopping = true;
  await Promise.all(Object.values(cluster.workers ?? {}).map((worker) => worker && stop(worker)));
  if (isReady === false) process.exitCode = first.process.exitCode ?? 1;
}

/** The last message to all processes. */
let told: object = {};

/** What a process sends to be told. */
const asking = "what was told?";

/** Tells all processes, also those that start later, unless they are told something else before. */
export function tellProcesses(message: object): void {
  told = message;
  // One that ends now needs it no more.
  for (const worker of Object.values(cluster.workers ?? {})) worker?.send(message, () => {});
}

/**
 * Learns in one of the processes what all are told. A process that begins to listen afterwards has learnt the last message
 * by then.
 */
export function learnFromFirst<Message>(learn: (message: Message) => void): void {
  process.on("message", learn);
  process.send?.(asking);
}

/** Resolves to true when a process listens, and to false if it ends before. */
function isListening(worker: Worker): Promise<boolean> {
  return new Promise((resolve) => {
    worker.once("listening", () => resolve(true));
    worker.once("exit", () => resolve(false));
  });
}

async function stop(worker: Worker): Promise<void> {
  if (worker.isDead()) return;
  worker.process.kill("SIGTERM");
  await once(worker, "exit");
}
