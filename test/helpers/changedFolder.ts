/** A folder of files that changes by chance, and what an import of it has to leave in a database. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type RecordName, type RecordSet, recordNames } from "../../src/records.js";
import type { Random } from "./chance.js";
import { readLists } from "./readLists.mjs";
import { memoryStore, temporaryFolder } from "./stores.js";

type Rows = Map<string, Record<string, string | number | boolean>>;

/** The records of each kind that there may be, by their numbers. */
const recordOf: Record<RecordName, (index: number) => Record<string, string | number | boolean>> = {
  users: (index) => ({ userID: index === 0 ? "owner" : `u${index}`, appMangerLevel: 3 }),
  groups: (index) => ({ groupID: `g${index + 1}` }),
  groupMembers: (index) => ({ groupID: "g1", userID: index === 0 ? "owner" : `u${index}`, nickname: "王芳" }),
  blacks: (index) => ({ ownerUserID: "owner", blackUserID: `u${index}` }),
  groupRequests: (index) => ({ groupID: "g1", userID: `u${index}` }),
  conversations: (index) => ({ ownerUserID: "owner", conversationID: `c${index}`, conversationType: 3, groupID: "g1" }),
};

/** The fields that change. */
const changing: Record<RecordName, (random: Random) => object> = {
  users: (random) => ({ nickname: `name ${random()}`, appMangerLevel: random() < 0.8 ? 3 : 1 }),
  groups: (random) => ({ groupName: `name ${random()}` }),
  groupMembers: (random) => ({
    joinTime: Math.floor(random() * 1e6),
    roleLevel: random() < 0.1 ? 60 : 20,
    ex: `${random()}`,
  }),
  blacks: (random) => ({ createTime: Math.floor(random() * 1e6), ex: `${random()}` }),
  groupRequests: (random) => ({ reqTime: Math.floor(random() * 1e6), handleResult: Math.floor(random() * 3) - 1 }),
  conversations: (random) => ({ isPinned: random() < 0.5, maxSeq: Math.floor(random() * 2 ** 53) }),
};

const most = 400;

export class ChangedFolder {
  readonly path = temporaryFolder();
  readonly #random: Random;
  readonly #rows = Object.fromEntries(recordNames.map((name) => [name, new Map() as Rows])) as Record<RecordName, Rows>;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Changes a few records or many, adds some and removes others, and writes the files. */
  change(): void {
    for (const name of recordNames) {
      const rows = this.#rows[name];
      const share = this.#random() ** 4;
      for (let index = 0; index < most; index += 1) {
        if (this.#random() >= share) continue;
        const record = recordOf[name](index);
        if (this.#random() < 0.4) rows.delete(JSON.stringify(record));
        else rows.set(JSON.stringify(record), { ...record, ...changing[name](this.#random) });
      }
      // The owner manages the group always, so that each list depends on one kind of records.
      const first = recordOf[name](0);
      rows.set(JSON.stringify(first), name === "groupMembers" ? { ...first, roleLevel: 100 } : first);
      const lines = [...rows.values()].map((record) => `${JSON.stringify(record)}\n`);
      writeFileSync(join(this.path, `${name}.ndjson`), lines.join(""));
    }
  }

  get records(): RecordSet {
    return Object.fromEntries(recordNames.map((name) => [name, [...this.#rows[name].values()]])) as RecordSet;
  }

  /** What lists say that were imported into a new database. */
  async lists(): Promise<Record<string, string>> {
    const store = memoryStore();
    await store.put(this.records);
    return readLists(store);
  }
}
