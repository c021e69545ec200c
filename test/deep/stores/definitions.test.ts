import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { randomOf, rounds, seed } from "../../helpers/chance.js";
import { builtStores } from "../../helpers/definitions/built.js";
import type { Asked, ListName, Opened } from "../../helpers/definitions/stores.js";
import { startPostgres } from "../../helpers/postgres/server.js";
import { temporaryFolder } from "../../helpers/stores.js";

let stores: Awaited<ReturnType<typeof builtStores>>;

beforeAll(async () => {
  stores = await builtStores();
});

interface World extends Opened {
  /** Writes the host's tables, if there is a map. */
  write(sql: string): Promise<unknown>;
}

const tables = `
  CREATE TABLE person (id varchar(40) PRIMARY KEY, name varchar(40), kind integer);
  CREATE TABLE room (id varchar(40) PRIMARY KEY);
  CREATE TABLE seat (room varchar(40), person varchar(40), role integer, since bigint, name varchar(40), muted bigint,
    inviter varchar(40), source integer, PRIMARY KEY (room, person));
  CREATE INDEX seats_of_persons ON seat (person);`;

const mapOf = (schema: string) => ({
  users: { from: `${schema}person`, key: { userID: "id" }, fields: { nickname: "name", appMangerLevel: "kind" } },
  groups: { from: `${schema}room`, key: { groupID: "id" } },
  groupMembers: {
    from: `${schema}seat`,
    key: { groupID: "room", userID: "person" },
    fields: {
      roleLevel: "role",
      joinTime: "since",
      nickname: "name",
      muteEndTime: "muted",
      inviterUserID: "inviter",
      joinSource: "source",
    },
  },
});

async function openSqlite(isMapped: boolean): Promise<World> {
  const path = join(temporaryFolder(), "im.db");
  const host = new BetterSqlite3(path);
  if (isMapped) host.exec(tables);
  const opened = await stores.openSqlite(path, isMapped);
  onTestFinished(async () => {
    host.close();
    await opened.store.close();
  });
  if (isMapped) await opened.install(mapOf(""));
  return { ...opened, write: async (sql) => host.exec(sql) };
}

async function openPostgres(isMapped: boolean): Promise<World> {
  const { pool, stop } = await startPostgres();
  onTestFinished(stop);
  if (isMapped) await pool.query(tables);
  const opened = await stores.openPostgres(pool);
  if (isMapped) await opened.install(mapOf("public."));
  return { ...opened, write: (sql) => pool.query(sql) };
}

const engines: [string, boolean, () => Promise<World>][] = [false, true].flatMap((isMapped) => [
  ["SQLite", isMapped, () => openSqlite(isMapped)] as [string, boolean, () => Promise<World>],
  ["PostgreSQL", isMapped, () => openPostgres(isMapped)],
]);

interface Member {
  userID: string;
  roleLevel: number;
  joinTime: number;
  nickname: string;
  muteEndTime: number;
  inviterUserID: string;
  joinSource: number;
}

interface User {
  userID: string;
  nickname: string;
  appMangerLevel: number;
}

const texts = (values: readonly (string | number)[]) =>
  values.map((value) => (typeof value === "string" ? `'${value}'` : value)).join(", ");

/** Writes users and members of g1. */
async function put(world: World, isMapped: boolean, users: readonly User[], members: readonly Member[]): Promise<void> {
  if (!isMapped) {
    return world.store.put({
      users,
      groups: [{ groupID: "g1" }],
      groupMembers: members.map((member) => ({ groupID: "g1", ...member })),
    });
  }
  const persons = users.map(({ userID, nickname, appMangerLevel }) => texts([userID, nickname, appMangerLevel]));
  const seats = members.map((one) =>
    texts([
      "g1",
      one.userID,
      one.roleLevel,
      one.joinTime,
      one.nickname,
      one.muteEndTime,
      one.inviterUserID,
      one.joinSource,
    ]),
  );
  const replaced = (columns: readonly string[]) => columns.map((column) => `${column} = excluded.${column}`).join(", ");
  const statements = ["INSERT INTO room VALUES ('g1') ON CONFLICT DO NOTHING"];
  if (persons.length > 0) {
    statements.push(`INSERT INTO person VALUES (${persons.join("), (")})
      ON CONFLICT (id) DO UPDATE SET ${replaced(["name", "kind"])}`);
  }
  if (seats.length > 0) {
    statements.push(`INSERT INTO seat VALUES (${seats.join("), (")}) ON CONFLICT (room, person) DO UPDATE
      SET ${replaced(["role", "since", "name", "muted", "inviter", "source"])}`);
  }
  await world.write(statements.join(";\n"));
}

