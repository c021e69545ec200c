import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { clientOf } from "./clients.js";
import { Holdings } from "./holdings.js";

/** How many requests may be under way on one connection. Clients that send further ones before an answer send few. */
const mostUnderWay = 20;

/** The open connections of a server. */
export class Connections {
  readonly #open = new Holdings<Socket>(clientOf);
  /** The last answer on each, which may be under way. */
  readonly #answers = new WeakMap<Socket, ServerResponse>();
  readonly #underWay = new WeakMap<Socket, number>();

  /** @param most how many may be open; where one more comes, the client with the most gives up one that does no work */
  constructor(server: Server, most: number) {
    server.on("connection", (socket) => {
      this.#open.add(socket, 1);
      socket.once("close", () => this.#open.letGo(socket));
      if (this.#open.all > most) (this.#idleOfMost() ?? socket).destroy();
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
    for (const socket of this.#open.holders()) {
      const response = this.#answers.get(socket);
      if (response) endAfter(response);
    }
  }

  /** Closes the connections without a request so far, which browsers open in advance and `closeIdleConnections` passes over. */
  closeUnused(): void {
    for (const socket of this.#open.holders()) if (!this.#answers.has(socket)) socket.destroy();
  }

  /**
   * The oldest connection of those for which no answer is made, of the client that has the most connections: one that is
   * idle, or where there is none, one whose client has an answer to read.
   */
  #idleOfMost(): Socket | undefined {
    const ofMost = this.#open.ofMost();
    const isIdle = (response: ServerResponse | undefined) => !response?.req.complete || response.writableFinished;
    return (
      ofMost.find((socket) => isIdle(this.#answers.get(socket))) ??
      ofMost.find((socket) => this.#answers.get(socket)?.writableEnded)
    );
  }
}

/** Says in the answer that the connection ends, since a further request on it would be lost. */
export function endAfter(response: ServerResponse): void {
  response.shouldKeepAlive = false;
}
