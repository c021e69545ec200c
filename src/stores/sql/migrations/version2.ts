import { buildLists, keptTables, listTriggers } from "../build.js";
import { defaultSizes } from "../countedLists.js";
import { tables } from "../tables.js";
import { created } from "../text.js";
import { version1 } from "./version1.js";

/** The tables that change, with their columns, and an order that keeps rows of one page close to each other. */
const changed = {
  users: { columns: "userID, nickname, faceURL, ex, appMangerLevel", order: "userID" },
  groupMembers: {
    columns: `groupID, userID, roleLevel, joinTime, nickname, faceURL, joinSource, operatorUserID, ex, muteEndTime,
      inviterUserID`,
    order: "groupID, joinTime",
  },
  blacks: {
    columns: "ownerUserID, blackUserID, createTime, addSource, operatorUserID, ex",
    order: "ownerUserID, createTime",
  },
  groupRequests: {
    columns: `groupID, userID, handleResult, reqMsg, handleMsg, reqTime, handleUserID, handleTime, ex, joinSource,
      inviterUserID`,
    order: "groupID, reqTime",
  },
};

/** Version 2: counted lists and search, in place of kept totals. */
export const version2: readonly string[] = [
  ...["TRIGGER \\w+", "INDEX \\w+", "TABLE listTotals", "TABLE \\w+Replaced"].flatMap(dropped),
  ...Object.keys(changed).map((name) => `ALTER TABLE ${name} RENAME TO ${name}Version1`),
  ...tables.filter((sql) => created(sql).name in changed),
  ...Object.entries(changed).flatMap(([name, { columns, order }]) => [
    `INSERT INTO ${name} (${columns}) SELECT ${columns} FROM ${name}Version1 ORDER BY ${order}`,
    `DROP TABLE ${name}Version1`,
  ]),
  ...keptTables,
  ...buildLists(defaultSizes),
  ...listTriggers(defaultSizes),
];

/** Drops what version 1 has made of a kind. */
function dropped(what: string): string[] {
  const creation = new RegExp(`^CREATE (${what})`);
  return version1.flatMap((sql) => (creation.test(sql) ? [`DROP ${creation.exec(sql)?.[1]}`] : []));
}
