import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openSqliteStore } from "../../../src/stores/drivers/sqlite.js";
import { place } from "../../../src/stores/sqlite/schema/lastImport.js";
import { imAdmin, importFiles } from "../../helpers/cliProcess.js";
import { openSqliteDatabase } from "../../helpers/stores.js";

const lines = (records: readonly object[]) => records.map((record) => JSON.stringify(record)).join("\n");
const members = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ groupID: "g1", userID: `u${100 + index}`, nickname: "Ann" }));
const files = {
  "groups.ndjson": lines([{ groupID: "g1" }]),
  "groupMembers.ndjson": lines(members(100)),
  "conversations.ndjson": lines([{ ownerUserID: "u100", conversationID: "c" }]),
};

/** A database with these records, and the output of an import of other files. Null stands for no file. */
async function replaced(changes: Readonly<Record<string, string | null>>, ...flags: string[]) {
  const { folder, database, store } = await importFiles(files);
  await store.close();
  const { rmSync } = await import("node:fs");
  for (const [name, text] of Object.entries(changes)) {
    if (text === null) rmSync(join(folder, name));
    else writeFileSync(join(folder, name), text);
  }
  const ended = await imAdmin(["import", folder, "--db", database, "--replace", ...flags]);
  const again = openSqliteStore({ path: database });
  onTestFinished(() => again.close());
  const page = await again.listGroupMembers({ groupID: "g1", keyword: "", offset: 0, limit: 1000 });
  return { ...ended, total: page?.total, members: page?.items ?? [], store: again, database, folder };
}

it("removes records that a file lacks, writes those that are new or differ, and leaves the rest alone", async () => {
  const [first, , ...others] = members(101);
  const {
    status,
    stderr,
    total,
    members: stored,
    database,
  } = await replaced({
    "groupMembers.ndjson": lines([{ ...first, nickname: "Other" }, ...others]),
  });
  expect([status, stderr.split("\n").slice(0, 4)]).toEqual([
    0,
    [
      "groups.ndjson: 1 groups, 0 of them new or changed, and 0 removed",
      "groupMembers.ndjson: 100 groupMembers, 2 of them new or changed, and 1 removed",
      "conversations.ndjson: 1 conversations, 0 of them new or changed, and 0 removed",
      "warning: 100 groupMembers name a userID that is not in users, such as u100; they are kept",
    ],
  ]);
  expect(total).toBe(100);
  expect(stored.slice(0, 2)).toMatchObject([
    { userID: "u100", nickname: "Other" },
    { userID: "u102", nickname: "Ann" },
  ]);
  expect(await imAdmin(["check", "--db", database])).toMatchObject({ status: 0 });
});

it("leaves a kind without a file alone", async () => {
  const { status, total, store } = await replaced({ "groupMembers.ndjson": null, "conversations.ndjson": "" });
  expect([status, total]).toEqual([0, 100]);
  expect(await store.conversations("u100")).toEqual([]);
});

it("takes the last of two records with the same key", async () => {
  const twice = [...members(100), { groupID: "g1", userID: "u100", nickname: "last" }];
  const { members: stored } = await replaced({ "groupMembers.ndjson": lines(twice) });
  expect(stored[0]).toMatchObject({ userID: "u100", nickname: "last" });
  expect(stored).toHaveLength(100);
});

it("removes more than a fifth only with --yes", async () => {
  const few = { "groupMembers.ndjson": lines(members(79)) };
  const refused = await replaced(few);
  expect([refused.status, refused.total]).toEqual([1, 100]);
  expect(refused.stderr).toContain(
    "groupMembers.ndjson: nothing was replaced: 21 of 100 groupMembers would be removed: look whether the file is whole, and repeat it with --yes\n",
  );
  expect(await replaced(few, "--yes")).toMatchObject({ status: 0, total: 79 });
  expect(await replaced({ "groupMembers.ndjson": lines(members(80)) })).toMatchObject({ status: 0, total: 80 });
});

it.each([
  ["ends within a line", lines(members(99)).slice(0, -5)],
  ["has a value that is not valid", `${lines(members(99))}\n{"groupID":"g1"}`],
  ["ends within an array", JSON.stringify(members(99)).slice(0, -1)],
])("replaces nothing by a file that %s", async (_, text) => {
  const { status, total, stderr } = await replaced({ "groupMembers.ndjson": text }, "--yes");
  expect([status, total]).toEqual([1, 100]);
  expect(stderr).toContain("groupMembers.ndjson: nothing was replaced: 1 invalid\n");
  expect(stderr).toContain("im-admin: 1 of 3 files were not replaced\n");
});

it("refuses two files of one kind", async () => {
  const two = await replaced({ "group_member.json": "" });
  expect([two.status, two.total]).toEqual([1, 100]);
  expect(two.stderr).toBe(
    "im-admin: groupMembers.ndjson and group_member.json both hold groupMembers: leave one of them there\n",
  );
});

it("notes when the last complete import began", async () => {
  const noted = async (path: string) => {
    const database = openSqliteDatabase({ path });
    try {
      return (await place(database)).time;
    } finally {
      await database.close();
    }
  };
  const before = Date.now();
  const { database, folder, store } = await replaced({});
  await store.close();
  expect(await noted(database)).toBeUndefined();
  for (const name of ["users", "blacks", "groupRequests"]) writeFileSync(join(folder, `${name}.ndjson`), "");
  await imAdmin(["import", folder, "--db", database]);
  const time = (await noted(database)) ?? 0;
  expect(time).toBeGreaterThanOrEqual(before);
  writeFileSync(join(folder, "conversations.ndjson"), "{");
  expect(await imAdmin(["import", folder, "--db", database, "--replace"])).toMatchObject({ status: 1 });
  expect(await imAdmin(["import", folder, "--db", database])).toMatchObject({ status: 1 });
  expect(await noted(database)).toBe(time);
});
