/** What validation and envelope cost: the six functions beside the statements that their store runs. */
import {
  getBlackList,
  getGroupMemberList,
  getJoinedGroupList,
  getReceivedGroupApplicationList,
  type Store,
  searchNotificationAccount,
  setConversations,
} from "../../src/index.js";
import type { SqlDatabase, Statement } from "../../src/stores/sql/database.js";
import { createSqlStore } from "../../src/stores/sql/store.js";
import { openSqliteStore } from "../../src/stores/sqlite.js";
import { openSqliteDatabase } from "../../src/stores/sqliteDatabase.js";
import { type Call, measureCalls } from "../measure.js";
import { openConnection } from "../plain.js";
import { blockingUser, joiningUser, largeGroup, managingUser, smallGroup, userID } from "../scale.js";
import type { Trial } from "../trial.js";
import { pathOf } from "../world.js";

const pagination = { pageNumber: 1, showNumber: 20 };
const userIDs = Array.from({ length: 100 }, (_, number) => userID(number));
const conversation = { conversationID: `sg_${smallGroup}`, conversationType: 3, groupID: smallGroup } as const;

const functions: Readonly<Record<string, (store: Store, index: number) => Promise<{ errCode: number }>>> = {
  getGroupMemberList: (store) => getGroupMemberList(store, { groupID: largeGroup, pagination }),
  getBlackList: (store) => getBlackList(store, { userID: blockingUser, pagination }),
  getJoinedGroupList: (store) => getJoinedGroupList(store, { fromUserID: joiningUser, pagination }),
  getReceivedGroupApplicationList: (store) =>
    getReceivedGroupApplicationList(store, { fromUserID: managingUser(2), pagination }),
  searchNotificationAccount: (store) => searchNotificationAccount(store, { pagination }),
  "setConversations for 100 users": (store, index) =>
    setConversations(store, { userIDs, conversation: { ...conversation, burnDuration: index % 2 } }),
};

type FunctionCall = (typeof functions)[string];

/** The statements of a call, and whether they are to be one transaction that writes. */
async function recordStatements(call: FunctionCall, database: SqlDatabase, index: number) {
  const recorded: Statement[] = [];
  const record = async (statements: Iterable<Statement>) => {
    recorded.push(...statements);
    return database.write(recorded);
  };
  await call(createSqlStore({ read: record, write: record, close: database.close }), index);
  return recorded;
}

async function functionCall(call: FunctionCall, path: string): Promise<Call> {
  const store = openSqliteStore({ path });
  const envelope = await call(store, 0);
  if (envelope.errCode !== 0) throw new Error(JSON.stringify(envelope));
  return async (index) => JSON.stringify(await call(store, index));
}

async function rawStatements(call: FunctionCall, path: string): Promise<Call> {
  const database = openSqliteDatabase({ path });
  // Two calls, because the second and any other one has to write something else than the one before.
  const calls = [await recordStatements(call, database, 0), await recordStatements(call, database, 1)];
  await database.close();
  const connection = openConnection(path);
  const prepared = calls.map((statements) =>
    statements.map(({ sql, values }) => ({ statement: connection.prepare(sql), values })),
  );
  const run = connection.transaction((index: number) =>
    prepared[index % 2]?.map(({ statement, values }) => statement.all(...values)),
  );
  return (index) => JSON.stringify(run(index));
}

export const functionTrials: Trial[] = Object.entries(functions).map(([name, call]) => ({
  name,
  contestants: ["function", "raw statements"],
  databases: ["imAdmin"],
  unit: "ms",
  async measure(contestant, world) {
    const path = pathOf(world, "imAdmin");
    const run = contestant === "function" ? await functionCall(call, path) : await rawStatements(call, path);
    return { ...(await measureCalls(run, world.milliseconds)), answers: "" };
  },
}));
