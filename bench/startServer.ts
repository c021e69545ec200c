import { fork } from "node:child_process";
import { once } from "node:events";
import type { Listening, ServerJob, ServerQuestion } from "./httpServer.js";

/** Starts a server of a contestant in a process of its own. */
export async function startServer(job: ServerJob) {
  const server = fork(new URL("httpServer.js", import.meta.url));
  server.send(job);
  const [listening]: Listening[] = await once(server, "message");
  if (listening === undefined) throw new Error("the server does not listen");

  async function ask(question: ServerQuestion): Promise<number> {
    server.send(question);
    const [answer] = await once(server, "message");
    return answer;
  }
  return {
    ...listening,
    /** How long the processor has worked for it, in microseconds. */
    cpuTime: () => ask("cpu time"),
    /** For how long it has done nothing else at the longest since this was last asked, in milliseconds. */
    longestBlock: () => ask("longest block"),
    stop: () => server.disconnect(),
  };
}