async function remove(world: World, isMapped: boolean, userIDs: readonly string[]): Promise<void> {
  if (userIDs.length === 0) return;
  if (!isMapped) return world.store.remove({ groupMembers: userIDs.map((userID) => ({ groupID: "g1", userID })) });
  await world.write(`DELETE FROM seat WHERE person IN (${texts(userIDs)})`);
}

const users: User[] = [
  { userID: "ann", nickname: "Ann", appMangerLevel: 1 },
  { userID: "bob", nickname: "", appMangerLevel: 3 },
  { userID: "cid", nickname: "Ann", appMangerLevel: 4 },
  { userID: "dan", nickname: "dan the robot", appMangerLevel: 4 },
];

const member = (userID: string, given: Partial<Member> = {}): Member => ({
  userID,
  roleLevel: 20,
  joinTime: 1,
  nickname: "",
  muteEndTime: 0,
  inviterUserID: "",
  joinSource: 1,
  ...given,
});

const members: Member[] = [
  member("ann", { inviterUserID: "007", muteEndTime: 5, joinSource: 2 }),
  member("bob", { inviterUserID: "7", muteEndTime: 9, roleLevel: 60 }),
  member("cid", { inviterUserID: "007", roleLevel: 60, nickname: "Annika" }),
  member("dan", { inviterUserID: "7", muteEndTime: 1, joinSource: 2, nickname: "anna" }),
  member("eve", { joinTime: 7 }),
];

const inOrder: [string, ListName, Asked, string[]][] = [
  [
    "rows with the least value or more, the greatest first",
    "trialMutedMembers",
    { owner: "g1" },
    ["bob", "ann", "dan"],
  ],
  ["a keyword among them", "trialMutedMembers", { owner: "g1", keyword: "ann" }, ["ann", "dan"]],
  ["by a text, and then by a number", "trialMembersByInviter", { owner: "g1" }, ["eve", "cid", "ann", "bob", "dan"]],
  ["with a text", "trialMembersOfInviter", { owner: "g1", part: "007" }, ["cid", "ann"]],
  ["with a text that looks like the same number", "trialMembersOfInviter", { owner: "g1", part: "7" }, ["bob", "dan"]],
  ["with the empty text", "trialMembersOfInviter", { owner: "g1", part: "" }, ["eve"]],
  ["with a text that no row has", "trialMembersOfInviter", { owner: "g1", part: "00" }, []],
  ["with a text and a keyword", "trialMembersOfInviter", { owner: "g1", part: "007", keyword: "nnik" }, ["cid"]],
  ["with a text and a level", "trialMembersOfInviter", { owner: "g1", part: "7", levels: [20] }, ["dan"]],
  [
    "with a text, a keyword and a level",
    "trialMembersOfInviter",
    { owner: "g1", part: "007", keyword: "ann", levels: [20] },
    ["ann"],
  ],
  ["with a number, and the least value or more", "trialMutedOfSource", { owner: "g1", part: 2 }, ["ann", "dan"]],
  ["of other lists' rows those with a greater least value", "trialRobots", {}, ["cid", "dan"]],
  ["a keyword among these", "trialRobots", { keyword: "robot" }, ["dan"]],
  ["of all rows, by a text", "trialUsersByNickname", {}, ["bob", "ann", "cid", "dan"]],
];

