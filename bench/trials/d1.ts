/** Pages in D1, and how many rows D1 reads for them: that is what it charges for. */
import type { Page, PageRange } from "../../src/pagination.js";
import { createD1Store } from "../../src/stores/d1.js";
import { membersSql } from "../contestants/offsetSql.js";
import { type D1, openD1 } from "../d1/database.js";
import { measureCalls } from "../measure.js";
import { largeGroup } from "../scale.js";
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

function d1Trial(place: Place): Trial {
  return {
    name: `D1: ${place} page of 20 members`,
    contestants: Object.keys(contestants),
    databases: ["d1"],
    unit: "ms",
    isHeadline: true,
    async measure(contestant, world) {
      const list = contestants[contestant];
      if (list === undefined) throw new Error(`there is no contestant ${contestant}`);
      const database = await openD1(pathOf(world, "d1"));
      const offsets = pageOffsets(place, world.scale.d1Members, limit);
      let rowsRead = 0;
      const measurement = await measureCalls(async (index) => {
        const page = await list(database, { offset: offsets[index % offsets.length] ?? 0, limit });
        rowsRead = Math.max(rowsRead, database.rowsRead());
        return page;
      }, world.milliseconds);
      await database.stop();
      return { ...measurement, details: { rowsRead } };
    },
  };
}

export const d1Trials: Trial[] = (["first", "random", "last"] as const).map(d1Trial);
