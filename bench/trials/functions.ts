/**
 * What the six functions cost, with checks and envelope and as JSON, beside what one would write by hand on the same
 * file, and beside the statements that their store runs.
 */
import type BetterSqlite3 from "better-sqlite3";
import {
  getBlackList,
  getGroupMemberList,
  getJoinedGroupList,
  getReceivedGroupApplicationList,
  type Store,
  searchNotificationAccount,
  setConversations,
} from "../../src/index.js";
import { betterSqlite3 } from "../../src/stores/drivers/betterSqlite3.js";
import { openFileDatabase } from "../../src/stores/drivers/fileDatabase.js";
import { openSqliteStore } from "../../src/stores/drivers/sqlite.js";
import type { SqlDatabase, Statement } from "../../src/stores/sqlite/database.js";
import { createSqlStore } from "../../src/stores/sqlite/store.js";
import { setByHand } from "../contestants/conversationSql.js";
import { firstPage } from "../contestants/firstPages.js";
import { type Call, measureCalls } from "../measure.js";
import { openConnection } from "../plain.js";
import { blockingUser, joiningUser, largeGroup, managedGroup, managingUser, smallGroup, userID } from "../scale.js";
import type { Trial } from "../trial.js";
import { pathOf } from "../world.js";

/** A call of a function, and what one would write instead. */
interface FunctionTrial {
  call(store: Store, index: number): Promise<{ errCode: number }>;
  byHand(connection: BetterSqlite3.Database): Call;
}

const pagination = { pageNumber: 1, showNumber: 20 };
const userIDs = Array.from({ length: 100 }, (_, number) => userID(number));
const conversation = { conversationID: `sg_${smallGroup}`, groupID: smallGroup };

/** A call that sets something writes something else than the one before. */
const burnDuration = (index: number) => index % 2;

const functions: Readonly<Record<string, FunctionTrial>> = {
  getGroupMemberList: {
    call: (store) => getGroupMemberList(store, { groupID: largeGroup, pagination }),
    byHand: (connection) => firstPage(connection, "groupMembers", largeGroup),
  },
  getBlackList: {
    call: (store) => getBlackList(store, { userID: blockingUser, pagination }),
    byHand: (connection) => firstPage(connection, "blacks", blockingUser),
  },
  getJoinedGroupList: {
    call: (store) => getJoinedGroupList(store, { fromUserID: joiningUser, pagination }),
    byHand: (connection) => firstPage(connection, "joinedGroups", joiningUser),
  },
  getReceivedGroupApplicationList: {
    call: (store) => getReceivedGroupApplicationList(store, { fromUserID: managingUser(0), pagination }),
    byHand: (connection) => firstPage(connection, "groupRequests", managedGroup(0, 0)),
  },
  searchNotificationAccount: {
    call: (store) => searchNotificationAccount(store, { pagination }),
    byHand: (connection) => firstPage(connection, "notificationAccounts", ""),
  },
  "setConversations for 100 users": {
    call: (store, index) =>
      setConversations(store, {
        userIDs,
        conversation: { ...conversation, conversationType: 3, burnDuration: burnDuration(index) },
      }),
    byHand(connection) {
      const set = setByHand(connection, { ...conversation, userIDs });
      return (index) => set(burnDuration(index));
    },
  },
};

const contestants: Readonly<Record<string, (trial: FunctionTrial, path: string) => Promise<Call>>> = {
  async function({ call }, path) {
    const store = openSqliteStore({ path });
    const envelope = await call(store, 0);
    if (envelope.errCode !== 0) throw new Error(JSON.stringify(envelope));
    return async (index) => JSON.stringify(await call(store, index));
  },
  async "raw statements"({ byHand }, path) {
    const run = byHand(openConnection(path));
    return (index) => JSON.stringify(run(index));
  },
  async "the store's statements"({ call }, path) {
    const database = openFileDatabase(betterSqlite3, { path });
    const calls = [await recordStatements(call, database, 0), await recordStatements(call, database, 1)];
    await database.close();
    const connection = openConnection(path);
    const prepared = calls.map((statements) =>
      statements.map(({ text, values }) => ({ statement: connection.prepare(text), values })),
    );
    const run = connection.transaction((index: number) =>
      prepared[index % 2]?.map(({ statement, values }) => statement.all(...values)),
    );
    return (index) => JSON.stringify(run(index));
  },
};

/** The statements of a call, which are run in one transaction. */
async function recordStatements(call: FunctionTrial["call"], database: SqlDatabase, index: number) {
  const recorded: Statement[] = [];
  const record = async (statements: Iterable<Statement>) => {
    recorded.push(...statements);
    return database.write(recorded);
  };
  await call(createSqlStore({ read: record, write: record, close: database.close }), index);
  return recorded;
}

export const functionTrials: Trial[] = Object.entries(functions).map(([name, trial]) => ({
  name,
  contestants: Object.keys(contestants),
  databases: ["imAdmin orderly"],
  unit: "ms",
  async measure(contestant, world) {
    const call = await contestants[contestant]?.(trial, pathOf(world, "imAdmin orderly"));
    if (call === undefined) throw new Error(`there is no contestant ${contestant}`);
    return { ...(await measureCalls(call, world.milliseconds)), answers: "" };
  },
}));