describe.each(engines)("%s, mapped: %s", (engine, isMapped, open) => {
  it("answers what each property of a definition says", async () => {
    const world = await open();
    await put(world, isMapped, users, members);
    // A store in SQLite settles before it reads. In PostgreSQL, the functions of reads add what is not settled yet.
    for (const isSettled of engine === "SQLite" ? [true] : [false, true]) {
      if (isSettled) await world.settle();
      for (const [what, name, asked, ids] of inOrder) {
        expect([what, isSettled, await world.read(name, asked)]).toEqual([what, isSettled, { total: ids.length, ids }]);
      }
    }
    // The lists of im-admin have all their rows.
    const page = await world.store.listGroupMembers({ groupID: "g1", keyword: "", offset: 0, limit: 10 });
    expect(page?.items).toMatchObject(["bob", "cid", "ann", "dan", "eve"].map((userID) => ({ userID })));
    expect(await world.problems()).toEqual([]);
  });

  it("follows writes in long lists", { timeout: 240_000 }, async () => {
    for (let round = 0; round < rounds(3); round += 1) {
      const random = randomOf(seed + round);
      const world = await open();
      const below = (end: number) => Math.floor(random() * end);
      const people = new Map<string, User>();
      const seats = new Map<string, Member>();
      const pick = <Value>(values: readonly Value[]) => values[below(values.length)] as Value;
      const id = () => `u${below(600)}`;
      for (const count of [500, 40, 150, 3]) {
        const newUsers = Array.from(
          { length: count / 2 },
          (): User => ({
            userID: id(),
            nickname: pick(["", "Ann", "anna", "Bob"]),
            appMangerLevel: 1 + below(4),
          }),
        );
        const newMembers = Array.from({ length: count }, () =>
          member(id(), {
            roleLevel: pick([20, 60]),
            joinTime: below(9),
            nickname: pick(["", "", "Annika", "x"]),
            muteEndTime: Math.max(0, below(5) - 1),
            inviterUserID: pick(["", "007", "7"]),
            joinSource: 1 + below(2),
          }),
        );
        const gone = Array.from({ length: count / 4 }, id);
        for (const user of newUsers) people.set(user.userID, user);
        for (const one of newMembers) seats.set(one.userID, one);
        await put(
          world,
          isMapped,
          [...new Map(newUsers.map((one) => [one.userID, one])).values()],
          [...new Map(newMembers.map((one) => [one.userID, one])).values()],
        );
        for (const userID of gone) seats.delete(userID);
        await remove(world, isMapped, gone);
        if (engine === "SQLite" || random() < 0.5) await world.settle();
        expect(await world.problems()).toEqual([]);
        await compareAll(world, people, seats, below);
      }
    }
  });
});

it("empties a text that divides a list and is too long for PostgreSQL", () => {
  const { heldIn, heldValues, holds } = stores;
  const document = { group_id: "g1", user_id: "ann", inviter_user_id: "i".repeat(513) };
  const { values, mistakes } = heldValues("groupMembers", document, holds);
  expect(values).not.toContain(document.inviter_user_id);
  expect(mistakes).toEqual([{ field: "inviterUserID", message: "is too long for the database" }]);
  const record = { groupID: "g1", userID: "ann", inviterUserID: document.inviter_user_id };
  expect(heldIn({ holds }, "groupMembers", record)).toEqual({ ...record, inviterUserID: "" });
  expect(heldIn({ holds }, "groupMembers", { ...record, userID: record.inviterUserID })).toBeUndefined();
  const short = { ...document, inviter_user_id: "i".repeat(512) };
  expect(heldValues("groupMembers", short, holds).values).toContain(short.inviter_user_id);
});

it("follows a statement in PostgreSQL that changes very many rows", async () => {
  const world = await openPostgres(false);
  const numbers = Array.from({ length: 1500 }, (_, index) => index);
  const before = numbers.map((number) =>
    member(`u${number}`, {
      muteEndTime: number % 3,
      inviterUserID: ["7", "007"][number % 2] ?? "",
      joinSource: 1 + (number % 2),
    }),
  );
  await put(world, false, [], before);
  await world.settle();
  await world.write(`
    UPDATE im_admin.group_members SET mute_end_time = (mute_end_time + 1) % 3, join_source = 3 - join_source,
      inviter_user_id = CASE inviter_user_id WHEN '7' THEN '007' ELSE '7' END`);
  const after = before.map((one) => ({
    ...one,
    muteEndTime: (one.muteEndTime + 1) % 3,
    joinSource: 3 - one.joinSource,
    inviterUserID: one.inviterUserID === "7" ? "007" : "7",
  }));
  const seats = new Map(after.map((one) => [one.userID, one]));
  for (const isSettled of [false, true]) {
    if (isSettled) await world.settle();
    await compareAll(world, new Map(), seats, () => 740);
    expect(await world.problems()).toEqual([]);
  }
});

