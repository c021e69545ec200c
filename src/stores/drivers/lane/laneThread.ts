/** A thread that runs the heavy calls of a store, on its own connection. */
import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import type { CheckedValues } from "../../../checkedRecords.js";
import type { RecordName } from "../../../records.js";
import { put } from "../../sqlite/records/write.js";
import { defaultSizes } from "../../sqlite/schema/sizes.js";
import { putInBulk } from "../../sqlite/upkeep/putInBulk.js";
import { openFileDatabase } from "../fileDatabase.js";
import { requireIdentity } from "../fileGuard.js";
import { type Calls, callsHere } from "../fileStore.js";
import {
  type Outcome,
  plainError,
  type RecordChunk,
  type RecordPort,
  type ThreadCall,
  type ThreadStart,
} from "./messages.js";

const { engine, file, identity } = workerData as ThreadStart;
// If the file is gone, do not create a new one.
requireIdentity(file.path, identity);
const loaded =
  engine === "better-sqlite3"
    ? (await import("../betterSqlite3.js")).betterSqlite3
    : (await import("../nodeEngine.js")).nodeSqlite;
const database = openFileDatabase(loaded, file);
requireIdentity(file.path, identity);
const calls: Record<keyof Calls, (...given: never[]) => Promise<unknown>> = {
  ...callsHere(database),
  put: (records: RecordPort) => put(database, defaultSizes, received(records), putInBulk(defaultSizes)),
};

async function run(call: ThreadCall): Promise<unknown> {
  if (call === "close") return database.close();
  // The tables may have got another map since the last call.
  if (call.name === "kept") await database.lookAtSchema?.();
  // A look would first try to mend the lists, which the caller has just tried in vain.
  if (call.name === "records") database.forgetMap();
  return calls[call.name](...(call.given as never[]));
}

/** The records of a put. The thread sleeps until more arrive, within the transaction. */
function* received({ port, sent }: RecordPort): Generator<[RecordName, CheckedValues]> {
  for (let seen = 0; ; ) {
    const received: { message: RecordChunk } | undefined = receiveMessageOnPort(port);
    if (received === undefined) {
      Atomics.wait(sent, 0, seen);
      seen = Atomics.load(sent, 0);
      continue;
    }
    const { message } = received;
    if ("end" in message) {
      if (message.end === "broken") throw new Error("the records ended in a failure");
      return;
    }
    port.postMessage(undefined);
    yield* message.records;
  }
}

parentPort?.on("message", async (call: ThreadCall) => {
  let outcome: Outcome;
  try {
    outcome = { result: await run(call) };
  } catch (error) {
    outcome = { failure: plainError(error) };
  }
  parentPort?.postMessage(outcome);
  if (call === "close") parentPort?.close();
});
parentPort?.postMessage("ready");
