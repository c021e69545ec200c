import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** How many requests may be under way on one connection. Clients that send further ones before an answer send few. */
const mostUnderWay = 20;

/** The open connections of a server, each with the last answer on it, which may be under way; the oldest come first. */
export class Connections {
  readonly #answers = new Map<Socket, ServerResponse | undefined>();
  readonly #underWay = new WeakMap<Socket, number>();

  /** @param most how many may be open; where one more comes, the address with the most gives up one that does no work */
  constructor(server: Server, most: number) {
    server.on("connection", (socket) => {
      this.#answers.set(socket, undefined);
      socket.once("close", () => this.#answers.delete(socket));
      if (this.#answers.size > most) (this.#idleOfMost() ?? socket).destroy();
    });
  }

  /** Takes note of a request. False if its connection has ended, as it does where too many are under way on it. */
  admit({ socket }: IncomingMessage, response: ServerResponse): boolean {
    const underWay = (this.#underWay.get(socket) ?? 0) + 1;
    if (underWay > mostUnderWay) socket.destroy();
    // Node goes on with what it has read of a connection that has ended.
    if (socket.destroyed) return false;
    this.#underWay.set(socket, underWay);
    this.#answers.set(socket, response);
    response.once("close", () => this.#underWay.set(socket, (this.#underWay.get(socket) ?? 0) - 1));
    return true;
  }

  /** Ends each connection after the answer that is under way on it. */
  endAfterAnswers(): void {
    for (const response of this.#answers.values()) if (response) endAfter(response);
  }

  /** Closes the connections without a request so far, which browsers open in advance and `closeIdleConnections` passes over. */
  closeUnused(): void {
    for (const [socket, response] of this.#answers) if (response === undefined) socket.destroy();
  }

  /**
   * The oldest connection of those for which no answer is made, of the address that has the most connections: one that is
   * idle, or where there is none, one whose client has an answer to read.
   */
  #idleOfMost(): Socket | undefined {
    const counts = new Map<string | undefined, number>();
    let largest: string | undefined;
    for (const { remoteAddress } of this.#answers.keys()) {
      const count = (counts.get(remoteAddress) ?? 0) + 1;
      counts.set(remoteAddress, count);
      if (count > (counts.get(largest) ?? 0)) largest = remoteAddress;
    }
    let unread: Socket | undefined;
    for (const [socket, response] of this.#answers) {
      if (socket.remoteAddress !== largest) continue;
      if (!response?.req.complete || response.writableFinished) return socket;
      if (response.writableEnded) unread ??= socket;
    }
    return unread;
  }
}

/** Says in the answer that the connection ends, since a further request on it would be lost. */
export function endAfter(response: ServerResponse): void {
  response.shouldKeepAlive = false;
}
