import { afterAll, beforeAll, expect, it } from "vitest";
import { type OpenStore, storeCases, toleranceCases } from "../../src/testing/index.js";
import { startPostgres } from "../helpers/relationalSideDoor.js";

let postgres: Awaited<ReturnType<typeof startPostgres>>;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

const open: OpenStore = (records) => postgres.open(records);

it.each(Object.entries(storeCases))("%s", (_sentence, storeCase) => storeCase(open));

it.each(Object.entries(toleranceCases))("does not allow what this is about: %s", async (_sentence, storeCase) => {
  await expect(storeCase(open)).rejects.toThrow(/violates (foreign key|check) constraint/);
});
