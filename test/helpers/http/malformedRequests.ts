import fc from "fast-check";
import { expect } from "vitest";
import type { HttpRequest } from "./request.js";
import { paths, tokens } from "./request.js";

const pagination = { pageNumber: 1, showNumber: 100 };

/** The published sample requests; a user who does not exist keeps set_conversations from ever succeeding. */
const samples = {
  [paths.members]: { groupID: "2559217223", keyword: "nickname", pagination },
  [paths.blacks]: { userID: "11111111", pagination },
  [paths.joined]: { fromUserID: "9906953281", pagination },
  [paths.requests]: { fromUserID: "8423809271", pagination },
  [paths.accounts]: { keyword: "", pagination },
  [paths.conversations]: {
    userIDs: ["6965946400", "nobody"],
    conversation: {
      conversationID: "si_4365007572_6965946400",
      conversationType: 1,
      userID: "4365007572",
      groupID: "",
      recvMsgOpt: 0,
      attachedInfo: "attached",
      isPinned: false,
      isPrivateChat: true,
      ex: "",
      burnDuration: 30,
      minSeq: 3,
      maxSeq: 4_000_000_000,
      groupAtType: 2,
      msgDestructTime: 604_800,
      isMsgDestruct: true,
    },
  },
};

const junk = fc.oneof(
  fc.constantFrom(undefined, null, true, "", "\0", "\ud800", "token", "'; DROP TABLE users; --", "%", "🙂".repeat(65)),
  fc.constantFrom(-1, -0, 0, 1.5, 2 ** 31, -(2 ** 31), Number.MAX_SAFE_INTEGER, 1e308),
  fc.string({ unit: "binary", maxLength: 100 }),
  fc.constantFrom("x".repeat(70_000), Array(10_001).fill("u"), nested(1000)),
  fc.jsonValue({ maxDepth: 3 }),
);

/** A sample with some of its values, at any depth, replaced or removed. */
const brokenSample = fc
  .tuple(
    fc.constantFrom(...Object.entries(samples)),
    fc.array(fc.tuple(fc.nat(), junk), { minLength: 1, maxLength: 3 }),
  )
  .map(([[path, sample], changes]) => {
    const body = structuredClone(sample);
    const all = places(body);
    for (const [place, value] of changes) {
      const [parent, key] = all[place % all.length] as Place;
      parent[key] = value;
    }
    return { path, body: JSON.stringify(body) };
  });

/** A sample whose text was cut, or has something put in. */
const brokenText = fc
  .tuple(fc.constantFrom(...Object.entries(samples)), fc.nat(), fc.nat(3), fc.string({ unit: "binary", maxLength: 5 }))
  .map(([[path, sample], place, removed, inserted]) => {
    const text = JSON.stringify(sample);
    const at = place % text.length;
    return { path, body: text.slice(0, at) + inserted + text.slice(at + removed) };
  });

const brokenBytes = fc.record({
  path: fc.constantFrom(...Object.keys(samples)),
  body: fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.constantFrom("", "null", "[]", "[[[[", `"${"x".repeat(1_048_575)}"`),
  ),
});

const brokenPath = fc.record({
  path: fc.oneof(
    fc.webPath().map((path) => path || "/"),
    fc.constantFrom("/__proto__", "/constructor", "/%00", "/%", "//", "/?", "/*", "/..", `/${"x".repeat(8000)}`),
    fc.constantFrom(...Object.keys(samples)).map((path) => `${path}/`),
  ),
  body: fc.constantFrom("{}", ""),
});

const headerValue = fc.oneof(
  fc.constantFrom("", tokens.admin, tokens.expired, `${tokens.admin}.`, tokens.admin.slice(1), "a.b.c", "..", "\xff"),
  fc.string({ unit: "grapheme-ascii", maxLength: 300 }),
);

/** Bodies that no client should send. */
export const malformedBody: fc.Arbitrary<{ path: string; body: string | Uint8Array }> = fc.oneof(
  { weight: 3, arbitrary: brokenSample },
  brokenText,
  brokenBytes,
);

/** Requests that no client should send. Those that reach set_conversations ask for what must not be done. */
export const malformedRequest: fc.Arbitrary<HttpRequest> = fc
  .oneof(
    fc.record({
      method: fc.constant("POST"),
      target: fc.oneof({ weight: 3, arbitrary: brokenSample }, brokenText, brokenBytes, brokenPath),
      headers: fc.constant({ operationID: "malformed", token: tokens.admin }),
    }),
    fc.record({
      method: fc.constantFrom("POST", "POST", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "PROPFIND"),
      target: fc.oneof(brokenSample, brokenPath),
      headers: fc.dictionary(
        fc.constantFrom(..."operationID token content-type origin x-forwarded-host content-encoding cookie".split(" ")),
        headerValue,
        { noNullPrototype: true },
      ),
    }),
  )
  .map(({ method, target, headers }) => ({ method, headers, ...target }));

/** What a text must not hold that a stranger gets to read. */
export const innards = /\bat .+:\d+|node_modules|node:|\/work|\.[jt]s\b|sqlite|select |insert |syntaxerror|typeerror/i;

/** What a malformed request may be answered. */
export const harmlessStatuses = [200, 204, 404, 405, 413];

/** Expects an answer that tells nothing of what is inside. */
export function expectHarmless(text: string): void {
  if (text === "") return;
  expect(text).not.toMatch(innards);
  expect(JSON.parse(text).errCode).not.toBe(500);
}

/** Where a value may be replaced: a property of an object, or an element of an array. */
type Place = [parent: Record<string, unknown>, key: string];

function places(parent: object): Place[] {
  return Object.entries(parent).flatMap(([key, value]) => [
    [parent as Record<string, unknown>, key] satisfies Place,
    ...(typeof value === "object" ? places(value) : []),
  ]);
}

function nested(depth: number): unknown {
  return JSON.parse("[".repeat(depth) + "]".repeat(depth));
}
