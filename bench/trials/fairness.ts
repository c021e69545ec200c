/** Calls of one administrator over HTTP beside a thousand searches of another, in times of what they take alone. */
import { digest } from "../measure.js";
import { startServer } from "../startServer.js";
import { quantile } from "../statistics.js";
import type { Trial } from "../trial.js";
import type { World } from "../world.js";
import { clientOf, light, members } from "./httpLoad.js";

/** How many searches wait at once: as many as may. */
const searches = 1_000;

const calls = { "light reads": () => light, "pages of 1000": (world: World) => members(world, 1000) };

export const fairnessTrials: Trial[] = Object.entries(calls).map(([name, operationOf]) => ({
  name: `${name} over HTTP beside 1,000 searches of another administrator, p99`,
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
    const idle = quantile(await timeCalls(() => performance.now() > end), 0.99);

    await server.longestBlock();
    let answered = 0;
    const flood = Promise.all(Array.from({ length: searches }, () => other(search).finally(() => (answered += 1))));
    const took = await timeCalls(() => answered === searches);
    await flood.catch(() => {});
    const longestBlock = await server.longestBlock();
    server.stop();
    const p99 = quantile(took, 0.99);
    const details = { idleMicroseconds: Math.round(idle * 1000), longestBlockMilliseconds: Math.round(longestBlock) };
    return { value: p99 / idle, mean: p99 / idle, p99, calls: took.length, answers, details };
  },
}));
