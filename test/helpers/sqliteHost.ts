/** A chat server with tables of its own in SQLite, some of them called as others' are, and its statements. */
import { defineTables } from "../../src/stores/tablesSql.js";
import type { Random } from "./chance.js";

export const hostTables = `
  CREATE TABLE users (id INTEGER PRIMARY KEY, email TEXT UNIQUE, name TEXT COLLATE NOCASE, kind INTEGER, deleted_at TEXT);
  CREATE TABLE names (user_id INTEGER PRIMARY KEY, name TEXT);
  CREATE TABLE groups (tenant TEXT, id INTEGER, title TEXT, PRIMARY KEY (tenant, id));
  CREATE TABLE members (id INTEGER PRIMARY KEY, tenant TEXT, group_id INTEGER,
    user_id INTEGER REFERENCES users (id) ON DELETE CASCADE, role TEXT, joined INTEGER, left_at TEXT,
    UNIQUE (tenant, group_id, user_id));
  CREATE TABLE blocked (owner INTEGER, other INTEGER, at INTEGER, PRIMARY KEY (owner, other)) WITHOUT ROWID;
  CREATE TABLE asked (tenant TEXT, group_id INTEGER, user_id TEXT, at REAL, state INTEGER, PRIMARY KEY (tenant, group_id, user_id));`;

const groupID = ["tenant", "group_id"] as const;

export const hostMap = defineTables({
  users: {
    from: "users",
    key: { userID: "id" },
    where: "deleted_at IS NULL",
    unique: ["email"],
    fields: {
      nickname: "coalesce((SELECT name FROM names WHERE names.user_id = users.id), name)",
      appMangerLevel: "kind",
    },
    also: [{ table: "names", key: { userID: "user_id" } }],
  },
  groups: { from: "groups", key: { groupID: ["tenant", "id"] }, fields: { groupName: "title" } },
  groupMembers: {
    from: "members",
    key: { groupID, userID: "user_id" },
    where: "left_at IS NULL",
    unique: ["id"],
    fields: {
      roleLevel: "CASE role WHEN 'owner' THEN 100 WHEN 'admin' THEN 60 ELSE 20 END",
      joinTime: "joined * 1000",
    },
  },
  blacks: { from: "blocked", key: { ownerUserID: "owner", blackUserID: "other" }, fields: { createTime: "at" } },
  groupRequests: {
    from: "asked",
    key: { groupID, userID: "user_id" },
    fields: { reqTime: "at", handleResult: "state" },
  },
});

/** The entries that each list must have, selected from the tables without the map: their owner and ID, in order. */
export const hostLists: Readonly<Record<string, string>> = {
  groupMembers: `
    SELECT tenant || ':' || group_id AS owner, CAST(user_id AS TEXT) AS id FROM members
      WHERE left_at IS NULL AND joined >= 0 AND tenant NOT LIKE '%:%' AND tenant || group_id || user_id IS NOT NULL
      ORDER BY 1, CASE role WHEN 'owner' THEN 1 WHEN 'admin' THEN 2 ELSE 3 END, joined, 2`,
  joinedGroups: `
    SELECT CAST(user_id AS TEXT) AS owner, tenant || ':' || group_id AS id FROM members
      WHERE left_at IS NULL AND joined >= 0 AND tenant NOT LIKE '%:%' AND tenant || group_id || user_id IS NOT NULL
      ORDER BY 1, joined DESC, 2`,
  blacks:
    "SELECT CAST(owner AS TEXT) AS owner, CAST(other AS TEXT) AS id FROM blocked WHERE at >= 0 ORDER BY 1, at DESC, 2",
  receivedGroupRequests: `
    SELECT CAST(members.user_id AS TEXT) AS owner, asked.tenant || ':' || asked.group_id || ' ' || asked.user_id AS id
      FROM asked JOIN members USING (tenant, group_id)
      WHERE role IN ('owner', 'admin') AND left_at IS NULL AND joined >= 0 AND tenant NOT LIKE '%:%'
        AND members.user_id IS NOT NULL AND asked.user_id <> '' AND at >= 0
      ORDER BY 1, CAST(at AS INTEGER) DESC, asked.tenant || ':' || asked.group_id, asked.user_id`,
  notificationAccounts:
    "SELECT '' AS owner, CAST(id AS TEXT) AS id FROM users WHERE kind >= 3 AND deleted_at IS NULL ORDER BY 2",
};

