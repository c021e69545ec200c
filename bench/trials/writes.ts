/**
 * What the triggers cost: single rows of the large group, written with plain SQL, each in a transaction of its own that
 * reaches the disk. Afterwards everything is as it was before.
 */
import type BetterSqlite3 from "better-sqlite3";
import { type Call, digest, summary, timeCalls } from "../measure.js";
import { insertText, openConnection } from "../plain.js";
import { seededRandom } from "../random.js";
import { largeGroup, outsider, type Scale, userID } from "../scale.js";
import type { Trial } from "../trial.js";
import { type DatabaseName, pathOf } from "../world.js";

const databases: Readonly<Record<string, DatabaseName>> = {
  "without upkeep": "plain",
  upkeep: "imAdminWithoutSearch",
  "upkeep and search": "imAdmin",
};

export const writeContestants = Object.keys(databases);
const limits = { calls: 300, milliseconds: 3000 };

/** Writes one row; `userID` is somebody else each time. */
interface Write {
  call(userID: string): void;
  undo(): void;
}

const newMember = { roleLevel: 20, joinTime: Date.UTC(2026, 0, 1), nickname: "", inviterUserID: userID(1) };

function writeTrial(
  name: string,
  of: "members" | "outsiders",
  prepare: (connection: BetterSqlite3.Database) => Write,
): Trial {
  return {
    name: `one row: ${name}`,
    contestants: writeContestants,
    databases: Object.values(databases),
    unit: "ms",
    isHeadline: true,
    async measure(contestant, world) {
      const connection = openConnection(pathOf(world, databases[contestant] ?? "plain"));
      const count = connection.prepare("SELECT count(*), sum(roleLevel) FROM groupMembers WHERE groupID = ?").raw();
      const users = of === "members" ? distinctMembers(world.scale) : outsiders(world.scale);
      const { call, undo } = prepare(connection);
      let written = 0;
      const next: Call = () => call(users[written++] ?? "");
      const before = count.get(largeGroup);
      await timeCalls(next, { calls: 20, milliseconds: 1000 });
      const times = await timeCalls(next, limits);
      connection.transaction(undo)();
      if (digest(count.get(largeGroup)) !== digest(before)) throw new Error(`${name} was not undone`);
      return { ...summary(times), answers: "" };
    },
  };
}

function outsiders(scale: Scale): string[] {
  return Array.from({ length: scale.outsiders }, (_, number) => outsider(scale, number));
}

/** Users with ordinary roles are nearly all; the few others are members like them here. */
function distinctMembers({ members }: Scale): string[] {
  const random = seededRandom(7);
  const numbers = new Set<number>();
  while (numbers.size < 2 * limits.calls) numbers.add(10 + random.below(members - 10));
  return [...numbers].map(userID);
}

const key = "groupID = ? AND userID = ?";

export const writeTrials: Trial[] = [
  writeTrial("a member joins", "outsiders", (connection) => {
    const columns = ["groupID", "userID", ...Object.keys(newMember)];
    const insert = connection.prepare(insertText("groupMembers", columns));
    const remove = connection.prepare(`DELETE FROM groupMembers WHERE ${key}`);
    const joined: string[] = [];
    return {
      call(userID) {
        insert.run(largeGroup, userID, ...Object.values(newMember));
        joined.push(userID);
      },
      undo: () => joined.forEach((userID) => void remove.run(largeGroup, userID)),
    };
  }),
  writeTrial("a member leaves", "members", (connection) => {
    const read = connection.prepare<unknown[], Record<string, unknown>>(`SELECT * FROM groupMembers WHERE ${key}`);
    const remove = connection.prepare(`DELETE FROM groupMembers WHERE ${key}`);
    const removed: Record<string, unknown>[] = [];
    return {
      call(userID) {
        const row = read.get(largeGroup, userID);
        remove.run(largeGroup, userID);
        if (row !== undefined) removed.push(row);
      },
      undo() {
        const [row = {}] = removed;
        const insert = connection.prepare(insertText("groupMembers", Object.keys(row)));
        for (const row of removed) insert.run(Object.values(row));
      },
    };
  }),
  writeTrial("a member gets another role", "members", (connection) => {
    const update = connection.prepare(`UPDATE groupMembers SET roleLevel = ? WHERE ${key}`);
    const read = connection.prepare(`SELECT roleLevel FROM groupMembers WHERE ${key}`).pluck();
    const changed: [roleLevel: unknown, userID: string][] = [];
    return {
      call(userID) {
        changed.push([read.get(largeGroup, userID), userID]);
        update.run(changed.at(-1)?.[0] === 20 ? 60 : 20, largeGroup, userID);
      },
      undo: () => changed.forEach(([roleLevel, userID]) => void update.run(roleLevel, largeGroup, userID)),
    };
  }),
];
