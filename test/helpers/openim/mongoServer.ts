/**
 * Stands for a MongoDB that is a replica set of one member. It speaks MongoDB's wire protocol, so that the real driver
 * talks to it, and has the documents and changes of a MongoLog for each database.
 */
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { Long, ObjectId, Timestamp } from "bson";
import { Commands, MongoFailure } from "./mongoCommands.js";
import type { MongoLog } from "./mongoLog.mjs";
import { answerTo, type Fields, Frames, type Message } from "./wire.js";

/** What the server is at present. */
interface State {
  role: "primary" | "secondary" | "standalone";
  /** Whether it tells clients at once when its role changes, in an answer to a `hello` that waits. */
  streams: boolean;
  /** The newest version of the protocol that it speaks. */
  wireVersion: number;
  /** Whether it takes connections and answers nothing, as behind a cut network. */
  isFrozen: boolean;
  /** The code and the name of an error that is the answer to all that reads or writes. */
  refusal: readonly [code: number, name: string] | undefined;
}

/** What does not depend on what the server is. */
const unaskedFor = new Set(["ping", "endsessions", "buildinfo", "killcursors", "aborttransaction"]);

export class MongoServer {
  readonly state: State = {
    role: "primary",
    streams: true,
    wireVersion: 21,
    isFrozen: false,
    refusal: undefined,
  };
  /** How many commands came, by their names. */
  readonly asked = new Map<string, number>();
  readonly #commands: Commands;
  readonly #sockets = new Set<Socket>();
  readonly #port: number;
  #server: Server;
  /** Each state of the server has another one. */
  #topology = { processId: new ObjectId(), counter: 0 };

  private constructor(server: Server, logOf: (database: string) => MongoLog) {
    this.#server = server.on("connection", (socket) => this.#serve(socket));
    this.#port = portOf(server);
    this.#commands = new Commands(logOf);
  }

  static async start(logOf: (database: string) => MongoLog): Promise<MongoServer> {
    return new MongoServer(await listen(0), logOf);
  }

  get host(): string {
    return `127.0.0.1:${this.#port}`;
  }

  /** Changes what the server is. A new role ends what clients have asked, as an election does. */
  become(state: Partial<State>): void {
    const { role } = this.state;
    Object.assign(this.state, state);
    this.#topology.counter += 1;
    if (this.state.role !== role) this.#commands.forgetCursors();
  }

  /** Forgets all changes of a database until now, as an oplog does that is too small. */
  cutOplog(database: string): void {
    this.#commands.cutOplog(database);
  }

  /** Tells of no changes of a kind from now on, as no MongoDB does. */
  withhold(operationType: string): void {
    this.#commands.withheld = operationType;
  }

  /** Hangs up on all clients. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.cut();
    await closed;
  }

  /** Starts the server again, which has kept its documents. */
  async restart(): Promise<void> {
    this.#commands.forgetCursors();
    this.#topology = { processId: new ObjectId(), counter: 0 };
    this.#server = await listen(this.#port);
    this.#server.on("connection", (socket) => this.#serve(socket));
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket.setNoDelay(true).on("error", () => {}));
    socket.on("close", () => this.#sockets.delete(socket));
    const frames = new Frames();
    // A client may end a cursor of one connection by another, but asks one thing at a time on each.
    let answered = Promise.resolve();
    socket.on("data", (bytes: Buffer) => {
      if (this.state.isFrozen) return;
      for (const message of frames.push(bytes)) answered = answered.then(() => this.#answer(socket, message));
    });
  }

  async #answer(socket: Socket, message: Message): Promise<void> {
    const { command } = message;
    const [first = ""] = Object.keys(command);
    const name = first.toLowerCase();
    this.asked.set(name, (this.asked.get(name) ?? 0) + 1);
    if (name === "hello" || name === "ismaster") return this.#hello(socket, message);
    const answer = await this.#done(name, command).catch((error: unknown) => {
      if (error instanceof MongoFailure) return error.answer;
      return new MongoFailure(1, "InternalError", String(error)).answer;
    });
    this.#send(socket, message, { ok: 1, ...answer, ...this.#time() });
  }

  async #done(name: string, command: Fields): Promise<Fields> {
    if (unaskedFor.has(name)) return {};
    if (name === "saslstart") throw new MongoFailure(18, "AuthenticationFailed", "Authentication failed.");
    const { refusal, role } = this.state;
    if (refusal !== undefined) throw new MongoFailure(...refusal, "refused");
    if (role === "secondary") throw new MongoFailure(10107, "NotWritablePrimary", "not primary");
    return this.#commands.run(name, command, role !== "standalone");
  }

  async #hello(socket: Socket, message: Message): Promise<void> {
    const { topologyVersion, maxAwaitTimeMS } = message.command;
    const waits = topologyVersion !== undefined && maxAwaitTimeMS !== undefined;
    let { id } = message;
    do {
      const topology = this.#topology;
      const { counter } = topology;
      const until = performance.now() + Number(maxAwaitTimeMS ?? 0);
      while (waits && !socket.destroyed && performance.now() < until && counter === this.#topology.counter) {
        await delay(10);
      }
      id = this.#send(socket, { ...message, id }, this.#description(), message.takesMore && waits);
    } while (message.takesMore && waits && !socket.destroyed);
  }

  #description(): Fields {
    const { role, streams, wireVersion } = this.state;
    const { processId, counter } = this.#topology;
    const isWritablePrimary = role !== "secondary";
    return {
      ok: 1,
      helloOk: true,
      ismaster: isWritablePrimary,
      isWritablePrimary,
      ...(streams && { topologyVersion: { processId, counter: Long.fromNumber(counter) } }),
      ...(role !== "standalone" && {
        secondary: role === "secondary",
        setName: "rs0",
        setVersion: 1,
        hosts: [this.host],
        me: this.host,
        ...(isWritablePrimary && { primary: this.host, electionId: new ObjectId("7fffffff0000000000000001") }),
        ...this.#time(),
      }),
      maxBsonObjectSize: 16_777_216,
      maxMessageSizeBytes: 48_000_000,
      maxWriteBatchSize: 100_000,
      localTime: new Date(),
      logicalSessionTimeoutMinutes: 30,
      minWireVersion: 0,
      maxWireVersion: wireVersion,
      readOnly: false,
    };
  }

  #time(): Fields {
    if (this.state.role === "standalone") return {};
    const clusterTime = new Timestamp({ t: Math.floor(Date.now() / 1000), i: 1 });
    return { operationTime: clusterTime, $clusterTime: { clusterTime } };
  }

  #send(socket: Socket, message: Message, document: Fields, hasMore = false): number {
    const { id, bytes } = answerTo(message, document, hasMore);
    if (!this.state.isFrozen) socket.write(bytes);
    return id;
  }
}

async function listen(port: number): Promise<Server> {
  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening");
  return server;
}

function portOf(server: Server): number {
  return (server.address() as { port: number }).port;
}
