/** The fetch handler on the servers of other runtimes, as `npm test` has it on Node's. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { rounds } from "../../helpers/chance.js";
import { httpCases } from "../../helpers/http/cases.js";
import { expectHarmless, harmlessStatuses, malformedRequest } from "../../helpers/http/malformedRequests.js";
import { expectAnswer, requestOf } from "../../helpers/http/request.js";
import { sendToPort } from "../../helpers/http/send.js";
import { startHttpWorker } from "../../helpers/workerd.js";
import { startBun, startDeno } from "../helpers/runtimes.js";

// That workerd does is shown by the tests of all adapters.
it.each([
  ["Bun", () => startBun()],
  ["Deno", () => startDeno()],
])("%s turns each request into plain data, and each answer back", async (_name, start) => {
  const send = sendToPort((await start()).port);
  for (const example of Object.values(httpCases["conversions"] ?? {})) await expectAnswer(send, example);
});

it.each([
  ["Bun", () => startBun()],
  ["Deno", () => startDeno()],
  ["workerd", () => startHttpWorker()],
])("%s gives a malformed request a harmless answer", async (_name, start) => {
  const { port, printed } = await start();
  const send = sendToPort(port);
  const property = fc.asyncProperty(malformedRequest, async (request) => {
    const { status, text } = await send(request);
    expect([...harmlessStatuses, 400, 414, 431]).toContain(status);
    if (harmlessStatuses.includes(status)) expectHarmless(text);
  });
  await fc.assert(property, { numRuns: rounds(5_000), timeout: 10_000 });
  // A failure would be logged. Deno has a warning of its own.
  expect(printed()).not.toContain("im-admin:");
});

it("Deno warns of its signal as docs/recipes.md says, unless a flag is given", async () => {
  const printedBy = async (...flags: string[]) => {
    const { port, printed } = await startDeno({}, ...flags);
    const send = sendToPort(port);
    for (let round = 0; round < 3; round++) expect((await send(requestOf({ request: {} }))).status).toBe(200);
    return printed;
  };
  const warned = await printedBy();
  await expect.poll(warned).toContain("request.signal aborts on successful responses");
  expect((await printedBy("--unstable-no-legacy-abort"))()).toMatch(/^port \d+\n$/);
});
