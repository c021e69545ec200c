import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { imAdmin, importFiles } from "../../helpers/cliProcess.js";
import { temporaryFolder } from "../../helpers/stores.js";

const unreadable = "is no JSON, and nothing after it can be read: ";
const badKey = "userID must be a non-empty string";
const pretty = (...userIDs: unknown[]) =>
  JSON.stringify(
    userIDs.map((userID) => ({ userID })),
    null,
    2,
  );

it.each<[string, string | Uint8Array, number, string]>([
  ["a line that is no JSON", `{"userID":"a"}\n{"userID":\n{"userID":"c"}\n`, 2, "is no JSON: "],
  ["a line that would speak to the terminal", "\u001b[31m\n", 1, "is no JSON: Unexpected token '\ufffd'"],
  ["two values on a line", `{"userID":"a"}\n\n{"userID":"b"}{"userID":"c"}\n`, 3, "is no JSON: "],
  ["a line that does not fit", `{"userID":"a"}\n{"userID":7}\n{"userID":"c"}\n`, 2, badKey],
  [
    "a line with U+0000",
    `{"userID":"a"}\n{"userID":"b","ex":"\\u0000"}\n`,
    2,
    "ex must be a string of valid Unicode without U+0000",
  ],
  ["a line that is no object", `{"userID":"a"}\r\n"b"\r\n{"userID":"c"}\r\n`, 2, "the record must be an object"],
  ["a line that is no UTF-8", Buffer.from(`{"userID":"李"}\n{"userID":"\xff"}\n`, "latin1"), 2, "is no JSON: "],
  ["a record in an array on one line", `[{"userID":"a"},{"userID":""}]`, 1, badKey],
  ["a record in an array over many lines", pretty("a", "b", 7, "d"), 8, badKey],
  ["a record in objects over many lines", `{\n"userID": "a"\n}\n{\n"userID": []\n}\n`, 4, badKey],
  ["a broken record in an array", pretty("a", 7, "c").replace(": 7", ": "), 5, unreadable],
  ["an array that is cut off within a record", pretty("a", "b").slice(0, -8), 5, unreadable],
  ["an array that is cut off between records", `[\n{"userID":"a"},\n`, 3, unreadable],
  [
    "an array with bytes that are no UTF-8",
    Buffer.from(`[\n{"userID":"a"},\n{"userID":"\xff"}]`, "latin1"),
    3,
    unreadable,
  ],
  ["a second array behind the first", `[{"userID":"a"}]\n[{"userID":"b"}]\n`, 2, unreadable],
])("names the line of %s, imports nothing of its file, and the others", async (_, content, line, what) => {
  const { status, stdout, stderr, folder, store } = await importFiles({
    "users.json": content,
    "groups.json": `{"groupID":"g1"}`,
  });
  const [problem = "", ...rest] = stderr.split("\n");
  expect(problem).not.toMatch(/\p{Cc}/u);
  expect(problem).toContain(`${folder}/users.json:${line}: ${what}`);
  expect([status, stdout, rest]).toEqual([
    1,
    "",
    [
      "users.json: nothing was imported: 1 invalid",
      "groups.json: 1 groups imported",
      "im-admin: 1 of 2 files were not imported",
      "",
    ],
  ]);
  expect(await store.listBlacks({ ownerUserID: "a", offset: 0, limit: 1 })).toBeUndefined();
  expect(await store.listGroupMembers({ groupID: "g1", keyword: "", offset: 0, limit: 1 })).toEqual({
    total: 0,
    items: [],
  });
});

/** The exit status of an import of files, and the lines that it prints. */
async function imported(files: Parameters<typeof importFiles>[0]) {
  const { status, stderr, folder } = await importFiles(files);
  return { ended: [status, stderr.replaceAll(folder, "FOLDER").split("\n")] as const };
}

it.each([
  ["with a mark", Buffer.from("\ufeff[]", "utf16le")],
  ["without a mark", Buffer.from(`{"userID":"a"}\r\n{"userID":"b"}\r\n`, "utf16le")],
  ["with its bytes in the other order", Buffer.from("\ufeff[]", "utf16le").swap16()],
])("says once that a file is in UTF-16, %s", async (_, bytes) => {
  expect((await imported({ "users.json": bytes })).ended).toEqual([
    1,
    [
      "FOLDER/users.json:1: is UTF-16: write the file anew in UTF-8",
      "users.json: nothing was imported: 1 invalid",
      "im-admin: 1 of 1 files were not imported",
      "",
    ],
  ]);
});

it.each([
  ["user.bson", "user.bson.gz", "users"],
  ["user.json", "users.ndjson", "users"],
  ["openim_v3.group.json", "group.json", "groups"],
])("refuses %s beside %s, since one may be older", async (one, other, records) => {
  const { ended } = await imported({ [one]: "", [other]: "" });
  const [first, second] = [one, other].sort();
  const refused = `im-admin: ${first} and ${second} both hold ${records}: leave one of them there`;
  expect(ended).toEqual([1, [refused, ""]]);
});

it("names ten invalid lines and counts the others", async () => {
  const { ended } = await imported({ "users.json": "x\n".repeat(25) });
  const named = Array.from({ length: 10 }, (_, index) =>
    expect.stringContaining(`users.json:${index + 1}: is no JSON`),
  );
  const counted = ["... and 15 more", "users.json: nothing was imported: 25 invalid"];
  expect(ended).toEqual([1, [...named, ...counted, "im-admin: 1 of 1 files were not imported", ""]]);
});

it("says which files it leaves alone", async () => {
  const files = { "users.json": `{"userID":"a"}`, "friend.json": "{}", "groups.json.zst": "", "notes.txt": "" };
  expect((await imported(files)).ended).toEqual([
    0,
    [
      "warning: friend.json is left alone: it is not named after a collection",
      "warning: groups.json.zst is left alone: it is not named after a collection",
      "users.json: 1 users imported",
      "",
    ],
  ]);
});

it("names ten files that it leaves alone, and counts the others", async () => {
  const others = Array.from({ length: 12 }, (_, index) => [`other${String(index).padStart(2, "0")}.json`, "{}"]);
  const { ended } = await imported({ "users.json": "", ...Object.fromEntries(others) });
  expect([ended[0], ended[1]?.slice(9)]).toEqual([
    0,
    [
      "warning: other09.json is left alone: it is not named after a collection",
      "warning: 2 further files are left alone",
      "users.json: 0 users imported",
      "",
    ],
  ]);
});

it("imports the others if a file cannot be read at all", async () => {
  const folder = temporaryFolder();
  symlinkSync(join(folder, "gone"), join(folder, "users.json"));
  mkdirSync(join(folder, "blacks.json"));
  writeFileSync(join(folder, "groups.json"), `{"groupID":"g1"}`);
  const { status, stderr } = await imAdmin(["import", folder, "--db", ":memory:"]);
  expect([status, stderr.split("\n")]).toEqual([
    1,
    [
      "users.json: nothing was imported: it is not there",
      "groups.json: 1 groups imported",
      "blacks.json: nothing was imported: it is a folder",
      "im-admin: 2 of 3 files were not imported",
      "",
    ],
  ]);
});
