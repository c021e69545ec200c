import { expect, it } from "vitest";
import type { History } from "../../../adapters/fetch.js";
import { createFetchHandler } from "../../../adapters/fetch.js";
import { createNodeListener, serve } from "../../../adapters/node.js";
import type { Store } from "../../../src/index.js";
import { clientOf, desktop, settingOf } from "../../helpers/history.js";
import { recorder } from "../../helpers/http/hosts.js";
import { memoryStore } from "../../helpers/stores.js";

const uuid = expect.stringMatching(/^[\da-f-]{36}$/);
const time = expect.any(Number);
const setting = {
  settingID: uuid,
  time,
  adminUserID: "desk",
  operationID: "op-1",
  conversationID: "sg_g1",
  conversationType: 3,
  userID: "",
  groupID: "g1",
  fields: {},
  requests: 1,
  users: 0,
  changed: 0,
  outcome: "done",
};

it("counts what users have before one sets it, and writes nothing", async () => {
  const store = memoryStore();
  const users = Array.from({ length: 12 }, (_, index) => `u${index}`);
  const { call, set, fieldOf } = await desktop(store, users);
  await set(["u0", "u1", "u2"], { recvMsgOpt: 2, ex: "a" });
  for (let index = 3; index < 9; index += 1) await set([`u${index}`], { ex: `text ${index}` });
  const count = (input: unknown) => call("/im_admin/count_conversation_values", input);
  expect((await count(settingOf(users, { recvMsgOpt: 2, ex: "" }))).data).toEqual({
    changing: 12,
    values: [
      { field: "recvMsgOpt", value: 0, users: 9 },
      { field: "recvMsgOpt", value: 2, users: 3 },
      { field: "ex", value: "a", users: 3 },
      { field: "ex", value: "", users: 3 },
      { field: "ex", value: "text 3", users: 1 },
      { field: "ex", value: "text 4", users: 1 },
      { field: "ex", value: "text 5", users: 1 },
    ],
  });
  expect((await count(settingOf(users, { recvMsgOpt: 0 }))).data).toMatchObject({ changing: 3 });
  expect((await count(settingOf(["u1", "u1"], { isPinned: false }))).data).toEqual({
    changing: 0,
    values: [{ field: "isPinned", value: false, users: 1 }],
  });
  expect((await count(settingOf(users, {}))).data).toEqual({ changing: 0, values: [] });
  expect(await fieldOf("u11", "ex")).toBe(undefined);
  expect(await count(settingOf(["u1", "nobody"], { ex: "" }))).toMatchObject({
    errCode: 1004,
    errDlt: "user nobody: [1004]RecordNotFoundError",
  });
  expect(await count(settingOf([], { ex: "" }))).toMatchObject({
    errCode: 1001,
    errDlt: "1001 ArgsError: userIDs must be an array of 1 to 10000 user IDs",
  });
});

it("counts nothing where the store does not tell", async () => {
  const store: Store = { ...memoryStore(), setConversations: async () => ({ outcome: "done", changedUserIDs: [] }) };
  const call = clientOf({ store });
  const { data } = await call("/im_admin/count_conversation_values", settingOf(["u1"], { ex: "" }));
  expect(data).toEqual({ changing: null, values: [] });
});

it("has no paths of a history where none is kept", async () => {
  const call = clientOf({ store: memoryStore() });
  for (const path of ["list_settings", "read_setting", "set_back"]) {
    expect(await call(`/im_admin/${path}`, {})).toMatchObject({ status: 404, errCode: 1001 });
  }
});

