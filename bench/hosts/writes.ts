/** What a chat server writes, as SQL for PostgreSQL and SQLite. Each statement uses its parameters once, in their order. */
import type { Scale } from "../scale.js";
import { idOf, largeChannel } from "./schema.js";

export type Statement = readonly [text: string, ...values: (string | number)[]];

export interface Write {
  name: string;
  /** The statements of one write. Several of them are a transaction. */
  of(index: number, scale: Scale): readonly Statement[];
  /** Statements that undo what has been written before. */
  undo?: readonly string[];
  /** The most that the ratio to the same write to plain tables may be. */
  atMost?: number;
}

/** Each process writes other values than those before it, so that each write changes something. */
const now = Date.now();

const archivedAt = Date.UTC(2026, 0, 1);

/** Two members that follow each other are far apart in the tables. */
const member = (index: number, { members }: Scale) => idOf((index * 7919) % members);
const isMember = (first: number) => `channelid = $${first} AND userid = $${first + 1}`;

/** Puts back the members of the large channel. */
const membersAsBefore = [
  `DELETE FROM channelmembers WHERE channelid = '${largeChannel}' AND userid NOT IN (SELECT userid FROM saved)`,
  "INSERT INTO channelmembers SELECT * FROM saved WHERE true ON CONFLICT DO NOTHING",
];

/** Many servers write a whole row where one column has changed. */
const unchanged = ["createat", "updateat", "deleteat", "username", "email", "nickname", "avatar", "locale", "isbot"];

/** Of one row, or of a few. Each time, it is another member's. */
export const smallWrites: readonly Write[] = [
  {
    name: "a post",
    atMost: 1.1,
    of: (index, scale) => [
      [
        "INSERT INTO posts (id, createat, userid, channelid, message, props) VALUES ($1, $2, $3, $4, $5, '{}')",
        ...[`${now}.${index}`, now + index, member(index, scale), largeChannel, "Good morning, everybody!"],
      ],
      [
        "UPDATE channels SET lastpostat = $1, totalmsgcount = totalmsgcount + 1 WHERE id = $2",
        ...[now + index, largeChannel],
      ],
    ],
  },
  {
    name: "a read mark",
    atMost: 1.1,
    of: (index, scale) => [
      [
        `UPDATE channelmembers SET lastviewedat = $1, msgcount = msgcount + 1, mentioncount = 0 WHERE ${isMember(2)}`,
        ...[now + index, largeChannel, member(index, scale)],
      ],
    ],
  },
  {
    name: "a user's bio",
    atMost: 1.1,
    of: (index, scale) => [["UPDATE users SET bio = $1 WHERE id = $2", `Since ${now + index}`, member(index, scale)]],
  },
  {
    name: "a user's bio, with all other columns",
    atMost: 1.1,
    of: (index, scale) => [
      [
        `UPDATE users SET bio = $1, ${unchanged.map((column) => `${column} = ${column}`).join(", ")} WHERE id = $2`,
        ...[`Since ${now + index}`, member(index, scale)],
      ],
    ],
  },
  {
    name: "a user's nickname",
    of: (index, scale) => [
      ["UPDATE users SET nickname = $1 WHERE id = $2", `Name ${now + index}`, member(index, scale)],
    ],
  },
  {
    name: "a member joins",
    undo: membersAsBefore,
    of: (index, { members, outsiders }) => [
      [
        `INSERT INTO channelmembers (channelid, userid, joinedat, schemeadmin, lastviewedat, msgcount, mentioncount)
          VALUES ($1, $2, $3, false, 0, 0, 0)`,
        ...[largeChannel, idOf(members + (index % outsiders)), now + index],
      ],
    ],
  },
  {
    name: "a member leaves",
    undo: membersAsBefore,
    of: (index, scale) => [
      [`DELETE FROM channelmembers WHERE ${isMember(1)}`, ...[largeChannel, member(index, scale)]],
    ],
  },
  {
    name: "a member gets another role",
    atMost: 2,
    of: (index, scale) => [
      [
        `UPDATE channelmembers SET schemeadmin = NOT schemeadmin WHERE ${isMember(1)}`,
        ...[largeChannel, member(index, scale)],
      ],
    ],
  },
  {
    name: "a large channel is archived, or comes back",
    undo: ["UPDATE channels SET deleteat = 0 WHERE deleteat > 0"],
    of: () => [["UPDATE channels SET deleteat = $1 - deleteat WHERE id = $2", archivedAt, largeChannel]],
  },
];

/** Writes to im-admin's own tables in PostgreSQL. */
export const ownWrites: readonly Write[] = [
  {
    name: "half of a large group gets other join times",
    atMost: 4,
    of: () => [
      ["UPDATE group_members SET join_time = join_time + 2 WHERE group_id = $1 AND join_time % 2 = 0", largeChannel],
    ],
  },
  {
    name: "all members of a large group are deleted",
    atMost: 4,
    undo: ["INSERT INTO group_members SELECT * FROM own.saved_members ON CONFLICT DO NOTHING"],
    of: () => [["DELETE FROM group_members WHERE group_id = $1", largeChannel]],
  },
];

/** Of very many rows. */
export const largeWrites: readonly Write[] = [
  {
    name: "half of a large channel gets other join times",
    atMost: 4,
    of: () => [
      ["UPDATE channelmembers SET joinedat = joinedat + 2 WHERE channelid = $1 AND joinedat % 2 = 0", largeChannel],
    ],
  },
  {
    name: "all members of a large channel are deleted",
    atMost: 4,
    undo: membersAsBefore,
    of: () => [["DELETE FROM channelmembers WHERE channelid = $1", largeChannel]],
  },
  {
    name: "all users get other nicknames",
    atMost: 4,
    of: (index) => [["UPDATE users SET nickname = $1 || username", `${now + index} `]],
  },
];
