/** Documents as the reference server's models allow them, in which every text and number is hostile. */
import { Double, Int32, Long } from "bson";
import type { Random } from "./chance.js";

export type Documents = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

const texts = [
  "",
  "\0",
  "a\0b",
  "\u0001",
  "\u0085\u2028",
  "\ufffd",
  "\n\t\r",
  "'; DROP TABLE im_admin_users; --",
  '"\\',
  "__proto__",
  "constructor",
  "null",
  "王芳",
  "😀".repeat(100),
  "\u202eright to left",
  "x".repeat(70_000),
];
const longs = [0n, 1n, -1n, 2n ** 31n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n)];
const ints = [0, 1, 2, 3, 20, 60, 100, 999, 1000, -1, 2 ** 31 - 1, -(2 ** 31)];
const times = [0, -1, -62_135_596_800_000, 1_730_389_750_718, 253_402_300_799_999, 8_640_000_000_000_000];

/** IDs that users can give themselves and their groups. */
const oddIDs = ["", "\0", "a\0", "a\u0001", "a", "a\n", "A", " ", "\u007f", "'", "__proto__", "王", "😀"];
const longIDs = ["i".repeat(65), "长".repeat(170), "长".repeat(171), "k".repeat(3_000), "k".repeat(100_000)];

/** Makes documents of each collection. Their keys come from a few IDs, so that documents refer to others. */
export function hostileDocuments(random: Random, count: number): Documents {
  const one = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const ids = (letter: string) => [
    ...oddIDs,
    ...longIDs,
    ...Array.from({ length: count / 10 }, (_, index) => letter + index),
  ];
  const users = ids("u");
  const groups = ids("g");
  const text = () => one(texts);
  const int = () => new Int32(one(ints));
  const long = () => Long.fromBigInt(one(longs));
  const time = () => new Date(one(times));
  const flag = () => random() < 0.5;
  const many = (make: () => Record<string, unknown>) => Array.from({ length: count }, make);
  return {
    user: many(() => ({
      user_id: one(users),
      nickname: text(),
      face_url: text(),
      ex: text(),
      app_manger_level: int(),
      global_recv_msg_opt: int(),
      create_time: time(),
    })),
    group: many(() => ({
      group_id: one(groups),
      group_name: text(),
      notification: text(),
      introduction: text(),
      face_url: text(),
      create_time: time(),
      ex: text(),
      status: int(),
      creator_user_id: one(users),
      group_type: int(),
      need_verification: int(),
      look_member_info: int(),
      apply_member_friend: int(),
      notification_update_time: time(),
      notification_user_id: one(users),
    })),
    group_member: many(() => ({
      group_id: one(groups),
      user_id: one(users),
      nickname: text(),
      face_url: text(),
      role_level: int(),
      join_time: time(),
      join_source: int(),
      inviter_user_id: one(users),
      operator_user_id: one(users),
      mute_end_time: time(),
      ex: text(),
    })),
    group_request: many(() => ({
      user_id: one(users),
      group_id: one(groups),
      handle_result: int(),
      req_msg: text(),
      handled_msg: text(),
      req_time: time(),
      handle_user_id: one(users),
      handled_time: time(),
      join_source: int(),
      inviter_user_id: one(users),
      ex: text(),
    })),
    black: many(() => ({
      owner_user_id: one(users),
      block_user_id: one(users),
      create_time: time(),
      add_source: int(),
      operator_user_id: one(users),
      ex: text(),
    })),
    conversation: many(() => ({
      owner_user_id: one(users),
      conversation_id: one([...users, ...groups]),
      conversation_type: int(),
      user_id: one(users),
      group_id: one(groups),
      recv_msg_opt: int(),
      is_pinned: flag(),
      is_private_chat: flag(),
      burn_duration: int(),
      group_at_type: int(),
      attached_info: text(),
      ex: text(),
      max_seq: long(),
      min_seq: long(),
      create_time: time(),
      is_msg_destruct: flag(),
      msg_destruct_time: random() < 0.1 ? new Double(1e300) : long(),
      latest_msg_destruct_time: time(),
    })),
  };
}

/** The IDs of a store after an import, and the totals of its lists. */
export interface Totals {
  users: ReadonlySet<string>;
  /** The members of each group, by its ID. */
  members: ReadonlyMap<string, number>;
  /** The blacklist entries of each user. */
  blacks: ReadonlyMap<string, number>;
  /** The groups of each user. */
  joined: ReadonlyMap<string, number>;
  /** The conversations of each user. */
  conversations: ReadonlyMap<string, number>;
  /** The documents that have no usable key, in each collection. */
  leftOut: Readonly<Record<string, number>>;
}

/** What lists must hold of documents: of those with the same key, one. */
export function totalsOf(documents: Documents, holdsKey: (key: string) => boolean): Totals {
  const leftOut: Record<string, number> = {};
  const keysOf = (collection: string, ...fields: string[]): [string, string][] => {
    const keys = new Map<string, [string, string]>();
    leftOut[collection] = 0;
    for (const document of documents[collection] ?? []) {
      const [first = "", second = "-"] = fields.map((field) => String(document[field]).replaceAll("\0", "\ufffd0"));
      if (first !== "" && second !== "" && holdsKey(first) && holdsKey(second)) {
        keys.set(JSON.stringify([first, second]), [first, second]);
      } else leftOut[collection] += 1;
    }
    return [...keys.values()];
  };
  const counted = (keys: Iterable<string>, all: Iterable<string>) => {
    const counts = new Map(Array.from(all, (key) => [key, 0]));
    for (const key of keys) if (counts.has(key)) counts.set(key, (counts.get(key) ?? 0) + 1);
    return counts;
  };
  const users = new Set(keysOf("user", "user_id").map(([id]) => id));
  const groups = keysOf("group", "group_id").map(([id]) => id);
  const members = keysOf("group_member", "group_id", "user_id");
  const blacks = keysOf("black", "owner_user_id", "block_user_id");
  const conversations = keysOf("conversation", "owner_user_id", "conversation_id");
  keysOf("group_request", "group_id", "user_id");
  return {
    users,
    members: counted(
      members.map(([group]) => group),
      groups,
    ),
    blacks: counted(
      blacks.map(([owner]) => owner),
      users,
    ),
    joined: counted(
      members.map(([, user]) => user),
      users,
    ),
    conversations: counted(
      conversations.map(([owner]) => owner),
      users,
    ),
    leftOut,
  };
}
