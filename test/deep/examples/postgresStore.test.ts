import { expect, it } from "vitest";
import { type OpenStore, storeCases } from "../../../src/testing/index.js";
import { postgresForFile } from "../../helpers/postgres/server.js";
import { createTables, openPostgresStore } from "../../helpers/postgres/store.js";

const server = postgresForFile(createTables);
const open: OpenStore = (records) => openPostgresStore(server.pool, records);

it.each(Object.entries(storeCases))("%s", (_sentence, storeCase) => storeCase(open));

it("lets calls wait for each other that list the same users in opposite orders", async () => {
  const userIDs = Array.from({ length: 200 }, (_, index) => `u${index}`);
  const store = await open({ users: userIDs.map((userID) => ({ userID })) });
  const orders = [userIDs, userIDs.toReversed()];
  const calls = Array.from({ length: 40 }, (_, burnDuration) =>
    store.setConversations({
      userIDs: orders[burnDuration % 2] ?? [],
      conversationID: "c1",
      conversationType: 1,
      userID: "u5",
      groupID: "",
      fields: { burnDuration },
    }),
  );
  const outcomes = (await Promise.all(calls)).map(({ outcome }) => outcome);
  expect(outcomes).toEqual(Array.from({ length: 40 }, () => "done"));
});
