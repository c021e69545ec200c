import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { expect, it } from "vitest";
import { openHistoryFile } from "../../../adapters/node.js";
import { desktop } from "../../helpers/history.js";
import { memoryStore, temporaryFolder } from "../../helpers/stores.js";

const users = Array.from({ length: 20 }, (_, index) => `u${index}`);
const begun = {
  entry: "begun",
  time: 1,
  adminUserID: "desk",
  operationID: "op-1",
  conversationID: "c",
  conversationType: 3,
  userID: "",
  groupID: "g1",
  fields: { ex: "x" },
  userIDs: ["u1"],
} as const;
const all = { offset: 0, limit: 1_000 };

it("is a line of JSON for each entry, which only its owner may read", async () => {
  const { path, set } = await desktop(memoryStore(), ["u1", "u2"]);
  await set(["u1", "u2", "u1"], { isPinned: true, ex: "é\n😀" });
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  const [begun, ended] = lines.map((line) => JSON.parse(line));
  expect(lines).toHaveLength(2);
  expect(begun).toEqual({
    entry: "begun",
    requestID: expect.any(String),
    time: expect.any(Number),
    adminUserID: "desk",
    operationID: "op-1",
    conversationID: "sg_g1",
    conversationType: 3,
    userID: "",
    groupID: "g1",
    fields: { isPinned: true, ex: "é\n😀" },
    userIDs: ["u1", "u2"],
  });
  expect(ended).toEqual({
    entry: "ended",
    requestID: begun.requestID,
    time: expect.any(Number),
    outcome: "done",
    errCode: 0,
    changed: 2,
    before: [{ fields: { isPinned: false, ex: "" }, userIDs: ["u1", "u2"] }],
  });
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it("leaves alone what a crash has cut, and goes on behind it", async () => {
  const { path, history, set } = await desktop(memoryStore(), users);
  await set(["u0"], { ex: "a" }, "op-0");
  await set(["u1"], { ex: "a" }, "op-1");
  const whole = readFileSync(path, "utf8");
  // In the middle of the last line, and right before its end.
  for (const cut of [60, 1]) {
    truncateSync(path, whole.length - cut);
    const isWhole = cut === 1;
    const again = await openHistoryFile(path);
    expect((await again.list(all)).items.map(({ outcome }) => outcome)).toEqual(["unknown", "done"]);
    await again.append([{ ...JSON.parse(whole.split("\n")[2] ?? ""), requestID: "next", operationID: "op-2" }]);
    const outcomes = ["unknown", isWhole ? "done" : "unknown", "done"];
    expect((await again.list(all)).items.map(({ outcome }) => outcome)).toEqual(outcomes);
    // The reader that was there before notices that the file was another.
    expect((await history.list(all)).total).toBe(3);
    truncateSync(path, 0);
    appendFileSync(path, whole);
  }
});

it("notices that its file was emptied, however long it is again", async () => {
  const { path, set, list, read, setBack, fieldOf } = await desktop(memoryStore(), users);
  await set(["u0"], { ex: "a" }, "op-0");
  const [{ settingID }] = (await list()).settings;
  truncateSync(path, 0);
  await set(["u1"], { ex: "b" }, "op-1");
  expect((await read(settingID)).errCode).toBe(1004);
  expect((await setBack(settingID)).errCode).toBe(1004);
  expect(await fieldOf("u1", "ex")).toBe("b");
  expect((await list()).settings).toMatchObject([{ operationID: "op-1" }]);
  await set(["u2"], { ex: "c" }, "op-2");
  expect((await list()).settings).toMatchObject([{ operationID: "op-2" }, { operationID: "op-1" }]);
});

it("leaves alone lines that are no entries", async () => {
  const { path, set, list } = await desktop(memoryStore(), users);
  await set(["u0"], { ex: "a" }, "op-0");
  const lines = ["null", "5", "[]", "{}", '{"entry":"begun"}', '{"entry":"ended"}', '{"entry":"other"}', "\u0000", ""];
  appendFileSync(path, lines.join("\n"));
  await set(["u1"], { ex: "b" }, "op-1");
  expect((await list()).settings).toMatchObject([{ operationID: "op-1" }, { operationID: "op-0" }]);
});

it("makes no setting longer than an hour where a client uses one operationID for ever", async () => {
  const { history } = await desktop(memoryStore(), users);
  const minute = 60_000;
  for (const time of [0, 40 * minute, 60 * minute, 61 * minute]) {
    await history.append([{ ...begun, requestID: `at ${time / minute}`, time }]);
  }
  expect((await history.list(all)).items).toMatchObject([
    { settingID: "at 61", requests: 1 },
    { settingID: "at 0", requests: 3 },
  ]);
});

it("finds a whole line behind the beginning of another, whose process was killed while it wrote", async () => {
  const { path, history, set, setBack } = await desktop(memoryStore(), users);
  await set(["u0"], { ex: '{"entry":"' }, "op-0");
  const [begun = "", ended = ""] = readFileSync(path, "utf8").split("\n");
  truncateSync(path, 0);
  appendFileSync(path, `${begun.slice(0, 90)}${begun}\n${ended.slice(0, -9)}${ended}\n`);
  const { items } = await history.list(all);
  expect(items).toMatchObject([{ operationID: "op-0", changed: 1, outcome: "done" }]);
  expect((await setBack(items[0]?.settingID ?? "")).data).toEqual({ changed: 1, leftAlone: 0, gone: 0 });
});

it("begins a new part when one is full, reads all of them, and deletes nothing", async () => {
  const { path, history, set, list, setBack, fieldOf } = await desktop(memoryStore(), users, 2_000);
  for (const [index, userID] of users.entries()) {
    await set([userID], { ex: "x" }, `op-${index}`);
    const { total, settings } = await list(1, 1);
    expect([total, settings[0].operationID]).toEqual([index + 1, `op-${index}`]);
  }
  const parts = () => readdirSync(path.replace(/[^/]+$/, "")).sort();
  expect(parts()).toEqual(
    [
      "history.ndjson",
      "history.ndjson.1",
      "history.ndjson.2",
      "history.ndjson.3",
      "history.ndjson.4",
      "history.ndjson.5",
    ].slice(0, parts().length),
  );
  expect(parts().length).toBeGreaterThan(3);
  for (const part of parts().slice(0, -1))
    expect(statSync(path.replace("history.ndjson", part)).size).toBeGreaterThanOrEqual(2_000);
  const { items } = await (await openHistoryFile(path)).list(all);
  expect(items.map(({ operationID }) => operationID)).toEqual(users.map((_, index) => `op-${19 - index}`));
  expect((await setBack(items[19]?.settingID ?? "")).data).toEqual({ changed: 1, leftAlone: 0, gone: 0 });
  expect(await fieldOf("u0", "ex")).toBe("");
  // If somebody takes an old part away, the others are found.
  const { total } = await history.list(all);
  renameSync(path, `${path}-archived`);
  expect((await history.list(all)).total).toBeLessThan(total);
});

it("is read while it grows, whatever the order of those who append", async () => {
  const { path, history } = await desktop(memoryStore(), ["u1"], 3_000);
  const others = [
    history,
    await openHistoryFile(path, { partBytes: 3_000 }),
    await openHistoryFile(path, { partBytes: 3_000 }),
  ];
  let least = 0;
  const appends = Array.from({ length: 150 }, async (_, index) => {
    const requestID = String(index);
    await others[index % 3]?.append([{ ...begun, requestID, operationID: requestID }]);
    const done = { outcome: "done", errCode: 0, changed: 1, before: [] } as const;
    await others[(index + 1) % 3]?.append([{ entry: "ended", requestID, time: 2, ...done }]);
    const { total } = await history.list(all);
    expect(total).toBeGreaterThanOrEqual(least);
    least = Math.max(least, total);
  });
  await Promise.all(appends);
  for (const reader of [...others, await openHistoryFile(path)]) {
    const { total, items } = await reader.list(all);
    expect([total, items.filter(({ outcome }) => outcome === "done").length]).toEqual([150, 150]);
  }
});

it("knows what became of a request whose process was slow to write its beginning to the part before", async () => {
  const { path, history } = await desktop(memoryStore(), ["u1"]);
  await history.append([{ ...begun, requestID: "first" }]);
  const done = { outcome: "done", errCode: 0, changed: 1, before: [] } as const;
  writeFileSync(`${path}.1`, `${JSON.stringify({ entry: "ended", requestID: "slow", time: 2, ...done })}\n`);
  expect((await history.list(all)).total).toBe(1);
  appendFileSync(path, `${JSON.stringify({ ...begun, requestID: "slow", operationID: "op-2" })}\n`);
  expect((await history.list(all)).items).toMatchObject([
    { settingID: "slow", outcome: "done", changed: 1 },
    { settingID: "first", outcome: "unknown" },
  ]);
});

it("never has a token, and takes any text", async () => {
  const { path, set, list, read } = await desktop(memoryStore(), ["u1", '","userIDs":["x"]}', "\u2028 $& \\"]);
  const hostile = '"}\n{"entry":"ended"}\u2028</script>\\';
  const userIDs = ["u1", '","userIDs":["x"]}', "\u2028 $& \\"];
  await set(userIDs, { ex: hostile, attachedInfo: "__proto__" }, hostile.replaceAll(/[\n\u2028]/g, ""));
  await set(userIDs, { ex: "" }, "op-2");
  const [{ settingID, fields }, first] = (await list()).settings;
  expect(first.fields).toEqual({ attachedInfo: "__proto__", ex: hostile });
  expect(fields).toEqual({ ex: "" });
  expect((await read(settingID)).data.changed).toEqual([{ before: { ex: hostile }, userIDs }]);
  expect(readFileSync(path, "utf8")).not.toContain("token of");
});

it("does not wait for a pipe that has taken the place of a file", async () => {
  const { path, set, list } = await desktop(memoryStore(), ["u1"]);
  rmSync(path);
  execFileSync("mkfifo", [path]);
  expect(await list()).toBe(undefined);
  expect((await set(["u1"], { ex: "a" })).errCode).toBe(500);
  await expect(openHistoryFile(path)).rejects.toThrow("it is no file");
});

it("does not open what cannot be a history", async () => {
  const folder = temporaryFolder();
  mkdirSync(`${folder}/there`);
  for (const path of [`${folder}/there`, "/dev/null"]) {
    await expect(openHistoryFile(path)).rejects.toThrow("it is no file");
  }
  await expect(openHistoryFile(`${folder}/nowhere/history`)).rejects.toThrow("ENOENT");
  await expect(openHistoryFile("")).rejects.toThrow(new TypeError("path must be a file name"));
  await expect(openHistoryFile(`${folder}/h`, { partBytes: 0 })).rejects.toThrow("partBytes must be an integer >= 1");
});
