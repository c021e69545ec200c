/** The thread in which `serve --follow` follows OpenIM. */
import { parentPort, workerData } from "node:worker_threads";
import { Command } from "commander";
import { databaseKind } from "../database.js";
import { type Followed, followInto } from "./followInto.js";

const followed: Followed = workerData;
const stopping = new AbortController();
parentPort?.once("message", () => stopping.abort());
try {
  const kind = databaseKind(followed.database, new Command());
  await followInto(kind, followed, stopping.signal, (progress) => parentPort?.postMessage(progress));
  // The driver may wait for a connection that was cut.
  process.exit();
} finally {
  parentPort?.close();
}
