/** Calls of one administrator over HTTP beside a thousand searches of another, in times of what they take alone. */
import { digest } from "../measure.js";
import { startServer } from "../startServer.js";
import { quantile } from "../statistics.js";
import type { Trial } from "../trial.js";
import type { World } from "../world.js";
import { clientOf, light, members } from "./httpLoad.js";

/** How many searches wait at once: as many as may. */
const searches = 1_000;

/** Each with the share of the calls that are not slower than the figure. */
const calls = {
  "light reads over HTTP beside 1,000 searches of another administrator, p99": {
    operationOf: () => light,
    share: 0.99,
  },
  "pages of 1000 over HTTP beside 1,000 searches of another administrator, median": {
    operationOf: (world: World) => members(world, 1000),
    share: 0.5,
  },
};

export const fairnessTrials: Trial[] = Object.entries(calls).map(([name, { operationOf, share }]) => ({
  name,
  contestants: ["kept connections"],
  databases: ["imAdmin orderly"],
  unit: "times idle",
  async measure(_contestant, world) {
    const server = await startServer({ contestant: "im-admin", world });
    const send = clientOf(server, true);
    const other = clientOf({ ...server, token: server.otherToken }, false);
    const operation = operationOf(world);
    const search = members(world, 20, { keyword: "2" });
    const answers = digest(await send(operation));
    await other(search);

    async function timeCalls(isOver: () => boolean): Promise<number[]> {
      const took: number[] = [];
      while (!isOver()) {
        const began = performance.now();
        await send(operation);
        took.push(performance.now() - began);
      }
      return took;
    }
    const end = performance.now() + 10 * world.milliseconds;
    const idle = quantile(await timeCalls(() => performance.now() > end), share);

    await server.longestBlock();
    let answered = 0;
    const sent = Array.from({ length: searches }, () => other(search).finally(() => (answered += 1)));
    const flood = Promise.all(sent);
    // Before that, this process itself opens a thousand connections.
    await Promise.race(sent);
    const took = await timeCalls(() => answered === searches);
    await flood.catch(() => {});
    const longestBlock = await server.longestBlock();
    server.stop();
    const value = quantile(took, share) / idle;
    const details = { idleMicroseconds: Math.round(idle * 1000), longestBlockMilliseconds: Math.round(longestBlock) };
    return { value, mean: value, p99: quantile(took, 0.99), calls: took.length, answers, details };
  },
}));
