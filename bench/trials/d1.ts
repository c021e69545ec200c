/** Pages and writes in D1, and how many rows D1 reads and writes for them: that is what it charges for. */
import type { Page, PageRange } from "../../src/pagination.js";
import { createD1Store } from "../../src/stores/drivers/d1.js";
import { membersSql } from "../contestants/offsetSql.js";
import { type D1, openD1 } from "../d1/database.js";
import { measureCalls } from "../measure.js";
import { largeGroup, userID } from "../scale.js";
import { median } from "../statistics.js";
import type { Trial } from "../trial.js";
import { pathOf } from "../world.js";
import { type Place, pageOffsets } from "./reads.js";

const limit = 20;

/** A page and the total, by each contestant. */
const contestants: Readonly<Record<string, (database: D1, range: PageRange) => Promise<Page<unknown> | undefined>>> = {
  "im-admin": ({ handle }, range) =>
    createD1Store(handle).listGroupMembers({ groupID: largeGroup, keyword: "", ...range }),
  async "LIMIT and OFFSET"({ batch }, { offset }) {
    const { total, page } = membersSql(limit);
    const [totals, rows] = await batch([
      { sql: total, values: [largeGroup] },
      { sql: page, values: [largeGroup, offset] },
    ]);
    const [counted] = (totals?.results ?? []) as { total: number }[];
    return { total: counted?.total ?? 0, items: rows?.results ?? [] };
  },
};

function pageTrial(place: Place): Trial {
  return {
    name: `D1: ${place} page of 20 members`,
    contestants: Object.keys(contestants),
    databases: ["d1 orderly"],
    unit: "ms",
    isHeadline: true,
    async measure(contestant, world) {
      const list = contestants[contestant];
      if (list === undefined) throw new Error(`there is no contestant ${contestant}`);
      const database = await openD1(pathOf(world, "d1 orderly"));
      const offsets = pageOffsets(place, world.scale.d1Members, limit);
      let rowsRead = 0;
      const measurement = await measureCalls(async (index) => {
        const page = await list(database, { offset: offsets[index % offsets.length] ?? 0, limit });
        rowsRead = Math.max(rowsRead, database.rows().read);
        return page;
      }, world.milliseconds);
      await database.stop();
      return { ...measurement, details: { rowsRead } };
    },
  };
}

export const d1PageTrials: Trial[] = (["first", "random", "last"] as const).map(pageTrial);

/** Members join one after the other, each in a batch of its own, and leave together when the trial is over. */
const joinTrial: Trial = {
  name: "D1: a member joins",
  contestants: ["im-admin"],
  databases: ["d1 orderly"],
  unit: "ms",
  isHeadline: true,
  async measure(_contestant, world) {
    const database = await openD1(pathOf(world, "d1 orderly"));
    const store = createD1Store(database.handle);
    const joined: { groupID: string; userID: string }[] = [];
    const rowsWritten: number[] = [];
    const measurement = await measureCalls(async () => {
      const member = { groupID: largeGroup, userID: userID(world.scale.d1Members + joined.length) };
      joined.push(member);
      await store.put({ groupMembers: [{ ...member, roleLevel: 20, joinTime: Date.UTC(2026, 0, 1) }] });
      rowsWritten.push(database.rows().written);
    }, world.milliseconds);
    await store.remove({ groupMembers: joined });
    await database.stop();
    return { ...measurement, details: { rowsWritten: median(rowsWritten), mostRowsWritten: Math.max(...rowsWritten) } };
  },
};

export const d1Trials: Trial[] = [...d1PageTrials, joinTrial];
