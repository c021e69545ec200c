/**
 * A host writes tables on which records depend by whole keys, by parts of them, and through a view, while a store
 * settles. The lists are compared with those that are read from the records alone.
 */
import type BetterSqlite3 from "better-sqlite3";
import { expect, it } from "vitest";
import { answering, partsHere } from "../../../src/stores/sqlite/answer.js";
import type { SqlDatabase, Statements } from "../../../src/stores/sqlite/database.js";
import { readsFromRecords } from "../../../src/stores/sqlite/fromRecords.js";
import { mappedDatabase } from "../../../src/stores/sqlite/map/mapped.js";
import type { FoundPage } from "../../../src/stores/sqlite/pages/readPage.js";
import type { Read } from "../../../src/stores/sqlite/reads.js";
import { checkLists } from "../../../src/stores/sqlite/upkeep/checkAll.js";
import { defineTables } from "../../../src/stores/tablesSql.js";
import { type Random, randomOf, rounds, seed } from "../../helpers/chance.js";
import { openMappedFile, tiny } from "../../helpers/mappedFile.js";
import { hostMap, hostSchema, hostStatement } from "../../helpers/sqliteHost.js";
import { openSqliteDatabase } from "../../helpers/stores.js";

const map = defineTables({
  ...hostMap,
  groupMembers: {
    ...hostMap.groupMembers,
    where: "left_at IS NULL AND user_id NOT IN (SELECT id FROM users WHERE deleted_at IS NOT NULL)",
    fields: {
      roleLevel: `CASE WHEN (SELECT title FROM groups own WHERE own.tenant = members.tenant AND own.id = group_id) = 'flat'
        THEN 20 ELSE CASE role WHEN 'owner' THEN 100 WHEN 'admin' THEN 60 ELSE 20 END END`,
      joinTime: "joined * 1000",
      nickname: "(SELECT name FROM nicknames WHERE uid = members.user_id)",
    },
    also: [
      { table: "groups", key: { groupID: ["tenant", "id"] } },
      { table: "names", key: { userID: "user_id" } },
      { table: "users", key: { userID: "id" } },
    ],
  },
  blacks: {
    ...hostMap.blacks,
    where: "other IN (SELECT id FROM users WHERE deleted_at IS NULL)",
    also: [{ table: "users", key: { blackUserID: "id" } }],
  },
});

const further = [
  "UPDATE groups SET title = 'flat' WHERE tenant = 'a'",
  "UPDATE groups SET title = 'x'",
  "INSERT OR REPLACE INTO groups VALUES ('b', 1, 'flat')",
  "DELETE FROM groups WHERE tenant = 'a' AND id = 0",
  "INSERT OR IGNORE INTO groups VALUES ('a', 0, 'x')",
  "UPDATE names SET user_id = user_id + 1 WHERE user_id > 20",
  "UPDATE OR REPLACE users SET id = id + 1 WHERE id = 28",
  "BEGIN; UPDATE members SET joined = 7; ROLLBACK",
  "BEGIN; SAVEPOINT s; DELETE FROM members; ROLLBACK TO s; UPDATE members SET joined = joined + 1 WHERE id % 2; COMMIT",
];

/** A read of one of the lists, with any of its filters. */
function readOf(random: Random): (read: Read) => Promise<FoundPage | undefined> {
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)] as Value;
  const range = { offset: Math.floor(random() * 8), limit: pick([1, 3, 100]) };
  const userID = String(Math.floor(random() * 30));
  const ownerUserID = pick(["0", "1", "2"]);
  const groupID = pick(["a:0", "a:1", "b:0", "b:1"]);
  const keyword = pick(["", "", "n", "ann", "王芳", "王", "bob", "1"]);
  const levels = pick([{}, {}, { roleLevels: [20] }, { roleLevels: [100, 60] }]);
  const results = pick([{}, { handleResults: [0] }, { handleResults: [1, -1] }]);
  const groups = pick([{}, {}, { groupIDs: ["a:1", "b:1"] }]);
  const kind = pick([{}, { appMangerLevel: 4 }]);
  return pick([
    ...Array<(read: Read) => Promise<FoundPage | undefined>>(3).fill((read) =>
      read("listGroupMembers", { groupID, keyword, ...levels, ...range }),
    ),
    (read) => read("listBlacks", { ownerUserID, unit: 1000, ...range }),
    (read) => read("listJoinedGroups", { userID, ...range }),
    (read) => read("listReceivedGroupRequests", { userID, ...results, ...groups, ...range }),
    (read) => read("listNotificationAccounts", { keyword, ...kind, ...range }),
  ]);
}