it("lists settings, the newest first, with what became of them", async () => {
  const { set, list, read } = await desktop(memoryStore(), ["u1", "u2", "u3"]);
  await set(["u1", "u2"], { isPinned: true, ex: "one" }, "op-1");
  await set(["u3", "nobody"], { isPinned: true }, "op-2", "night");
  await set(["u1", "u2", "u3"], { isPinned: true }, "op-3");
  await set(["u1"], {}, "op-4");
  const settings = [
    { ...setting, operationID: "op-3", fields: { isPinned: true }, users: 3, changed: 1 },
    { ...setting, operationID: "op-2", adminUserID: "night", fields: { isPinned: true }, users: 2, outcome: "failed" },
    { ...setting, fields: { isPinned: true, ex: "one" }, users: 2, changed: 2 },
  ];
  const listed = await list();
  expect(listed).toEqual({ total: 3, settings });
  expect(await list(2, 2)).toEqual({ total: 3, settings: settings.slice(2) });
  expect(await list(3, 2)).toEqual({ total: 3, settings: [] });
  const [last, failed, first] = listed.settings.map(({ settingID }: { settingID: string }) => settingID);
  const changed = [{ before: { isPinned: false, ex: "" }, userIDs: ["u1", "u2"] }];
  const created = [{ before: { isPinned: false }, userIDs: ["u3"] }];
  const fields = { isPinned: true };
  const [third, second, begin] = settings;
  const done = { time, outcome: "done", errCode: 0 };
  expect((await read(first)).data).toEqual({ ...done, setting: begin, fields: begin?.fields, users: 2, changed });
  const nothing = { ...done, outcome: "failed", errCode: 1004, changed: [] };
  expect((await read(failed)).data).toEqual({ ...nothing, setting: second, fields, users: 2 });
  expect((await read(last)).data).toEqual({ ...done, setting: third, fields, users: 3, changed: created });
  const unknown = { errCode: 1004, errDlt: `setting ${last}: [1004]RecordNotFoundError` };
  expect(await read(last, 1)).toMatchObject(unknown);
  expect(await read("nothing")).toMatchObject({ errCode: 1004, errDlt: "setting nothing: [1004]RecordNotFoundError" });
});

it("puts the requests of one operation together, and counts the users of a repeated request once", async () => {
  const { set, list, read } = await desktop(memoryStore(), ["u1", "u2", "u3"]);
  await set(["u1", "u2"], { ex: "x" });
  await set(["u3", "nobody"], { ex: "x" });
  expect((await list()).settings).toEqual([
    { ...setting, fields: { ex: "x" }, requests: 2, users: 2, changed: 2, outcome: "failed" },
  ]);
  await set(["u3"], { ex: "x" });
  await set(["u3"], { ex: "x" });
  await set(["u3"], { ex: "y" });
  const { settings } = await list();
  expect(settings).toEqual([
    { ...setting, fields: { ex: "y" }, users: 1, changed: 1 },
    { ...setting, fields: { ex: "x" }, requests: 4, users: 3, changed: 3 },
  ]);
  expect((await read(settings[1].settingID, 2)).data).toMatchObject({ users: 1, outcome: "done" });
});

it("sets back what is still as the setting left it, and tells the observer", async () => {
  const store = memoryStore();
  const { history, set, list, setBack, fieldOf } = await desktop(store, ["u1", "u2", "u3", "u4", "u5"]);
  await set(["u1"], { recvMsgOpt: 1, ex: "one" }, "op-0");
  await set(["u1", "u2", "u3", "u4"], { recvMsgOpt: 2, ex: "all" }, "op-1");
  await set(["u3"], { ex: "later" }, "op-2");
  await store.remove({ users: [{ userID: "u4" }] });
  const [, { settingID }] = (await list()).settings;
  const { observer, sets } = recorder();
  const call = clientOf({ store, history, observer });
  const answer = await call("/im_admin/set_back", { settingID, request: 0 }, "op-3");
  expect(answer.data).toEqual({ changed: 2, leftAlone: 1, gone: 1 });
  const values = async (userID: string) => [await fieldOf(userID, "recvMsgOpt"), await fieldOf(userID, "ex")];
  expect([await values("u1"), await values("u2"), await values("u3")]).toEqual([
    [1, "one"],
    [0, ""],
    [2, "later"],
  ]);
  expect(sets).toMatchObject([
    { operationID: "op-3", adminUserID: "desk", userIDs: ["u1"], fields: { recvMsgOpt: 1, ex: "one" } },
    { operationID: "op-3", adminUserID: "desk", userIDs: ["u2"], fields: { recvMsgOpt: 0, ex: "" } },
  ]);
  expect((await list()).settings[0]).toMatchObject({
    operationID: "op-3",
    setsBack: settingID,
    changed: 2,
    outcome: "done",
  });
  expect((await setBack(settingID, 0, "op-4")).data).toEqual({ changed: 0, leftAlone: 3, gone: 1 });
  expect(await values("u1")).toEqual([1, "one"]);
});

