/** Files of mongodump: BSON for each collection, packed or not, and other files beside them. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { EJSON, Long, serialize } from "bson";
import { describe, expect, it } from "vitest";
import { imAdmin, importFiles } from "../../helpers/cliProcess.js";
import { answers, expectedAnswers, referenceFolder, textsIn } from "../../helpers/imported.js";

/** The documents of a collection as MongoDB stores them. */
const dumped = (text: string) =>
  Buffer.concat(
    text
      .trimEnd()
      .split("\n")
      .map((line) => serialize(EJSON.parse(line))),
  );

const collections = Object.entries(textsIn(referenceFolder));
const dump = Object.fromEntries(collections.map(([name, text]) => [`${name}.bson`, dumped(text)]));
const packed = (files: Readonly<Record<string, Uint8Array>>) =>
  Object.fromEntries(Object.entries(files).map(([name, bytes]) => [`${name}.gz`, gzipSync(bytes)]));
const exported = Object.fromEntries(collections.map(([name, text]) => [`${name}.json`, Buffer.from(text)]));

it.each<[string, Readonly<Record<string, Uint8Array>>]>([
  ["mongodump writes", dump],
  ["mongodump --gzip writes", packed(dump)],
  ["mongoexport and gzip write", packed(exported)],
])("imports every field from what %s", async (_, files) => {
  const beside = {
    "user.metadata.json": "{}",
    "user.metadata.json.gz": "",
    "prelude.json": "{}",
    "msg.bson": "x",
    "oplog.bson": "x",
  };
  const { status, stderr, store } = await importFiles({ ...files, ...beside });
  expect([status, stderr.split("\n").slice(0, 2)]).toEqual([
    0,
    [
      `${Object.keys(files).find((name) => name.startsWith("user."))}: 2 users imported`,
      `${Object.keys(files).find((name) => name.startsWith("group."))}: 1 groups imported`,
    ],
  ]);
  expect(stderr).not.toContain("left alone");
  expect(await answers(store)).toEqual(await expectedAnswers());
});

const documents = Array.from({ length: 1_500 }, (_, index) =>
  serialize({ user_id: `u${index}`, ex: String(index * 7919).repeat(300), app_manger_level: 3 }),
);
const many = Buffer.concat(documents);

async function accounts(files: Readonly<Record<string, Uint8Array>>) {
  const { status, stderr, store } = await importFiles(files);
  const page = await store.listNotificationAccounts({ keyword: "", offset: 0, limit: 1 });
  return { status, stderr, total: page.total };
}

it("reads a file of several chunks, packed in one part and in several", async () => {
  const all = { status: 0, total: documents.length };
  expect(await accounts({ "user.bson": many })).toMatchObject(all);
  expect(await accounts({ "user.bson.gz": gzipSync(many) })).toMatchObject(all);
  const half = documents.slice(0, 700).reduce((bytes, { length }) => bytes + length, 0) + 3;
  const parts = Buffer.concat([gzipSync(many.subarray(0, half)), gzipSync(many.subarray(half))]);
  expect(gunzipSync(parts).equals(many)).toBe(true);
  expect(await accounts({ "user.bson.gz": parts })).toMatchObject(all);
});

describe("imports nothing of a file", () => {
  const gz = gzipSync(many);
  const damaged = Buffer.from(gz);
  damaged.writeUInt8(damaged.readUInt8(gz.length - 7) ^ 1, gz.length - 7);
  /** Two packed parts. The nicknames of the first are stored as they are, so a changed one can still be unpacked. */
  const stored = gzipSync(many.subarray(0, 50_000), { level: 0 });
  const parts = Buffer.concat([stored, gzipSync(many.subarray(50_000))]);
  const flipped = Buffer.from(parts);
  flipped.write("7", flipped.indexOf("7919"));
  flipped.write("8", flipped.indexOf("7919"));
  const lengthened = Buffer.from(parts);
  lengthened.writeUInt32LE(50_001, stored.length - 4);
  it.each<[string, string, Uint8Array, RegExp]>([
    [
      "that ends within a document",
      "user.bson",
      many.subarray(0, -1),
      /user\.bson, document 1500: ends early: the file was cut off\n/,
    ],
    ["that ends within a length", "user.bson", Buffer.concat([many, Buffer.from([9, 0])]), /document 1501: ends early/],
    [
      "that is no BSON",
      "user.bson",
      Buffer.from("{}{}{}{}"),
      /document 1: is no BSON, and nothing after it can be read\n/,
    ],
    ["with a damaged document", "user.bson", Buffer.from([9, 0, 0, 0, 99, 97, 0, 1, 0]), /document 1: is no BSON: /],
    [
      "that is packed and ends early",
      "user.bson.gz",
      gz.subarray(0, gz.length / 2),
      /cannot be unpacked: unexpected EOF\n/,
    ],
    ["that is packed and lacks its last byte", "user.bson.gz", gz.subarray(0, -1), /it cannot be unpacked: /],
    [
      "that is packed and has another checksum",
      "user.bson.gz",
      damaged,
      /cannot be unpacked: its checksum is another one\n/,
    ],
    [
      "that is packed in two parts, the first of which is damaged",
      "user.bson.gz",
      flipped,
      /cannot be unpacked: its checksum is another one\n/,
    ],
    [
      "that is packed in two parts, the first of which has another length",
      "user.bson.gz",
      lengthened,
      /cannot be unpacked: its checksum is another one\n/,
    ],
    [
      "that is packed and followed by something else",
      "user.bson.gz",
      Buffer.concat([gz, Buffer.from("else")]),
      /cannot be unpacked: invalid gzip data\n/,
    ],
    [
      "that is packed and followed by a few bytes",
      "user.bson.gz",
      Buffer.concat([gz, Buffer.alloc(2)]),
      /cannot be unpacked: its checksum is another one\n/,
    ],
    ["that is not packed", "user.bson.gz", many, /it cannot be unpacked: invalid gzip data\n/],
    ["that is empty where something packed should be", "user.bson.gz", Buffer.alloc(0), /it cannot be unpacked: /],
  ])("%s", async (_, name, bytes, sentence) => {
    const { status, stderr, total } = await accounts({ [name]: bytes });
    expect([status, total]).toEqual([1, 0]);
    expect(stderr).toMatch(sentence);
    expect(stderr).toContain("nothing was imported");
  });
});

