/** A chat server without conversations has none to set, which a client must be able to read. */
import { expect, it } from "vitest";
import { setConversations } from "../../src/index.js";
import type { Store } from "../../src/store.js";
import { createPostgresStore, migratePostgres } from "../../src/stores/postgres/index.js";
import { quoted } from "../../src/stores/postgres/sql.js";
import { installMap } from "../../src/stores/postgres/upkeep/installMap.js";
import { openMappedFile } from "../helpers/mappedFile.js";
import { postgresForFile } from "../helpers/postgres/server.js";

const server = postgresForFile();

async function answers(store: Store) {
  const conversation = { conversationID: "si_a_b", conversationType: 1, userID: "b" } as const;
  const set = (userIDs: string[], fields: object) =>
    setConversations(store, { userIDs, conversation: { ...conversation, ...fields } });
  const change = { ...conversation, groupID: "", userIDs: ["a"], fields: {}, tell: ["ex"] as const };
  expect(await store.setConversations(change)).toEqual({ outcome: "notKept" });
  return [await set(["a"], { isPinned: true }), await set(["a", "nobody"], { isPinned: true }), await set(["a"], {})];
}

const expected = [
  { errCode: 1001, errMsg: "ArgsError", errDlt: "1001 ArgsError: this server keeps no conversations" },
  { errCode: 1004, errMsg: "RecordNotFoundError", errDlt: "user nobody: [1004]RecordNotFoundError" },
  { errCode: 0, errMsg: "", errDlt: "", data: null },
];

const people = "people (id TEXT PRIMARY KEY)";

it("answers 1001 in SQLite", async () => {
  const { store } = await openMappedFile(`CREATE TABLE ${people}; INSERT INTO people VALUES ('a'), ('b')`, {
    users: { from: "people", key: { userID: "id" } },
    conversations: "empty",
  });
  expect(await answers(store)).toEqual(expected);
});

it("answers 1001 in PostgreSQL", async () => {
  await server.pool.query(
    `CREATE SCHEMA chat; CREATE TABLE chat.${people}; INSERT INTO chat.people VALUES ('a'), ('b')`,
  );
  await migratePostgres(server.pool);
  await installMap(server.pool, quoted("im_admin"), {
    users: { from: "chat.people", key: { userID: "id" } },
    conversations: "empty",
  });
  expect(await answers(createPostgresStore({ pool: server.pool }))).toEqual(expected);
});
