import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import type { ServeOptions } from "../../../../adapters/node.js";
import type { ErrorReport, Store } from "../../../../src/index.js";
import { sendOverHttp } from "../../../helpers/http/adapters.js";
import { recorder, storeOf } from "../../../helpers/http/hosts.js";
import { failureText, paths, tokens } from "../../../helpers/http/request.js";
import { httpUpstream, servedBeside } from "../../../helpers/http/upstreams.js";

const done = '{"errCode":0,"errMsg":"","errDlt":""}';

interface Besides extends Partial<ServeOptions> {
  answer?: string | Uint8Array;
  status?: number;
  encoding?: string;
}

/** im-admin beside an upstream that answers so, and what becomes of a call of an administrator in the end. */
async function beside({ answer = done, status = 200, encoding, ...options }: Besides = {}) {
  const bodies: string[] = [];
  const upstream = await httpUpstream(async (request, response) => {
    bodies.push(Buffer.concat(await request.toArray()).toString());
    response.writeHead(status, { "content-encoding": encoding ?? "identity" }).end(answer);
  });
  const { observer, ...told } = recorder();
  const store = await storeOf();
  const server = await servedBeside(upstream, { store, observer, ...options });
  const set = async (body: string, token = tokens.admin) => {
    const headers = { operationID: "op-1", token };
    const request = { method: "POST", path: paths.conversations, headers, body };
    const sent = await sendOverHttp(server.port, request);
    // Then all that the upstream has done is done here as well.
    await server.close();
    return sent;
  };
  return { store, set, bodies, ...told };
}

const conversation = { conversationID: "sg_g1", conversationType: 3, groupID: "g1", isPinned: true, ex: "\u00e4" };
const change = (userIDs: string[], more = {}) =>
  JSON.stringify({ userIDs, conversation: { ...conversation, ...more } });
const copied = { operation: "copyConversations", operationID: "op-1", adminUserID: "imAdmin" };
const stored = { conversationID: "sg_g1", isPinned: true, ex: "\u00e4" };

it("sets the copy once the upstream has answered success, and tells whose conversations changed in it", async () => {
  const { store, set, bodies, calls, errors, sets } = await beside();
  const body = change(["u1", "u2"]);
  expect(await set(body)).toMatchObject({ status: 200, text: done });
  expect(bodies).toStrictEqual([body]);
  expect(await store.conversations("u1")).toMatchObject([stored]);
  expect(await store.conversations("u2")).toMatchObject([stored]);
  expect(calls).toMatchObject([{ ...copied, errCode: 0 }]);
  expect(sets).toMatchObject([{ operationID: "op-1", adminUserID: "imAdmin", userIDs: ["u1", "u2"] }]);
  expect(errors).toStrictEqual([]);
});

it("reads an answer that is compressed", async () => {
  const { store, set } = await beside({ answer: gzipSync(done), encoding: "gzip" });
  expect((await set(change(["u1"]))).status).toBe(200);
  expect(await store.conversations("u1")).toMatchObject([stored]);
});

it("sets the copy for the users that it knows", async () => {
  const { store, set, calls, errors, sets } = await beside();
  expect(await set(change(["new", "u2", "newer"]))).toMatchObject({ status: 200, text: done });
  expect(await store.conversations("u2")).toMatchObject([stored]);
  expect(calls).toMatchObject([{ ...copied, errCode: 0 }]);
  expect(sets).toMatchObject([{ userIDs: ["u2"] }]);
  expect(errors).toStrictEqual([]);
});

it.each([
  ["only users whom it does not know", change(["new"]), 1004],
  ["a group that it does not know", change(["u1"], { groupID: "new" }), 1004],
  [
    "a peer that it does not know",
    change(["u1"], { conversationID: "si_u1_new", conversationType: 1, userID: "new", groupID: "" }),
    1004,
  ],
  ["what only the upstream allows", change(["u1"], { conversationType: 2 }), 1001],
  ["a body that is longer than it takes", change(["u1"], { ex: "x".repeat(1_048_576) }), 1001],
])("answers the upstream's success for %s, and tells the observer", async (_title, body, errCode) => {
  const { store, set, bodies, calls, errors, sets } = await beside();
  expect(await set(body)).toMatchObject({ status: 200, text: done });
  expect(bodies).toStrictEqual([body]);
  expect(await store.conversations("u1")).toStrictEqual([]);
  expect(calls).toMatchObject([{ operation: "copyConversations", operationID: "op-1", errCode }]);
  expect([errors, sets]).toStrictEqual([[], []]);
});

it("answers the upstream's success where the store fails, and tells the observer", async () => {
  const broken = new Error("the disk is full");
  const store = Object.assign(await storeOf(), { setConversations: () => Promise.reject(broken) }) as Store;
  const { set, calls, errors } = await beside({ store });
  expect(await set(change(["u1"]))).toMatchObject({ status: 200, text: done });
  expect(calls).toMatchObject([{ ...copied, errCode: 500 }]);
  expect(errors).toStrictEqual([{ operation: "copyConversations", operationID: "op-1", error: broken }]);
});

it.each<[string, Besides]>([
  ["a failure", { answer: failureText(1204, "DismissedAlreadyError") }],
  ["a failure of HTTP", { status: 500 }],
])("leaves the copy as it is where the upstream answers %s", async (_title, options) => {
  const { store, set, calls, errors } = await beside(options);
  expect(await set(change(["u1"]))).toMatchObject({ status: options.status ?? 200, text: options.answer ?? done });
  expect(await store.conversations("u1")).toStrictEqual([]);
  expect([calls, errors]).toStrictEqual([[], []]);
});

it.each([
  ["what is no JSON", { answer: "<html>" }],
  ["what is not compressed as it says", { answer: done, encoding: "gzip" }],
  ["too much", { answer: `{"errCode":0,"errDlt":"${"x".repeat(65_536)}"}` }],
  [
    "too much that is compressed",
    { answer: gzipSync(`{"errCode":0,"errDlt":"${"x".repeat(65_536)}"}`), encoding: "gzip" },
  ],
])("leaves the copy as it is where the upstream answers %s, and tells the observer", async (_title, options) => {
  const { store, set, calls, errors } = await beside(options);
  expect((await set(change(["u1"]))).status).toBe(200);
  expect(await store.conversations("u1")).toStrictEqual([]);
  expect(calls).toStrictEqual([]);
  expect(errors).toMatchObject([
    { operation: "copyConversations", operationID: "op-1" },
  ] satisfies Partial<ErrorReport>[]);
});

it("leaves alone what users set", async () => {
  const { store, set, bodies, calls } = await beside();
  const body = change(["u1"]);
  expect(await set(body, tokens.ofAnybody)).toMatchObject({ status: 200, text: done });
  expect(bodies).toStrictEqual([body]);
  expect(await store.conversations("u1")).toStrictEqual([]);
  expect(calls).toStrictEqual([]);
});

it("sets the copy that belongs to the request", async () => {
  const other = await storeOf();
  const asked: unknown[] = [];
  const { set } = await beside({
    store(request) {
      asked.push([request.path, request.header("operationID")]);
      return other;
    },
  });
  await set(change(["u1"]));
  expect(await other.conversations("u1")).toMatchObject([stored]);
  expect(asked).toStrictEqual([[paths.conversations, "op-1"]]);
});
