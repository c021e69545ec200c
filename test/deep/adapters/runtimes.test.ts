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
