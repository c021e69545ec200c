/**
 * A page somewhere in a large group, by its number, beside the same page by the key of its first entry: the most that a
 * page can be fast, since all the rest is looking up its members and their profiles. Who has a key cannot jump to a page.
 */
import type BetterSqlite3 from "better-sqlite3";
import type { GroupMember } from "../../src/model.js";
import { memberColumns, profileOf } from "../contestants/offsetSql.js";
import { listDatabases, openLists } from "../contestants/open.js";
import { type Call, measureCalls } from "../measure.js";
import { openConnection } from "../plain.js";
import { type Kind, largeGroup, suffixOf } from "../scale.js";
import type { Trial } from "../trial.js";
import { pathOf, type World } from "../world.js";
import { pageOffsets } from "./reads.js";

const limit = 20;

type Key = Pick<GroupMember, "roleLevel" | "joinTime" | "userID">;

const contestants: Readonly<Record<string, (world: World, kind: Kind) => Promise<Call>>> = {
  async "im-admin"(world, kind) {
    const lists = await openLists("im-admin", world, kind);
    const offsets = pageOffsets("random", world.scale.members, limit);
    return async (index) => {
      const offset = offsets[index % offsets.length] ?? 0;
      return (await lists.listGroupMembers({ groupID: largeGroup, keyword: "", offset, limit }))?.items;
    };
  },
  async "by its known key"(world, kind) {
    const path = pathOf(world, `plain ${kind}`);
    const keys = keysAt(path, pageOffsets("random", world.scale.members, limit));
    // A new connection, which has not read the index yet, like that of the other contestant.
    const page = pageByKey(openConnection(path));
    return (index) => page(keys[index % keys.length] ?? { roleLevel: 0, joinTime: 0, userID: "" });
  },
};

/** The keys of the entries at some offsets, which takes one way through the index. */
function keysAt(path: string, offsets: readonly number[]): Key[] {
  const connection = openConnection(path);
  const wanted = new Set(offsets);
  const keys = new Map<number, Key>();
  const all = connection.prepare<[string], Key>(
    "SELECT role_level AS roleLevel, join_time AS joinTime, user_id AS userID FROM im_admin_group_members WHERE group_id = ? ORDER BY role_level DESC, join_time, user_id",
  );
  let offset = 0;
  for (const key of all.iterate(largeGroup)) {
    if (wanted.has(offset)) keys.set(offset, key);
    offset += 1;
  }
  connection.close();
  return offsets.flatMap((offset) => keys.get(offset) ?? []);
}

/** The rest of the key's role, and only where that is less than a page, members of the roles that follow. */
function pageByKey(connection: BetterSqlite3.Database): (key: Key) => GroupMember[] {
  const select = `SELECT ${memberColumns} FROM im_admin_group_members member ${profileOf("member.user_id")}
    WHERE member.group_id = ? AND member.role_level`;
  const sameRole = connection.prepare<[string, number, number, string], GroupMember>(
    `${select} = ? AND (member.join_time, member.user_id) >= (?, ?) ORDER BY member.join_time, member.user_id LIMIT ${limit}`,
  );
  const followingRoles = connection.prepare<[string, number], GroupMember>(
    `${select} < ? ORDER BY member.role_level DESC, member.join_time, member.user_id LIMIT ${limit}`,
  );
  return ({ roleLevel, joinTime, userID }) => {
    const page = sameRole.all(largeGroup, roleLevel, joinTime, userID);
    if (page.length === limit) return page;
    return [...page, ...followingRoles.all(largeGroup, roleLevel).slice(0, limit - page.length)];
  };
}

export const knownKeyTrials: Trial[] = (["orderly", "random"] as const).map((kind) => ({
  name: `group members${suffixOf(kind)}: random page of ${limit}, and the same by its known key`,
  contestants: Object.keys(contestants),
  databases: listDatabases(kind),
  unit: "ms",
  isHeadline: true,
  async measure(contestant, world) {
    const call = await contestants[contestant]?.(world, kind);
    if (call === undefined) throw new Error(`there is no contestant ${contestant}`);
    return measureCalls(call, world.milliseconds);
  },
}));
