import { once } from "node:events";
import { MessageChannel } from "node:worker_threads";
import { checkedRecords } from "../../../checkedRecords.js";
import type { RecordSet } from "../../../records.js";
import type { Lane } from "./lane.js";
import type { RecordChunk } from "./messages.js";

/** How many records are sent at once: checking them takes 0.1 ms, and the caller's thread does other work in between. */
const chunkSize = 200;

/** How many chunks may be on their way, so that the thread need not wait for each. */
const chunksAhead = 4;

/** Takes and checks records here, while a thread puts them. */
export async function putByThread(lane: Lane, records: RecordSet): Promise<void> {
  const { port1: port, port2 } = new MessageChannel();
  const sent = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  let isOver = false;
  const given = [{ port: port2, sent }];
  const put = lane.run({ name: "put", given }, "write", undefined, [port2]).finally(() => {
    isOver = true;
    port.close();
  });
  // It is awaited below; this keeps an early failure from counting as unhandled.
  put.catch(() => {});

  function send(chunk: RecordChunk): void {
    port.postMessage(chunk);
    Atomics.add(sent, 0, 1);
    Atomics.notify(sent, 0);
  }

  const checked = checkedRecords(records);
  let ahead = 0;
  port.on("message", () => {
    ahead -= 1;
  });
  try {
    for (let chunk = take(); chunk.length > 0 && !isOver; chunk = take()) {
      send({ records: chunk });
      ahead += 1;
      while (ahead >= chunksAhead && !isOver) await Promise.race([once(port, "message"), put.catch(() => {})]);
    }
    send({ end: "whole" });
  } catch (error) {
    send({ end: "broken" });
    await put.catch(() => {});
    throw error;
  } finally {
    checked.return(undefined);
  }
  await put;

  function take() {
    const chunk = [];
    while (chunk.length < chunkSize) {
      const { value, done } = checked.next();
      if (done) break;
      chunk.push(value);
    }
    return chunk;
  }
}
