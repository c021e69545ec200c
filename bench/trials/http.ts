/** Requests per second of a Node server, for the first page of a group. */
import { digest } from "../measure.js";
import { largeGroup, smallGroup } from "../scale.js";
import { startServer } from "../startServer.js";
import type { Trial } from "../trial.js";

const connectionCounts = [1, 64, 512];

function httpTrial(page: string, groupID: string, connections: number): Trial {
  const body = JSON.stringify({ groupID, pagination: { pageNumber: 1, showNumber: 20 } });
  return {
    name: `HTTP: first page of ${page}, ${connections} ${connections === 1 ? "connection" : "connections"}`,
    contestants: ["im-admin", "bare node:http", "bare, from memory"],
    databases: ["imAdmin orderly", "plain orderly"],
    unit: "requests/s",
    async measure(contestant, world) {
      const { port, token, cpuTime, stop } = await startServer({ contestant, world });
      const url = `http://127.0.0.1:${port}/group/get_group_member_list`;
      const headers = { operationID: "benchmark", token, "content-type": "application/json" };
      const answer: unknown = await (await fetch(url, { method: "POST", headers, body })).json();
      // Here, because all other trials would wait for it.
      const { default: autocannon } = await import("autocannon");
      const seconds = Math.ceil(world.milliseconds / 200);
      const load = (duration: number) => autocannon({ url, method: "POST", headers, body, connections, duration });
      await load(world.milliseconds / 400);
      const before = await cpuTime();
      const result = await load(seconds);
      const cpu = (await cpuTime()) - before;
      stop();
      if (result.errors + result.non2xx > 0) throw new Error(`${contestant} did not answer all requests`);
      const { requests, latency } = result;
      return {
        value: requests.average,
        mean: requests.average,
        p99: latency.p99,
        calls: requests.total,
        answers: digest(answer),
        // A loaded machine may answer nothing in a quick run.
        details: { microsecondsOfProcessor: Math.round(cpu / Math.max(1, requests.total)) },
      };
    },
  };
}

/** In the small group the queries cost next to nothing, so that these show what the rest costs. */
export const smallPageTrials: Trial[] = connectionCounts.map((connections) =>
  httpTrial("a small group", smallGroup, connections),
);

export const httpTrials: Trial[] = [...smallPageTrials, httpTrial("the large group", largeGroup, 64)];