/** What a search for members finds. */
export const hostNames = `
  SELECT members.tenant || ':' || members.group_id AS owner, CAST(members.user_id AS TEXT) AS id,
      coalesce(names.name, users.name, '') AS name
    FROM members LEFT JOIN users ON users.id = members.user_id AND deleted_at IS NULL
      LEFT JOIN names ON names.user_id = users.id
    WHERE left_at IS NULL AND joined >= 0 AND tenant NOT LIKE '%:%' AND tenant || group_id || members.user_id IS NOT NULL`;

/** One statement of the host. It may fail, as a host's statements do. */
export function hostStatement(random: Random): string {
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const number = (most: number) => Math.floor(random() * most);
  const user = number(30);
  const group = `'${pick(["a", "b", "a:b"])}', ${number(2)}`;
  const role = pick(["'owner'", "'admin'", "'member'", "NULL"]);
  const name = pick(["'Ann'", "'ann 王芳'", "NULL", "''", "'Bob' || char(0)"]);
  const or = pick(["", "", "OR REPLACE", "OR IGNORE"]);
  const some = `${pick(["id", "user_id"])} % ${2 + number(3)} = 0`;
  return pick([
    `INSERT ${or} INTO users (id, email, name, kind) VALUES (${user}, 'e${number(20)}', ${name}, ${number(6)})`,
    `INSERT INTO users (id, email, name) VALUES (${user}, 'e${number(20)}', ${name}) ON CONFLICT DO UPDATE SET name = excluded.name`,
    `UPDATE ${or} users SET id = ${number(30)}, name = ${name} WHERE id = ${user}`,
    `UPDATE users SET deleted_at = ${pick(["NULL", "'now'"])} WHERE id = ${user}`,
    `DELETE FROM users WHERE id = ${user}`,
    `INSERT ${or} INTO names VALUES (${user}, ${name})`,
    `DELETE FROM names WHERE user_id = ${user}`,
    `INSERT ${or} INTO members (id, tenant, group_id, user_id, role, joined) VALUES (${pick(["NULL", String(number(40))])}, ${group}, ${user}, ${role}, ${number(5) - 1})`,
    `INSERT ${or} INTO members (tenant, group_id, user_id, joined) SELECT ${group}, id, id % 3 FROM users`,
    `UPDATE ${or} members SET tenant = 'a', role = ${role} WHERE ${some}`,
    `UPDATE ${or} members SET user_id = ${user} WHERE id = ${number(40)}`,
    `UPDATE members SET left_at = ${pick(["NULL", "'now'"])}, joined = ${number(4)} WHERE ${some}`,
    `DELETE FROM members WHERE ${some}`,
    `INSERT ${or} INTO blocked VALUES (${number(3)}, ${user}, ${number(4) - 1})`,
    `INSERT ${or} INTO blocked SELECT 1, id, 5 FROM users`,
    `UPDATE ${or} blocked SET other = ${user}, at = ${number(4)} WHERE other % 3 = 0`,
    `INSERT ${or} INTO asked VALUES (${group}, '${user}', ${number(3)}.5, ${number(3) - 1})`,
    `UPDATE ${or} asked SET state = ${number(3) - 1}, user_id = ${pick(["user_id", `'${user}'`])} WHERE at < ${number(4)}`,
    `DELETE FROM asked WHERE user_id = '${user}'`,
  ]);
}

/** Triggers of the host, which write more. */
const triggers = [
  `CREATE TRIGGER host_joined AFTER INSERT ON users WHEN NEW.kind > 3
    BEGIN INSERT OR REPLACE INTO members (tenant, group_id, user_id, joined) VALUES ('b', 1, NEW.id, 3); END`,
  `CREATE TRIGGER host_left BEFORE UPDATE ON members WHEN NEW.role = 'owner'
    BEGIN UPDATE members SET role = 'member' WHERE role = 'owner' AND tenant = NEW.tenant; END`,
];

/** The tables with the triggers. */
export const hostSchema = [hostTables, ...triggers].join(";\n");
