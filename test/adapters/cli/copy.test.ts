/** `copy` copies a file as it is at one moment, and refuses what it cannot copy. */
import { copyFileSync, existsSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { openToCopy } from "../../../adapters/cli/databases/sqliteFile.js";
import { openSqliteStore } from "../../../src/stores/drivers/sqlite.js";
import { schemaVersion } from "../../../src/stores/sqlite/schema/migrations.js";
import { imAdmin } from "../../helpers/cliProcess.js";
import { makeFile } from "../../helpers/foreignFiles.js";
import { smallFile } from "../../helpers/smallFile.js";
import { temporaryFolder } from "../../helpers/stores.js";

let folder: string;
let path: string;
beforeEach(async () => {
  folder = temporaryFolder();
  path = await smallFile();
});

it("says why it cannot copy a file, and makes no database", async () => {
  writeFileSync(join(folder, "text.db"), "This is a text, and longer than the header of a database. ".repeat(9));
  copyFileSync(path, join(folder, "damaged.db"));
  truncateSync(join(folder, "damaged.db"), 50_000);
  const schema = readFileSync(new URL("../../../migrations/0001.sql", import.meta.url), "utf8");
  makeFile(join(folder, "old.db"), `${schema}; UPDATE im_admin_schema_version SET version = 0`);
  for (const [name, sentence] of [
    ["none.db", /^im-admin: there is no database FOLDER\/none\.db\n$/],
    ["text.db", /^im-admin: cannot copy FOLDER\/text\.db: it is no SQLite database, /],
    [
      "old.db",
      new RegExp(
        `^im-admin: cannot copy FOLDER/old\\.db: its schema has version 0 of ${schemaVersion}: open it once for writing, by im-admin serve\n$`,
      ),
    ],
    ["damaged.db", /^im-admin: cannot copy FOLDER\/damaged\.db: its pages are damaged: restore a backup, /],
  ] as const) {
    const args = ["copy", "--from", join(folder, name), "--to", join(folder, "to.db")];
    const { status, stderr } = await imAdmin(args);
    expect(status).toBe(1);
    expect(stderr.replaceAll(folder, "FOLDER")).toMatch(sentence);
  }
  expect(existsSync(join(folder, "to.db"))).toBe(false);
});

it("copies no file into itself, by whatever path", async () => {
  const link = join(folder, "link.db");
  symlinkSync(path, link);
  for (const to of [path, link, relative(process.cwd(), path), join(folder, "..", basename(folder), "link.db")]) {
    const { status, stderr } = await imAdmin(["copy", "--from", path, "--to", to]);
    expect(status).toBe(2);
    expect(stderr).toContain("--from and --to name the same file");
  }
});

it("copies the records of the moment when it begins, although others write meanwhile", async () => {
  const file = await openToCopy(path);
  const users: object[] = [];
  try {
    for await (const records of file.records("users", 50)) {
      users.push(...records);
      const store = openSqliteStore({ path });
      await store.remove({ users: [{ userID: "u299" }] });
      await store.put({ users: [{ userID: "u298", nickname: "changed" }, { userID: "u999" }] });
      await store.close();
    }
  } finally {
    await file.close();
  }
  expect(users).toHaveLength(200);
  expect(users.slice(-2)).toMatchObject([
    { userID: "u298", nickname: "王芳 u298" },
    { userID: "u299", nickname: "王芳 u299" },
  ]);
});