it("sets back what was set back, request by request", async () => {
  const { set, list, setBack, fieldOf } = await desktop(memoryStore(), ["u1", "u2"]);
  await set(["u1"], { ex: "one" }, "op-0");
  await set(["u1", "u2"], { ex: "all" }, "op-1");
  const [{ settingID }] = (await list()).settings;
  await setBack(settingID, 0, "op-2");
  const [back] = (await list()).settings;
  expect(back).toMatchObject({ requests: 2, users: 2, changed: 2, setsBack: settingID });
  for (const request of [0, 1]) {
    expect((await setBack(back.settingID, request, "op-3")).data).toEqual({ changed: 1, leftAlone: 0, gone: 0 });
  }
  expect([await fieldOf("u1", "ex"), await fieldOf("u2", "ex")]).toEqual(["all", "all"]);
});

it("tells of a setting which one has set it back, and for how many users", async () => {
  const { set, list, setBack } = await desktop(memoryStore(), ["u1", "u2"]);
  await set(["u1", "u2"], { ex: "all" }, "op-1");
  const [{ settingID, setBackBy }] = (await list()).settings;
  expect(setBackBy).toBeUndefined();
  await setBack(settingID, 0, "op-2");
  const [back, first] = (await list()).settings;
  const { time, adminUserID } = back;
  expect(first.setBackBy).toEqual({ settingID: back.settingID, time, adminUserID, users: 2 });
  // It changes nobody, so it sets nothing back.
  await setBack(settingID, 0, "op-3");
  const settings: { settingID: string; setBackBy?: object }[] = (await list()).settings;
  expect(settings.map((one) => one.setBackBy)).toEqual([undefined, undefined, first.setBackBy]);
});

it("does not set back what nobody knows", async () => {
  const store = memoryStore();
  const { history, set, list, setBack } = await desktop(store, ["u1"]);
  await history.append([{ ...begun, userIDs: ["u1"] }]);
  const silent = clientOf({
    store: { ...store, setConversations: async () => ({ outcome: "done", changedUserIDs: ["u1"] }) },
    history,
  });
  await silent("/conversation/set_conversations", settingOf(["u1"], { ex: "x" }), "op-2");
  await set(["nobody"], { ex: "x" }, "op-3");
  const [failed, untold, cut] = (await list()).settings;
  expect([untold.changed, untold.outcome, cut.outcome]).toEqual([1, "done", "unknown"]);
  const unknown = { errCode: 1001, errDlt: "1001 ArgsError: what was there before this request is not known" };
  expect(await setBack(untold.settingID)).toMatchObject(unknown);
  expect(await setBack(cut.settingID)).toMatchObject(unknown);
  expect((await setBack(failed.settingID)).data).toEqual({ changed: 0, leftAlone: 0, gone: 0 });
  expect(await setBack("nothing")).toMatchObject({ errCode: 1004 });
});

it("refuses to set back as it refuses to set: in a dismissed group, or for a peer who is gone", async () => {
  const store = memoryStore();
  const { call, set, list, setBack } = await desktop(store, ["u1", "peer"]);
  const chat = { conversationID: "si_peer_u1", conversationType: 1, userID: "peer", isPinned: true };
  await call("/conversation/set_conversations", { userIDs: ["u1"], conversation: chat });
  await set(["u1"], { ex: "x" });
  const [inGroup, single] = (await list()).settings;
  await store.put({ groups: [{ groupID: "g1", status: 2 }] });
  await store.remove({ users: [{ userID: "peer" }] });
  expect(await setBack(inGroup.settingID)).toMatchObject({ errCode: 1204 });
  expect(await setBack(single.settingID)).toMatchObject({
    errCode: 1004,
    errDlt: "user peer: [1004]RecordNotFoundError",
  });
});

const begun = {
  entry: "begun",
  requestID: "1",
  time: 1,
  adminUserID: "desk",
  operationID: "op",
  conversationID: "sg_g1",
  conversationType: 3,
  userID: "",
  groupID: "g1",
  fields: { ex: "x" },
} as const;