/** Compares a page of each list with the rows. */
async function compareAll(
  world: World,
  people: ReadonlyMap<string, User>,
  seats: ReadonlyMap<string, Member>,
  below: (end: number) => number,
): Promise<void> {
  for (const [name, asked, ids] of expectedOf([...people.values()], [...seats.values()], people)) {
    const offset = below(ids.length + 2);
    const found = await world.read(name, { ...asked, offset, limit: 20 });
    const page = { total: ids.length, ids: ids.slice(offset, offset + 20) };
    expect([name, asked, offset, found]).toEqual([name, asked, offset, page]);
  }
}

type Key<Row> = (row: Row) => string | number;

function sorted<Row>(rows: readonly Row[], ...keys: readonly Key<Row>[]): Row[] {
  const compare = (left: string | number, right: string | number) => (left < right ? -1 : left > right ? 1 : 0);
  return rows.toSorted(
    (left, right) => keys.map((key) => compare(key(left), key(right))).find((one) => one !== 0) ?? 0,
  );
}

/** What the lists must answer, from the rows alone. */
function* expectedOf(
  users: readonly User[],
  members: readonly Member[],
  people: ReadonlyMap<string, User>,
): Generator<[ListName, Asked, string[]]> {
  const ids = (rows: readonly { userID: string }[]) => rows.map(({ userID }) => userID);
  const nameOf = ({ nickname, userID }: Member) => nickname || (people.get(userID)?.nickname ?? "");
  const has = (keyword: string, ...texts: string[]) => texts.some((text) => text.toLowerCase().includes(keyword));
  const byID: Key<{ userID: string }> = ({ userID }) => userID;
  const muted = sorted(
    members.filter(({ muteEndTime }) => muteEndTime >= 1),
    ({ muteEndTime }) => -muteEndTime,
    byID,
  );
  yield ["trialMutedMembers", { owner: "g1" }, ids(muted)];
  const found = muted.filter((one) => has("ann", one.userID, nameOf(one)));
  yield ["trialMutedMembers", { owner: "g1", keyword: "ann" }, ids(found)];
  const invited = sorted(
    members,
    ({ inviterUserID }) => inviterUserID,
    ({ roleLevel }) => -roleLevel,
    byID,
  );
  yield ["trialMembersByInviter", { owner: "g1" }, ids(invited)];
  for (const part of ["", "007", "7"]) {
    const those = sorted(
      members.filter(({ inviterUserID }) => inviterUserID === part),
      ({ roleLevel }) => -roleLevel,
      ({ joinTime }) => joinTime,
      byID,
    );
    const owned = { owner: "g1", part };
    yield ["trialMembersOfInviter", owned, ids(those)];
    const level = those.filter(({ roleLevel }) => roleLevel === 20);
    yield ["trialMembersOfInviter", { ...owned, levels: [20] }, ids(level)];
    const named = (rows: readonly Member[]) => ids(rows.filter((one) => has("nn", one.userID, nameOf(one))));
    yield ["trialMembersOfInviter", { ...owned, keyword: "nn" }, named(those)];
    yield ["trialMembersOfInviter", { ...owned, keyword: "nn", levels: [20] }, named(level)];
  }
  for (const part of [1, 2]) {
    yield [
      "trialMutedOfSource",
      { owner: "g1", part },
      ids(
        sorted(
          muted.filter((one) => one.joinSource === part),
          byID,
        ),
      ),
    ];
  }
  const trialRobots = sorted(
    users.filter(({ appMangerLevel }) => appMangerLevel >= 4),
    byID,
  );
  yield ["trialRobots", {}, ids(trialRobots)];
  yield ["trialRobots", { keyword: "ann" }, ids(trialRobots.filter((one) => has("ann", one.userID, one.nickname)))];
  yield ["trialUsersByNickname", {}, ids(sorted(users, ({ nickname }) => nickname, byID))];
}