/** A database that runs batches, as D1 does. Each may fail before it or after it, and the host may write between two. */
function batches(
  host: BetterSqlite3.Database,
  random: Random,
  interrupt: () => boolean,
  write: () => void,
): SqlDatabase {
  const run = host.transaction((statements: Statements) =>
    Array.from(statements, ({ text, values }) => {
      const statement = host.prepare(text);
      if (statement.reader) return statement.all(...values) as never[];
      statement.run(...values);
      return [];
    }),
  );
  const batch = (isWrite: boolean) => async (statements: Statements) => {
    if (isWrite && interrupt() && random() < 0.25) throw new Error("killed before");
    const results = run.immediate(statements);
    if (interrupt() && random() < 0.3) write();
    if (isWrite && interrupt() && random() < 0.1) throw new Error("killed afterwards");
    return results;
  };
  return mappedDatabase({ read: batch(false), write: batch(true), close: async () => {} });
}

async function compare(engine: "a file" | "batches", random: Random): Promise<void> {
  const others = `CREATE VIEW nicknames AS SELECT user_id AS uid, name FROM names;
    CREATE INDEX members_of_user ON members (user_id); CREATE INDEX blocked_other ON blocked (other)`;
  const { path, host, database: file } = await openMappedFile(`${hostSchema}; ${others}`, map, tiny);
  host.pragma("foreign_keys = ON");
  host.pragma(`recursive_triggers = ${random() < 0.5 ? "ON" : "OFF"}`);
  const done: string[] = [];
  const write = () => {
    const chosen = further[Math.floor(random() * 4 * further.length)];
    // A map does not tell unique columns of second tables, so addresses are no such.
    const statement = chosen ?? hostStatement(random).replace(/'e\d+'/g, "NULL");
    try {
      host.exec(statement);
      done.push(statement);
    } catch (error) {
      if (host.inTransaction) host.exec("ROLLBACK");
      expect(String(error)).toMatch(/constraint failed/);
    }
  };
  let isInterrupted = false;
  const database = engine === "a file" ? file : batches(host, random, () => isInterrupted, write);
  const answer = answering(database, tiny, partsHere(database, tiny));
  const right = readsFromRecords(file);
  const shown = (page: FoundPage | undefined) => page && [page.total, Buffer.from(page.items as string).toString()];
  for (let step = 0; step < 100; step += 1) {
    write();
    if (random() < 0.3) {
      isInterrupted = true;
      await readOf(random)(answer).catch((error) => expect(String(error)).toMatch(/killed/));
      isInterrupted = false;
    }
    if (random() > 0.15) continue;
    const checked = openSqliteDatabase({ path });
    // A batch is mended by the next call.
    const isWrong = ({ kind, problem }: { kind: string; problem: string }) =>
      kind !== "note" && problem !== "groups are large and have no documents";
    expect([(await checkLists(checked, tiny)).filter(isWrong), done.slice(-20)]).toEqual([[], done.slice(-20)]);
    await checked.close();
    for (let read = 0; read < 20; read += 1) {
      const call = readOf(random);
      const [answered, records] = [shown(await call(answer)), shown(await call(right))];
      expect([answered, done.slice(-20)]).toEqual([records, done.slice(-20)]);
    }
  }
}

it.each(["a file", "batches"] as const)("answers as the records are at each moment, in %s", async (engine) => {
  for (let round = 0; round < rounds(12); round += 1) await compare(engine, randomOf(seed * 1000 + round));
});
