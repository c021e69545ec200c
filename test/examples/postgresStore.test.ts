import { afterAll, beforeAll, it } from "vitest";
import { type OpenStore, storeCases } from "../../src/testing/index.js";
import { type PostgresServer, startPostgres } from "../helpers/postgres/server.js";
import { openPostgresStore } from "../helpers/postgres/store.js";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

const open: OpenStore = async (records) => {
  const store = await openPostgresStore(await server.createDatabase());
  await store.put(records);
  return store;
};

it.each(Object.entries(storeCases))("%s", (_sentence, storeCase) => storeCase(open));
