import type { ServerResponse } from "node:http";

/** How long a client may take to read its answer, in milliseconds. */
const readTimeout = 30_000;
/** How many bytes of answers may wait for their clients at once, in the whole process. */
const mostBytes = 67_108_864;

/** The answers that wait for their clients, each with its bytes; the oldest come first. */
const waiting = new Map<ServerResponse, number>();
let bytesWaiting = 0;

/** Keeps an answer until its client has read it, and hangs up on clients that are late or keep too much waiting. */
export function awaitReader(response: ServerResponse, bytes: number): void {
  const deadline = setTimeout(() => response.destroy(), readTimeout).unref();
  const forget = () => {
    clearTimeout(deadline);
    if (waiting.delete(response)) bytesWaiting -= bytes;
  };
  response.once("close", forget);
  waiting.set(response, bytes);
  bytesWaiting += bytes;
  for (const [oldest, oldestBytes] of waiting) {
    // The newest may be larger than all that may wait.
    if (bytesWaiting <= mostBytes || oldest === response) return;
    waiting.delete(oldest);
    bytesWaiting -= oldestBytes;
    oldest.destroy();
  }
}
