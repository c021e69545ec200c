import { once } from "node:events";
import { createServer } from "node:net";
import { listenFailure } from "./listenFailure.js";

/** Throws if nobody can listen on a port. */
export async function requireFreePort(host: string, port: number): Promise<void> {
  const server = createServer().listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    throw listenFailure(error, host, port);
  }
  server.close();
  await once(server, "close");
}
