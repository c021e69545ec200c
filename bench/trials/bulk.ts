/** Loads a whole group into a database that has its users already. */
import { copyFileSync, rmSync } from "node:fs";
import type { BundledStore } from "../../src/stores/bundledStore.js";
import { openSqliteStore } from "../../src/stores/drivers/sqlite.js";
import { largeGroupMembers } from "../data.js";
import { insertText, openConnection, plainIndexes } from "../plain.js";
import { type Kind, suffixOf } from "../scale.js";
import type { Trial } from "../trial.js";
import { pathOf } from "../world.js";

type Members = ReturnType<typeof largeGroupMembers>;

interface Contestant {
  users: "plainUsers" | "imAdminUsers";
  /** Loads the members, and closes the file. */
  load(path: string, members: Members): Promise<void>;
}

const contestants: Readonly<Record<string, Contestant>> = {
  "without upkeep": { users: "plainUsers", load: loadPlain },
  upkeep: {
    users: "imAdminUsers",
    load: (path, members) => loadStore(openSqliteStore({ path }), members),
  },
};

async function loadStore(store: BundledStore, groupMembers: Members): Promise<void> {
  await store.put({ groupMembers });
  await store.close();
}

/** One transaction, and the indexes last, which is faster than to keep them. */
async function loadPlain(path: string, members: Members): Promise<void> {
  const connection = openConnection(path);
  connection.transaction(() => {
    const indexes = plainIndexes.groupMembers ?? [];
    for (const index of indexes) connection.exec(`DROP INDEX ${/CREATE INDEX (\w+)/.exec(index)?.[1]}`);
    const { value: first } = members.next();
    if (first === undefined) return;
    const insert = connection.prepare(insertText("groupMembers", Object.keys(first)));
    insert.run(Object.values(first));
    for (const record of members) insert.run(Object.values(record));
    for (const index of indexes) connection.exec(index);
  })();
  connection.close();
}

export const bulkTrials: Trial[] = (["orderly", "random"] as const).map(bulkTrial);

function bulkTrial(kind: Kind): Trial {
  return {
    name: `a whole group is loaded${suffixOf(kind)}`,
    contestants: Object.keys(contestants),
    databases: [`imAdminUsers ${kind}`, `plainUsers ${kind}`],
    unit: "ms",
    async measure(contestant, world) {
      const { users, load } = contestants[contestant] ?? { users: "plainUsers", load: loadPlain };
      const source = pathOf(world, `${users} ${kind}`);
      const path = `${source}-loaded`;
      copyFileSync(source, path);
      const start = performance.now();
      await load(path, largeGroupMembers(world.scale.loadedMembers, kind));
      const value = performance.now() - start;
      const connection = openConnection(path);
      const answers = String(connection.prepare("SELECT count(*) FROM im_admin_group_members").pluck().get());
      connection.close();
      for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
      return { value, mean: value, p99: value, calls: 1, answers };
    },
  };
}
