/** Light reads while heavy calls go on in the same process: what 99 of 100 of them do not exceed. */

import type { BundledStore } from "../../src/stores/bundledStore.js";
import { openSqliteStore } from "../../src/stores/drivers/sqlite.js";
import { digest } from "../measure.js";
import { largeGroup, smallGroup } from "../scale.js";
import { quantile } from "../statistics.js";
import type { Trial } from "../trial.js";
import { pathOf, type World } from "../world.js";

/** How many callers make heavy calls, each one after the other. */
const heavyCallers = 4;
/** How long a light reader pauses, in milliseconds. */
const pause = 10;
/** How many of the times that a trial's calls are measured elsewhere this one goes on, since it needs many of them. */
const times = 10;

type Heavy = (store: BundledStore, world: World) => unknown;

const offsetOf = ({ scale }: World) => scale.members - 1_000;

const heavyCalls: Readonly<Record<string, Heavy>> = {
  nothing: () => new Promise((resolve) => setTimeout(resolve, pause)),
  "pages of 1000": (store, world) =>
    store.listGroupMembers({ groupID: largeGroup, keyword: "", offset: offsetOf(world), limit: 1_000 }),
  "a keyword that all have": (store, world) =>
    store.listGroupMembers({ groupID: largeGroup, keyword: "1", offset: offsetOf(world), limit: 20 }),
  "a keyword with roles": (store, world) =>
    store.listGroupMembers({
      groupID: largeGroup,
      keyword: "1",
      roleLevels: [60, 20],
      offset: offsetOf(world),
      limit: 20,
    }),
};

function loadTrial(name: string, heavy: Heavy): Trial {
  return {
    name: `light reads beside ${name}, p99`,
    contestants: ["with a thread", "without threads"],
    databases: ["imAdmin orderly"],
    unit: "ms",
    isHeadline: true,
    async measure(contestant, world) {
      const threads = contestant === "with a thread" ? 1 : 0;
      const store = openSqliteStore({ path: pathOf(world, "imAdmin orderly"), threads });
      const light = () => store.listGroupMembers({ groupID: smallGroup, keyword: "", offset: 0, limit: 20 });
      const answers = digest(await light());
      await heavy(store, world);

      let isOver = false;
      const callers = Array.from({ length: heavyCallers }, async () => {
        while (!isOver) {
          await heavy(store, world);
          // As from a network, the next call comes with the next turn of the event loop.
          await new Promise((resolve) => setImmediate(resolve));
        }
      });
      const took: number[] = [];
      const end = performance.now() + times * world.milliseconds;
      while (performance.now() < end) {
        // Measure from the time when the read was due: a busy thread does not even begin.
        const due = performance.now() + pause;
        await new Promise((resolve) => setTimeout(resolve, pause));
        await light();
        took.push(performance.now() - due);
      }
      isOver = true;
      await Promise.all(callers);
      await store.close();
      const value = quantile(took, 0.99);
      return { value, mean: value, p99: value, calls: took.length, answers };
    },
  };
}

export const loadTrials: Trial[] = Object.entries(heavyCalls).map(([name, heavy]) => loadTrial(name, heavy));
