/** The fetch handler on the servers of other runtimes, as `npm test` has it on Node's. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { rounds } from "../../helpers/chance.js";
import { withSetup } from "../../helpers/http/adapters.js";
import { httpCases } from "../../helpers/http/cases.js";
import { expectHarmless, harmlessStatuses, malformedRequest } from "../../helpers/http/malformedRequests.js";
import { requestOf } from "../../helpers/http/request.js";
import { sendToPort } from "../helpers/recipes.js";
import { startBun, startDeno, startWorkerd } from "../helpers/runtimes.js";

// That workerd does is shown by the tests of all adapters.
it.each([
  ["Bun", () => startBun()],
  ["Deno", () => startDeno()],
])("%s answers every request as Node does", async (_name, start) => {
  const send = withSetup((await start()).port);
  for (const [subject, cases] of Object.entries(httpCases)) {
    for (const [name, example] of Object.entries(cases)) {
      const { status, text } = await send(requestOf(example), example);
      expect({ status, text }, `${subject}: ${name}`).toStrictEqual({
        status: example.status ?? 200,
        text: example.text,
      });
    }
  }
});

it.each([
  ["Bun", () => startBun()],
  ["Deno", () => startDeno()],
  ["workerd", () => startWorkerd()],
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
    const send = withSetup(port);
    for (let round = 0; round < 3; round++) expect((await send(requestOf({ request: {} }))).status).toBe(200);
    return printed;
  };
  const warned = await printedBy();
  await expect.poll(warned).toContain("request.signal aborts on successful responses");
  expect((await printedBy("--unstable-no-legacy-abort"))()).toMatch(/^port \d+\n$/);
});
