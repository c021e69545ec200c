/** The tables of a chat server like Mattermost, and a map of them. The same SQL makes them in PostgreSQL and in SQLite. */
import type { TableMap } from "../../src/stores/tablesSql.js";
import { nickname } from "../names.js";
import { scrambled, seededRandom } from "../random.js";
import type { Scale } from "../scale.js";

/** In the same order as the columns of the rows. */
export const tables = `
  CREATE TABLE users (
    id varchar(26) PRIMARY KEY, createat bigint, updateat bigint, deleteat bigint, username varchar(64) UNIQUE,
    email varchar(128) UNIQUE, nickname varchar(64), bio text, avatar text, locale varchar(5), isbot boolean
  );
  CREATE TABLE channels (
    id varchar(26) PRIMARY KEY, createat bigint, updateat bigint, deleteat bigint, displayname varchar(64),
    header text, creatorid varchar(26), lastpostat bigint, totalmsgcount bigint
  );
  CREATE TABLE channelmembers (
    channelid varchar(26), userid varchar(26), joinedat bigint, schemeadmin boolean, lastviewedat bigint,
    msgcount bigint, mentioncount bigint, notifyprops text, lastupdateat bigint, PRIMARY KEY (channelid, userid)
  );
  CREATE INDEX channelmembers_userid ON channelmembers (userid);
  CREATE TABLE posts (
    id varchar(26) PRIMARY KEY, createat bigint, userid varchar(26), channelid varchar(26), message text, props text
  );
  CREATE INDEX posts_of_channels ON posts (channelid, createat);`;

/** The map of the tables with something before their names. Members of an archived channel are not listed. */
export function mapOf(schema: string): TableMap {
  return {
    users: {
      from: `${schema}users`,
      key: { userID: "id" },
      where: "deleteat = 0",
      fields: { nickname: "nickname", faceURL: "avatar", ex: "bio" },
    },
    groups: {
      from: `${schema}channels`,
      key: { groupID: "id" },
      where: "deleteat = 0",
      fields: { groupName: "displayname", createTime: "createat", creatorUserID: "creatorid" },
    },
    groupMembers: {
      from: `${schema}channelmembers`,
      key: { groupID: "channelid", userID: "userid" },
      where: `(SELECT deleteat FROM ${schema}channels WHERE channels.id = channelmembers.channelid) = 0`,
      fields: { roleLevel: "CASE WHEN schemeadmin THEN 60 ELSE 20 END", joinTime: "joinedat" },
      also: [{ table: `${schema}channels`, key: { groupID: "id" } }],
    },
    blacks: "empty",
    groupRequests: "empty",
    conversations: "empty",
  };
}

/** An ID of 26 characters, without any order that could be seen. */
export function idOf(number: number): string {
  return `${scrambled(number).toString(36).padStart(7, "0")}${number.toString(36).padStart(19, "0")}`;
}

/** The large channel has all members; the small ones have ten each. */
export const largeChannel = idOf(0);
const smallChannel = (number: number) => idOf(10_000_000 + number);
const membersOfSmall = 10;

const start = Date.UTC(2020, 0, 1);

export type Row = readonly (string | number | boolean)[];

/** The rows of each table, in an order in which they may be stored. */
export function* rowsOf({ members, outsiders }: Scale): Generator<readonly [table: string, row: Row]> {
  const random = seededRandom(44);
  for (let number = 0; number < members + outsiders; number += 1) {
    const name = `user.${number}`;
    yield [
      "users",
      [
        idOf(number),
        start,
        start,
        0,
        name,
        `${name}@example.org`,
        nickname(random),
        "",
        `/avatars/${name}.png`,
        "en",
        false,
      ],
    ];
  }
  const channels = [
    largeChannel,
    ...Array.from({ length: members / membersOfSmall }, (_, number) => smallChannel(number)),
  ];
  for (const [number, id] of channels.entries())
    yield ["channels", [id, start, start, 0, `Channel ${number}`, "", idOf(1), start, 0]];
  for (const [number, id] of channels.entries()) {
    const count = number === 0 ? members : membersOfSmall;
    for (let member = 0; member < count; member += 1) {
      const user = number === 0 ? member : (number + member * 997) % members;
      yield [
        "channelmembers",
        [id, idOf(user), start + random.below(10 ** 9), member < 3, start, 0, 0, '{"desktop":"default"}', start],
      ];
    }
  }
}
