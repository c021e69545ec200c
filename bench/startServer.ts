import { fork } from "node:child_process";
import { once } from "node:events";
import type { Listening, ServerJob } from "./httpServer.js";

/** Starts a server of a contestant in a process of its own. */
export async function startServer(job: ServerJob) {
  const server = fork(new URL("httpServer.js", import.meta.url));
  server.send(job);
  const [listening]: Listening[] = await once(server, "message");
  if (listening === undefined) throw new Error("the server does not listen");

  return {
    ...listening,
    /** How long the processor has worked for it, in microseconds. */
    async cpuTime(): Promise<number> {
      server.send("cpu time");
      const [answer] = await once(server, "message");
      return answer;
    },
    stop: () => server.disconnect(),
  };
}
