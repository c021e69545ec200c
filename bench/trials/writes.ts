/**
 * What the triggers cost: single rows of the large group, written with plain SQL, each in a transaction of its own that
 * reaches the disk. Afterwards everything is as it was before.
 */
import type BetterSqlite3 from "better-sqlite3";
import { type Call, digest, summary, timeCalls } from "../measure.js";
import { insertText, openConnection } from "../plain.js";
import { seededRandom } from "../random.js";
import { type Kind, largeGroup, outsider, type Scale, suffixOf, userID } from "../scale.js";
import type { Trial } from "../trial.js";
import { type DatabaseName, pathOf } from "../world.js";

const contestants = ["without upkeep", "upkeep"] as const;

const databases = (kind: Kind): Readonly<Record<string, DatabaseName>> => ({
  "without upkeep": `plain ${kind}`,
  upkeep: `imAdmin ${kind}`,
});

/** What is written of one user after the other, and how it is undone for the first of them. */
interface Write {
  call(userID: string): unknown;
  undo(count: number): void;
}

interface Users {
  connection: Pick<BetterSqlite3.Database, "prepare">;
  userIDs: readonly string[];
}

/** Whose rows are written, and how. */
interface WriteTrial {
  name: string;
  choose(scale: Scale, kind: Kind): string[];
  prepare(users: Users): Write;
}

function writeTrial({ name, choose, prepare: write }: WriteTrial, kind: Kind): Trial {
  return {
    name: `one row: ${name}${suffixOf(kind)}`,
    contestants,
    databases: Object.values(databases(kind)),
    unit: "ms",
    async measure(contestant, world) {
      const connection = openConnection(pathOf(world, databases(kind)[contestant] ?? `plain ${kind}`));
      const state = connection
        .prepare("SELECT count(*), sum(role_level) FROM im_admin_group_members WHERE group_id = ?")
        .raw();
      const before = digest(state.get(largeGroup));
      const userIDs = choose(world.scale, kind);
      const { call, undo } = write({ connection, userIDs });
      let written = 0;
      const next: Call = () => call(userIDs[written++] ?? "");
      await timeCalls(next, { least: 0, most: warmUpCalls, milliseconds: world.milliseconds });
      const times = await timeCalls(next, { least: 10, most: measuredCalls, milliseconds: 3 * world.milliseconds });
      connection.transaction(undo)(written);
      if (digest(state.get(largeGroup)) !== before) throw new Error(`${name} was not undone`);
      return { ...summary(times), answers: "" };
    },
  };
}

const warmUpCalls = 50;
const measuredCalls = 1000;
const calls = warmUpCalls + measuredCalls;

function outsiders(scale: Scale, kind: Kind): string[] {
  return Array.from({ length: calls }, (_, number) => outsider(scale, number, kind));
}

function members({ members }: Scale, kind: Kind): string[] {
  const random = seededRandom(7);
  const numbers = new Set<number>();
  while (numbers.size < calls) numbers.add(random.below(members));
  return Array.from(numbers, (number) => userID(number, kind));
}

const newMember = { roleLevel: 20, joinTime: Date.UTC(2026, 0, 1), nickname: "", inviterUserID: userID(1) };
const isMember = "group_id = ? AND user_id = ?";

function rowsOf({ connection, userIDs }: Users): Record<string, unknown>[] {
  const read = connection.prepare(`SELECT * FROM im_admin_group_members WHERE ${isMember}`);
  return userIDs.map((userID) => read.get(largeGroup, userID) as Record<string, unknown>);
}

const writes: readonly WriteTrial[] = [
  {
    name: "a member joins",
    choose: outsiders,
    prepare({ connection, userIDs }) {
      const insert = connection.prepare(insertText("groupMembers", ["groupID", "userID", ...Object.keys(newMember)]));
      const remove = connection.prepare(`DELETE FROM im_admin_group_members WHERE ${isMember}`);
      return {
        call: (userID) => insert.run(largeGroup, userID, ...Object.values(newMember)),
        undo(count) {
          for (const userID of userIDs.slice(0, count)) remove.run(largeGroup, userID);
        },
      };
    },
  },
  {
    name: "a member leaves",
    choose: members,
    prepare(users) {
      const rows = rowsOf(users);
      const remove = users.connection.prepare(`DELETE FROM im_admin_group_members WHERE ${isMember}`);
      const insert = users.connection.prepare(insertText("groupMembers", Object.keys(rows[0] ?? {})));
      return {
        call: (userID) => remove.run(largeGroup, userID),
        undo(count) {
          for (const row of rows.slice(0, count)) insert.run(Object.values(row));
        },
      };
    },
  },
  {
    name: "a member gets another role",
    choose: members,
    prepare(users) {
      const rows = rowsOf(users);
      const update = users.connection.prepare(`UPDATE im_admin_group_members SET role_level = ? WHERE ${isMember}`);
      return {
        call: (userID) => update.run(60, largeGroup, userID),
        undo(count) {
          for (const { role_level, user_id } of rows.slice(0, count)) update.run(role_level, largeGroup, user_id);
        },
      };
    },
  },
];

export const writeTrials: Trial[] = (["orderly", "random"] as const).flatMap((kind) =>
  writes.map((write) => writeTrial(write, kind)),
);
