/** Loads a whole group into a database that has its users already. */
import { copyFileSync, rmSync } from "node:fs";
import type { BundledStore } from "../../src/stores/sql/store.js";
import { openSqliteStore } from "../../src/stores/sqlite.js";
import { largeGroupMembers } from "../data.js";
import { insertText, openConnection, plainIndexes } from "../plain.js";
import type { Trial } from "../trial.js";
import { type DatabaseName, openWithoutSearch, pathOf, type World } from "../world.js";

interface Contestant {
  users: DatabaseName;
  /** Loads the members, and closes the file. */
  load(path: string, members: number): Promise<void>;
}

const contestants: Readonly<Record<string, Contestant>> = {
  "without upkeep": { users: "plainUsers", load: loadPlain },
  upkeep: { users: "imAdminUsers", load: (path, members) => loadStore(openWithoutSearch(path), members) },
  "upkeep and search": {
    users: "imAdminUsers",
    load: (path, members) => loadStore(openSqliteStore({ path }), members),
  },
};

async function loadStore(store: BundledStore, members: number): Promise<void> {
  await store.put({ groupMembers: largeGroupMembers(members) });
  await store.close();
}

/** One transaction, and the indexes last, which is faster than to keep them. */
async function loadPlain(path: string, members: number): Promise<void> {
  const connection = openConnection(path);
  connection.transaction(() => {
    const indexes = plainIndexes.groupMembers ?? [];
    for (const index of indexes) connection.exec(`DROP INDEX ${/CREATE INDEX (\w+)/.exec(index)?.[1]}`);
    const records = largeGroupMembers(members);
    const { value: first } = records.next();
    if (first === undefined) return;
    const insert = connection.prepare(insertText("groupMembers", Object.keys(first)));
    insert.run(Object.values(first));
    for (const record of records) insert.run(Object.values(record));
    for (const index of indexes) connection.exec(index);
  })();
  connection.close();
}

export const bulkTrial: Trial = {
  name: "a whole group is loaded",
  contestants: Object.keys(contestants),
  databases: ["imAdminUsers", "plainUsers"],
  unit: "ms",
  isHeadline: true,
  async measure(contestant, world: World) {
    const { users, load } = contestants[contestant] ?? { users: "plainUsers", load: loadPlain };
    const path = `${pathOf(world, users)}-loaded`;
    copyFileSync(pathOf(world, users), path);
    const start = performance.now();
    await load(path, world.scale.loadedMembers);
    const value = performance.now() - start;
    const connection = openConnection(path);
    const answers = String(connection.prepare("SELECT count(*) FROM groupMembers").pluck().get());
    connection.close();
    for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
    return { value, mean: value, p99: value, calls: 1, answers };
  },
};
