import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { batchesOf } from "../../src/openim/follow/batches.js";
import type { Change } from "../../src/openim/follow/mongo.js";

it("says up to when nothing has changed, however long the batch before takes to apply", async () => {
  const change: Change = { _id: { _data: "1" }, operationType: "insert" };
  const answers = [change, null];
  const stream = {
    resumeToken: { _data: "2" },
    tryNext: async () => answers.shift() ?? null,
    close: async () => {},
  };
  const batches = batchesOf(stream);
  const { value: batch } = await batches.next();
  expect(batch?.changes).toEqual([change]);
  // Something may change while the batch is applied. The answer that there is nothing more is from before.
  const applied = Date.now();
  await pause(20);
  const { value: empty } = await batches.next();
  expect(empty?.changes).toEqual([]);
  expect(empty?.upTo).toBeLessThanOrEqual(applied);
});