it("reads integers of 64 bits exactly", async () => {
  const max_seq = Long.fromString("9007199254740991");
  const { store } = await importFiles({
    "conversation.bson": serialize({ owner_user_id: "u1", conversation_id: "c", max_seq }),
  });
  expect(await store.conversations("u1")).toMatchObject([{ maxSeq: 9_007_199_254_740_991 }]);
});

it("warns of IDs that nobody can ask for, and imports them", async () => {
  const long = "长".repeat(65);
  const { status, stderr, folder, database } = await importFiles({
    "users.json": JSON.stringify([{ userID: long }, { userID: "u".repeat(64) }]),
    "group.json": JSON.stringify([{ group_id: "g\n1" }]),
  });
  expect([status, stderr.split("\n")]).toEqual([
    0,
    [
      `warning: users.json: 1 userID have more than 64 characters or control characters, such as "${"长".repeat(64)}...": nobody can ask for them`,
      "users.json: 2 users imported",
      String.raw`warning: group.json: 1 groupID have more than 64 characters or control characters, such as "g\n1": nobody can ask for them`,
      "group.json: 1 groups imported",
      "",
    ],
  ]);
  writeFileSync(join(folder, "users.json"), readFileSync(join(folder, "users.json")));
  expect(await imAdmin(["import", folder, "--db", database])).toMatchObject({ status: 0 });
});

/** What `mongodump --archive` writes: these four bytes, and then documents and blocks. */
const archive = Buffer.concat([
  Buffer.from([0x6d, 0xe2, 0x99, 0x81]),
  serialize({ concurrent_collections: 4, version: "0.1", server_version: "7.0.5", tool_version: "100.9.4" }),
  serialize({ db: "openim_v3", collection: "user", metadata: "{}", size: 0, type: "collection" }),
  Buffer.from([0xff, 0xff, 0xff, 0xff]),
]);
const isAnArchive =
  "is an archive, which only mongorestore reads: leave out --archive, write a folder by mongodump --out dump, and " +
  "import the folder of the database in it, such as dump/openim_v3\n";

describe("an archive of mongodump", () => {
  it.each([
    ["by its name", "dump.archive", archive],
    ["packed", "dump.gz", gzipSync(Buffer.concat([archive, dumped(textsIn(referenceFolder)["user"] ?? "")]))],
    ["with the name of a collection", "user.bson", archive],
    ["packed, with the name of a collection", "user.bson.gz", gzipSync(archive)],
  ])("is named, with what to do: %s", async (_, name, bytes) => {
    const inFolder = await importFiles({ [name]: bytes });
    expect([inFolder.status, inFolder.stderr.split("\n", 1)[0]]).toEqual([
      1,
      expect.stringMatching(new RegExp(`/${name}(, document 1:)? ${isAnArchive.trimEnd()}$`)),
    ]);
    const file = join(inFolder.folder, name);
    const itself = await imAdmin(["import", file, "--db", ":memory:"]);
    expect([itself.status, itself.stderr]).toEqual([1, `im-admin: ${file} ${isAnArchive}`]);
  });

  it("is left alone beside collections, with a warning", async () => {
    const { status, stderr } = await importFiles({ ...dump, "all.archive": archive });
    expect([status, stderr.split("\n", 1)[0]]).toEqual([
      0,
      `warning: all.archive is left alone: it ${isAnArchive.trimEnd()}`,
    ]);
  });
});
