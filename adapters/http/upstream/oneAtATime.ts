import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** How many requests may wait behind another one on their connection, and on all connections together. */
const mostWaiting = 100;
const mostWaitingInAll = 2_000;

/** The requests of one connection that are under way or wait. */
interface Line {
  last: Promise<void>;
  length: number;
}

const lines = new WeakMap<Socket, Line>();
let waiting = 0;

/**
 * Runs the requests of a connection one after another, although Node hands over pipelined ones at once. It hangs up on a
 * connection with too many of them. A request whose connection has ended before its turn is not run.
 */
export async function oneAtATime(socket: Socket, response: ServerResponse, run: () => Promise<void>): Promise<void> {
  const line = lines.get(socket) ?? { last: Promise.resolve(), length: 0 };
  lines.set(socket, line);
  const isTooMuch = line.length > mostWaiting || (line.length > 0 && waiting >= mostWaitingInAll);
  if (isTooMuch) socket.destroy();
  line.length += 1;
  waiting += 1;
  const begin = async () => {
    waiting -= 1;
    // An answer may have ended the connection for what follows it.
    if (socket.writable) await run().catch(() => socket.destroy());
    line.length -= 1;
  };
  const isFirst = line.length === 1 && response.socket !== null;
  line.last = isFirst ? begin() : line.last.then(() => turnOf(socket, response)).then(begin);
  await line.last;
}

/**
 * Resolves when the answers before this one have gone out, also those that a host gives itself, or when the connection has
 * ended. Node tells no other response that its client has gone.
 */
async function turnOf(socket: Socket, response: ServerResponse): Promise<void> {
  if (response.socket !== null || socket.destroyed) return;
  await new Promise<void>((resolve) => {
    function settle(): void {
      response.off("socket", settle);
      socket.off("close", settle);
      resolve();
    }
    response.once("socket", settle);
    socket.once("close", settle);
  });
}
