/** Requests per second of a Node server, for the first page of a group. */
import { fork } from "node:child_process";
import { once } from "node:events";
import type { ServerJob } from "../httpServer.js";
import { digest } from "../measure.js";
import { largeGroup, smallGroup } from "../scale.js";
import type { Trial } from "../trial.js";
import type { World } from "../world.js";

const token = "token-of-the-benchmark";
const headers = { operationID: "benchmark", token, "content-type": "application/json" };
const connections = 10;

async function startServer(contestant: string, world: World) {
  const server = fork(new URL("httpServer.js", import.meta.url));
  server.send({ contestant, world, token } satisfies ServerJob);
  const [{ port }] = await once(server, "message");
  return { url: `http://127.0.0.1:${port}/group/get_group_member_list`, stop: () => server.disconnect() };
}

function httpTrial(name: string, groupID: string): Trial {
  const body = JSON.stringify({ groupID, pagination: { pageNumber: 1, showNumber: 20 } });
  return {
    name: `HTTP: ${name}`,
    contestants: ["im-admin", "bare node:http"],
    databases: ["imAdmin orderly", "plain orderly"],
    unit: "requests/s",
    isHeadline: true,
    async measure(contestant, world) {
      const { url, stop } = await startServer(contestant, world);
      const answer: unknown = await (await fetch(url, { method: "POST", headers, body })).json();
      // Here, because all other trials would wait for it.
      const { default: autocannon } = await import("autocannon");
      const seconds = Math.ceil(world.milliseconds / 200);
      const load = (duration: number) => autocannon({ url, method: "POST", headers, body, connections, duration });
      await load(1);
      const result = await load(seconds);
      stop();
      if (result.errors + result.non2xx > 0) throw new Error(`${contestant} did not answer all requests`);
      const { requests, latency } = result;
      return {
        value: requests.average,
        mean: requests.average,
        p99: latency.p99,
        calls: requests.total,
        answers: digest(answer),
      };
    },
  };
}

export const httpTrials: Trial[] = [
  httpTrial("first page of a small group", smallGroup),
  httpTrial("first page of the large group", largeGroup),
];
