/** Compares each list that im-admin answers with what plain SQL over the tables of the chat server says. */
import Database from "better-sqlite3";
import { openSqliteStore } from "im-admin/sqlite";

/** Items on a page. */
const limit = 100;

const person = `(SELECT id, coalesce((SELECT name FROM alias WHERE person_id = id), name) AS name, coalesce(avatar, '') AS avatar,
  level FROM person WHERE deleted_at IS NULL)`;
const member = `(SELECT *, CASE role WHEN 'owner' THEN 100 WHEN 'admin' THEN 60 ELSE 20 END AS role_level FROM membership
  WHERE left_at IS NULL AND (room_id, person_id) NOT IN (SELECT room_id, person_id FROM ban))`;
const members = `SELECT room_id AS owner, CAST(person_id AS TEXT) AS userID, role_level AS roleLevel, joined_at AS joinTime,
    coalesce(nullif(nickname, ''), person.name, '') AS nickname, coalesce(avatar, '') AS faceURL
  FROM ${member} AS member LEFT JOIN ${person} AS person ON person.id = person_id`;
const membersInOrder = "ORDER BY role_level DESC, joined_at, userID";
const requests = `SELECT CAST(manager.person_id AS TEXT) AS owner, CAST(asked.person_id AS TEXT) AS userID, asked.room_id AS groupID,
    CASE state WHEN 'accepted' THEN 1 WHEN 'refused' THEN -1 ELSE 0 END AS handleResult, asked_at AS reqTime,
    coalesce(person.name, '') AS nickname, coalesce(title, '') AS groupName
  FROM join_request AS asked JOIN ${member} AS manager ON manager.room_id = asked.room_id AND role_level >= 60
    LEFT JOIN ${person} AS person ON person.id = asked.person_id
    LEFT JOIN room ON room.id = asked.room_id AND NOT archived`;
const requestsInOrder = "ORDER BY asked_at DESC, asked.room_id, userID";
const accounts = `SELECT '' AS owner, CAST(id AS TEXT) AS userID, name AS nickName, avatar AS faceURL FROM ${person}`;

const groups = `SELECT CAST(person_id AS TEXT) AS owner, room_id AS groupID, coalesce(title, '') AS groupName,
    (SELECT count(*) FROM ${member} AS other WHERE other.room_id = member.room_id) AS memberCount,
    coalesce((SELECT CAST(person_id AS TEXT) FROM ${member} AS other WHERE other.room_id = member.room_id AND role_level = 100
      ORDER BY joined_at, CAST(person_id AS TEXT)), '') AS ownerUserID
  FROM ${member} AS member LEFT JOIN room ON room.id = room_id AND NOT archived ORDER BY joined_at DESC, room_id`;
const blacks = `SELECT CAST(owner_id AS TEXT) AS owner, CAST(blocked_id AS TEXT) AS userID, coalesce(name, '') AS nickname,
   block.created_at AS createTime
  FROM block LEFT JOIN ${person} AS person ON person.id = blocked_id ORDER BY block.created_at DESC, userID`;

/** Whose lists of a kind there are, and whether they exist. */
const rooms = "SELECT id AS owner, NOT archived AS isKnown FROM room";
const persons = "SELECT CAST(id AS TEXT) AS owner, deleted_at IS NULL AS isKnown FROM person";
const nobody = "SELECT '' AS owner, 1 AS isKnown";

/** For each list: its owners, all items with their owners, the method of the store, and the query for an owner. */
const lists = {
  members: [rooms, `${members} ${membersInOrder}`, "listGroupMembers", (groupID) => ({ groupID, keyword: "" })],
  "members with 王": [
    rooms,
    `${members} WHERE instr(coalesce(nullif(nickname, ''), person.name), '王') ${membersInOrder}`,
    "listGroupMembers",
    (groupID) => ({ groupID, keyword: "王" }),
  ],
  "members with ann": [
    rooms,
    `${members} WHERE instr(lower(coalesce(nullif(nickname, ''), person.name)), 'ann') ${membersInOrder}`,
    "listGroupMembers",
    (groupID) => ({ groupID, keyword: "ann" }),
  ],
  owners: [
    rooms,
    `${members} WHERE role_level = 100 ${membersInOrder}`,
    "listGroupMembers",
    (groupID) => ({ groupID, keyword: "", roleLevels: [100] }),
  ],
  "joined groups": [persons, groups, "listJoinedGroups", (userID) => ({ userID })],
  blacklist: [persons, blacks, "listBlacks", (ownerUserID) => ({ ownerUserID })],
  requests: [persons, `${requests} ${requestsInOrder}`, "listReceivedGroupRequests", (userID) => ({ userID })],
  "pending requests": [
    persons,
    `${requests} WHERE state = 'pending' ${requestsInOrder}`,
    "listReceivedGroupRequests",
    (userID) => ({ userID, handleResults: [0] }),
  ],
  accounts: [
    nobody,
    `${accounts} WHERE level >= 3 ORDER BY userID`,
    "listNotificationAccounts",
    () => ({ keyword: "" }),
  ],
  robots: [
    nobody,
    `${accounts} WHERE level = 4 ORDER BY userID`,
    "listNotificationAccounts",
    () => ({ keyword: "", appMangerLevel: 4 }),
  ],
};

/** Returns a sentence for each kind of lists of which some differ. */
export async function differences(path) {
  const database = new Database(path, { readonly: true });
  const store = openSqliteStore({ path });
  const found = [];
  try {
    for (const [name, [owners, sql, method, queryOf]] of Object.entries(lists)) {
      const items = database.prepare(sql);
      const fields = items.columns().flatMap(({ name }) => (name === "owner" ? [] : [name]));
      const itemsOf = {};
      for (const { owner, ...item } of items.all()) {
        itemsOf[owner] ??= [];
        itemsOf[owner].push(item);
      }
      const wrong = [];
      for (const { owner, isKnown } of database.prepare(owners).all()) {
        const expected = itemsOf[owner] ?? [];
        const ask = (range) => store[method]({ ...queryOf(owner), ...range });
        const answered = await wholeList(ask, fields).catch(({ message }) => message);
        const right = isKnown ? { totals: [expected.length], items: expected } : undefined;
        if (JSON.stringify(answered) !== JSON.stringify(right)) wrong.push([owner, answered]);
      }
      if (wrong.length > 0) found.push(`${wrong.length} lists of ${name} differ, such as ${JSON.stringify(wrong[0])}`);
    }
  } finally {
    await store.close();
    database.close();
  }
  return found;
}

/** All items of a list with these fields only, and the totals that its pages told. */
async function wholeList(ask, fields) {
  const totals = new Set();
  const items = [];
  for (let length = limit; length === limit; ) {
    const page = await ask({ offset: items.length, limit });
    if (page === undefined) return undefined;
    totals.add(page.total);
    for (const item of page.items) {
      const all = { ...item, ...item.groupInfo, ...item.userInfo, ...item.blackUserInfo };
      items.push(Object.fromEntries(fields.map((field) => [field, all[field]])));
    }
    length = page.items.length;
  }
  return { totals: [...totals], items };
}
