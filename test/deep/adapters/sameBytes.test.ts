/** Every runtime answers with the same bytes, whatever it is asked. */
import { createServer } from "node:http";
import fc from "fast-check";
import { expect, it } from "vitest";
import { createFetchHandler } from "../../../adapters/fetch.js";
import { createNodeListener } from "../../../adapters/node.js";
import { rounds, seed } from "../../helpers/chance.js";
import { portOf } from "../../helpers/http/hosts.js";
import { longWorld } from "../../helpers/http/longWorld.js";
import { malformedBody } from "../../helpers/http/malformedRequests.js";
import { paths, tokens } from "../../helpers/http/request.js";
import { optionsFor } from "../../helpers/http/setup.js";
import { memoryStore } from "../../helpers/stores.js";
import { startHttpWorker } from "../../helpers/workerd.js";
import { startBun, startDeno, startDurableObject } from "../helpers/runtimes.js";

type Answers = (path: string, init: RequestInit) => Promise<Response>;

async function nodeStore() {
  const store = memoryStore();
  await store.put(longWorld);
  return store;
}

/** The runtimes, the first of which is the measure. */
async function runtimes(): Promise<Map<string, Answers>> {
  const onPort =
    (port: number): Answers =>
    (path, init) =>
      fetch(`http://127.0.0.1:${port}${path}`, init);
  const handler = createFetchHandler(optionsFor(await nodeStore()));
  const node = createServer(createNodeListener(optionsFor(await nodeStore()))).listen(0, "127.0.0.1");
  const [bun, deno, worker, object] = await Promise.all([
    startBun({ world: "long" }),
    startDeno({ world: "long" }),
    startHttpWorker(longWorld),
    startDurableObject(),
  ]);
  return new Map([
    ["Node", onPort(await portOf(node))],
    ["a fetch handler", (path, init) => handler(new Request(`http://localhost${path}`, init))],
    ["Bun", onPort(bun.port)],
    ["Deno", onPort(deno.port)],
    ["D1", onPort(worker.port)],
    ["a Durable Object", onPort(object.port)],
  ]);
}

const words = '|a|u1|ann%|_|名|会話|😀|"|\\|\n|nn|NN|\uffff'.split("|");
const text = fc.constantFrom(...words, "x".repeat(60));
const group = fc.constantFrom("small", "small", "wide", "wide", "empty", "gone", "none");
const user = fc.constantFrom("u0", "u1", "u4", "u7", "u599", "n1", "none");
const page = (most: number) =>
  fc.record({
    pageNumber: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.constantFrom(40, 2_147_483_647)),
    showNumber: fc.integer({ min: 1, max: most }),
  });

/** What all lists take together: each ignores what is for another one. */
const query = fc.record(
  {
    groupID: group,
    userID: user,
    fromUserID: user,
    pagination: page(60),
    keyword: text,
    filter: fc.nat(6),
    groupIDs: fc.array(fc.constantFrom("small", "long", "none"), { maxLength: 3 }),
    handleResults: fc.array(fc.constantFrom(0, 1, -1), { maxLength: 3 }),
    appManagerLevel: fc.integer({ min: 2, max: 5 }),
    keywrod: text,
  },
  { requiredKeys: ["groupID", "userID", "fromUserID", "pagination"] },
);
const { conversations, ...lists } = paths;

const fields = fc.record(
  {
    recvMsgOpt: fc.integer({ min: 0, max: 2 }),
    isPinned: fc.boolean(),
    ex: text,
    minSeq: fc.maxSafeNat(),
    isPined: fc.boolean(),
  },
  { requiredKeys: [] },
);
const change = fc
  .tuple(fc.array(user, { maxLength: 4 }), fc.constantFrom("c1", "c2", "c3"), fc.boolean(), group, user, fields)
  .map(([userIDs, conversationID, isSingle, groupID, userID, fields]) => {
    const about = isSingle ? { conversationType: 1, userID } : { conversationType: 3, groupID };
    return { userIDs, conversation: { conversationID, ...about, ...fields } };
  });

const asked = (path: string, input: fc.Arbitrary<object>) =>
  input.map((fields) => ({ path, body: JSON.stringify(fields) }));
const usual = fc.oneof(...Object.values(lists).map((path) => asked(path, query)), asked(conversations, change));

/** Pages of some megabytes. */
const long = fc.oneof(
  asked(paths.members, fc.record({ groupID: fc.constant("long"), keyword: text, pagination: page(150) })),
  asked(paths.members, fc.record({ groupID: fc.constant("wide"), keyword: text, pagination: page(1_000) })),
  asked(paths.requests, fc.record({ fromUserID: fc.constant("u1"), pagination: page(1_000) })),
);

const sent = fc.oneof(
  { weight: 140, arbitrary: usual },
  { weight: 59, arbitrary: malformedBody },
  { weight: 1, arbitrary: long },
);

interface Answer {
  status: number;
  headers: Record<string, string | null>;
  bytes: Buffer;
}

async function answerOf(answers: Answers, path: string, init: RequestInit): Promise<Answer> {
  const response = await answers(path, init);
  const headers = Object.fromEntries(
    ["content-type", "im-admin-ignored", "allow"].map((name) => [name, response.headers.get(name)]),
  );
  return { status: response.status, headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

/** A page just below the most bytes, and one above, which is refused. */
const examples = [80, 150].map((showNumber): [{ path: string; body: string }] => {
  const pagination = { pageNumber: 1, showNumber };
  return [{ path: paths.members, body: JSON.stringify({ groupID: "long", pagination }) }];
});

it("all runtimes answer with the same bytes", async () => {
  const all = await runtimes();
  let refused = 0;
  let longest = 0;
  const property = fc.asyncProperty(sent, async ({ path, body }) => {
    const init = { method: "POST", headers: { operationID: "op", token: tokens.admin }, body: body as BodyInit };
    const names = [...all.keys()];
    const [measure, ...others] = await Promise.all([...all.values()].map((answers) => answerOf(answers, path, init)));
    if (measure === undefined) throw new Error("there is no measure");
    longest = Math.max(longest, measure.bytes.length);
    if (measure.bytes.includes("more have over 16777216 bytes")) refused += 1;
    for (const [index, answer] of others.entries()) {
      const { status, headers, bytes } = answer;
      expect({ status, headers }, names[index + 1]).toStrictEqual({ status: measure.status, headers: measure.headers });
      if (bytes.equals(measure.bytes)) continue;
      const told = ({ bytes }: Answer) => bytes.toString().slice(0, 2_000);
      expect(told(answer), `${names[index + 1]} and ${names[0]}, which differ`).toBe(told(measure));
      throw new Error(`${names[index + 1]} answers other bytes after the first 2,000`);
    }
  });
  await fc.assert(property, { numRuns: rounds(10_000) + examples.length, seed, examples, endOnFailure: true });
  expect(refused).toBeGreaterThan(0);
  expect(longest).toBeGreaterThan(12_000_000);
});
