/** Puts one batch of members after the other into a group that is large already, each in a transaction of its own. */
import { copyFileSync, rmSync } from "node:fs";
import { type GroupMemberRecord, recordFields } from "../../src/records.js";
import type { BundledStore } from "../../src/stores/bundledStore.js";
import { openSqliteStore } from "../../src/stores/drivers/sqlite.js";
import { memberBatches } from "../data.js";
import { summary } from "../measure.js";
import { insertText, openConnection } from "../plain.js";
import { type Kind, largeGroup, suffixOf } from "../scale.js";
import type { Trial } from "../trial.js";
import { pathOf } from "../world.js";

type Batch = readonly Required<GroupMemberRecord>[];

interface Contestant {
  database: "plainBatches" | "imAdminBatches";
  open(path: string): { put(batch: Batch): void | Promise<void>; close(): void | Promise<void> };
}

const contestants: Readonly<Record<string, Contestant>> = {
  "without upkeep": { database: "plainBatches", open: openPlain },
  upkeep: { database: "imAdminBatches", open: (path) => ofStore(openSqliteStore({ path })) },
};

function ofStore(store: BundledStore): ReturnType<Contestant["open"]> {
  return { put: (groupMembers) => store.put({ groupMembers }), close: () => store.close() };
}

function openPlain(path: string): ReturnType<Contestant["open"]> {
  const connection = openConnection(path);
  const columns = recordFields.groupMembers.map(([field]) => field);
  const insert = connection.prepare(insertText("groupMembers", columns));
  return {
    put: connection.transaction((batch: Batch) => {
      for (const member of batch) insert.run(columns.map((column) => member[column as keyof GroupMemberRecord]));
    }).immediate,
    close: () => void connection.close(),
  };
}

export const batchTrials: Trial[] = (["orderly", "random"] as const).map(batchTrial);

function batchTrial(kind: Kind): Trial {
  return {
    name: `a member in a batch of 10,000 into 300,000${suffixOf(kind)}`,
    contestants: Object.keys(contestants),
    databases: Object.values(contestants).map(({ database }) => `${database} ${kind}` as const),
    unit: "ms",
    async measure(contestant, world) {
      const { database, open } = contestants[contestant] ?? { database: "plainBatches", open: openPlain };
      const source = pathOf(world, `${database} ${kind}`);
      const path = `${source}-written`;
      copyFileSync(source, path);
      const { put, close } = open(path);
      const times: number[] = [];
      for (const batch of memberBatches(world.scale, kind)) {
        const start = performance.now();
        await put(batch);
        times.push((performance.now() - start) / batch.length);
      }
      await close();
      const connection = openConnection(path);
      const count = connection.prepare("SELECT count(*) FROM im_admin_group_members WHERE group_id = ?").pluck();
      const answers = String(count.get(largeGroup));
      connection.close();
      for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
      return { ...summary(times), answers };
    },
  };
}