it("changes nothing if the history cannot keep that it begins, and answers its outcome if it cannot keep that", async () => {
  const store = memoryStore();
  const { history, fieldOf } = await desktop(store, ["u1"]);
  const { observer, errors } = recorder();
  const failing = (entry: string): History => ({
    ...history,
    append: async (entries) => {
      if (entries[0]?.entry === entry) throw new Error("the disk is full");
      await history.append(entries);
    },
  });
  const set = (entry: string) =>
    clientOf({ store, history: failing(entry), observer })(
      "/conversation/set_conversations",
      settingOf(["u1"], { ex: entry }),
    );
  expect(await set("begun")).toMatchObject({ errCode: 500 });
  expect(await fieldOf("u1", "ex")).toBe(undefined);
  expect(await set("ended")).toMatchObject({ errCode: 0 });
  expect(await fieldOf("u1", "ex")).toBe("ended");
  expect(errors.map(({ operation, error }) => [operation, String(error)])).toEqual([
    ["setConversations", "Error: the disk is full"],
    ["setConversations", "Error: the disk is full"],
  ]);
  expect(await history.list({ offset: 0, limit: 9 })).toMatchObject({ total: 1, items: [{ outcome: "unknown" }] });
});

it("takes a history of a program in JavaScript, whose append returns no promise", async () => {
  const store = memoryStore();
  const { history, fieldOf } = await desktop(store, ["u1"]);
  const kept: string[] = [];
  const { observer, errors } = recorder();
  const append = (entries: readonly { entry: string }[]) => {
    kept.push(...entries.map(({ entry }) => entry));
    if (entries[0]?.entry === "ended") throw new Error("the disk is full");
  };
  const call = clientOf({ store, observer, history: { ...history, append: append as unknown as History["append"] } });
  const set = () => call("/conversation/set_conversations", settingOf(["u1"], { ex: "x" }));
  expect(await set()).toMatchObject({ errCode: 0 });
  expect([kept, await fieldOf("u1", "ex")]).toEqual([["begun", "ended"], "x"]);
  expect(errors.map(({ error }) => String(error))).toEqual(["Error: the disk is full"]);
});

it("keeps that a store has failed, and does not say that nothing was written", async () => {
  const { history } = await desktop(memoryStore(), ["u1"]);
  const store: Store = { ...memoryStore(), setConversations: () => Promise.reject(new Error("gone")) };
  const { observer } = recorder();
  const call = clientOf({ store, history, observer });
  expect(await call("/conversation/set_conversations", settingOf(["u1"], { ex: "x" }))).toMatchObject({ errCode: 500 });
  const { items } = await history.list({ offset: 0, limit: 9 });
  expect(items).toMatchObject([{ outcome: "unknown" }]);
  const { data } = await call("/im_admin/read_setting", { settingID: items[0]?.settingID, request: 0 });
  expect(data).toMatchObject({ outcome: "unknown", errCode: 500, changed: null });
});

it("gives each tenant its own history", async () => {
  const store = memoryStore();
  const { history } = await desktop(store, ["u1"]);
  const { history: other } = await desktop(store, ["u1"]);
  const historyOf = ({ header }: { header(name: string): string | undefined }) =>
    header("token") === "token of other" ? other : history;
  const call = clientOf({ store: () => store, history: historyOf });
  const page = { pagination: { pageNumber: 1, showNumber: 1 } };
  await call("/conversation/set_conversations", settingOf(["u1"], { ex: "x" }), "op", "other");
  expect((await call("/im_admin/list_settings", page, "op", "desk")).data).toEqual({ total: 0, settings: [] });
  expect((await call("/im_admin/list_settings", page, "op", "other")).data).toMatchObject({ total: 1 });
});

it("refuses what is no history", async () => {
  const store = memoryStore();
  const { history } = await desktop(store, []);
  const options = { store, authenticate: () => ({ adminUserID: "desk" }) };
  expect(() => createFetchHandler({ ...options, history: {} as History })).toThrow(
    new TypeError("history must be a history: it lacks the method append"),
  );
  expect(() => createFetchHandler({ ...options, store: () => store, history })).toThrow(
    new TypeError("history must be a function, since store is one"),
  );
  const beside = { ...options, history, upstream: { url: "http://localhost:1" } };
  const refusal = new TypeError("history must be left out beside an upstream, which writes the conversations");
  expect(() => createNodeListener(beside)).toThrow(refusal);
  await expect(serve(beside)).rejects.toThrow(refusal);
});
