import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFetchHandler } from "../../../adapters/fetch.js";
import { openApiDocument } from "../../../adapters/openapi/index.js";
import { functions } from "../../../adapters/openapi/operations.js";
import { rounds } from "../../helpers/chance.js";
import { anybody, storeOf } from "../../helpers/http/hosts.js";
import { requestOf } from "../../helpers/http/request.js";
import { sendTo } from "../../helpers/http/send.js";
import { inputsOf } from "../../helpers/openapi/inputs.js";
import { validatorsOf } from "../../helpers/openapi/validators.js";
import { sampleWorld } from "../../helpers/sampleWorld.js";

/** Small limits, so that chance meets them. */
const limits = { showNumber: 20, userIDs: 5, idLength: 24, keywordLength: 6, textLength: 10 };

const document = openApiDocument({ limits });
const { faultsOfInput, faultsOfAnswer } = validatorsOf(document);
const closed = validatorsOf(openApiDocument({ limits, closed: true }));
const inputs = inputsOf(document);

/** Inputs that are answered. */
const examples = Object.fromEntries(
  functions.map(({ path, example }): [path: string, input: unknown] => [path, example.input]),
);

/** Whether the refusal of an input that fits the document is one that no schema can tell. */
function isUnsaid(body: string, errDlt: string): boolean {
  const hasHalfCharacter = /\\ud[89a-f]/.test(body);
  return hasHalfCharacter || errDlt.includes("must be those of the conversation that is stored");
}

describe.each(Object.keys(document.paths))("%s", (path) => {
  it("answers as the document says: ArgsError for input that does not fit it, and never 500", async () => {
    const store = await storeOf(sampleWorld);
    // They are in the example of setConversations.
    await store.put({ users: [{ userID: "1000000007" }, { userID: "1001800006" }] });
    const onError = (report: { error: unknown }) => expect.unreachable(String(report.error));
    const send = sendTo(createFetchHandler({ store, authenticate: anybody, limits, observer: { onError } }));
    const codes = new Set<number>();

    await fc.assert(
      fc.asyncProperty(inputs(path), async (input) => {
        const body = JSON.stringify(input);
        const { status, text } = await send(requestOf({ request: { path, body } }));
        const answer = JSON.parse(text);
        codes.add(answer.errCode);
        expect(faultsOfAnswer(path, status, answer)).toEqual([]);
        expect(closed.faultsOfAnswer(path, status, answer)).toEqual([]);
        expect(answer.errCode).not.toBe(500);
        const faults = faultsOfInput(path, JSON.parse(body));
        const isRefused = answer.errCode === 1001;
        if (isRefused && faults.length === 0) expect(isUnsaid(body, answer.errDlt), answer.errDlt).toBe(true);
        if (!isRefused) expect(faults).toEqual([]);
      }),
      { numRuns: rounds(2_000), examples: [[examples[path]], [{}]] },
    );
    expect(codes).toContain(0);
    expect(codes).toContain(1001);
  });
});
