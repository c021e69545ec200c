import { copyFileSync, existsSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { RecordSet } from "../../../src/records.js";
import { openSqliteStore } from "../../../src/stores/drivers/sqlite.js";
import { createPostgresStore } from "../../../src/stores/postgres/index.js";
import { imAdmin } from "../../helpers/cliProcess.js";
import { answers, records } from "../../helpers/imported.js";
import { type PostgresServer, startPostgres } from "../../helpers/postgres/server.js";
import { memoryStore, temporaryFolder } from "../../helpers/stores.js";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

/** A database file with these records. */
async function fileOf(...sets: RecordSet[]): Promise<string> {
  const path = join(temporaryFolder(), "im.db");
  const store = openSqliteStore({ path });
  for (const set of sets) await store.put(set);
  await store.close();
  return path;
}

const copied = `2 users copied
1 groups copied
1 groupMembers copied
1 blacks copied
1 groupRequests copied
1 conversations copied
`;

it("copies every field of a file into PostgreSQL, and the same once more", async () => {
  const from = await fileOf(records);
  const expected = memoryStore();
  await expected.put(records);
  for (let round = 0; round < 2; round += 1) {
    const ended = await imAdmin(["copy", "--from", from, "--to", server.url, "--schema", "copied"]);
    expect(ended).toEqual({ status: 0, stdout: "", stderr: copied });
    const store = createPostgresStore({ pool: server.pool, schema: "copied" });
    expect(await answers(store)).toEqual(await answers(expected));
  }
});

it("copies every field of a file into another", async () => {
  const from = await fileOf(records);
  const to = join(temporaryFolder(), "other.db");
  expect(await imAdmin(["copy", "--from", from, "--to", to])).toEqual({ status: 0, stdout: "", stderr: copied });
  const [store, expected] = [openSqliteStore({ path: to }), memoryStore()];
  await expected.put(records);
  expect(await answers(store)).toEqual(await answers(expected));
  await store.close();
});

it("copies more than it writes at once, by keys of several fields", async () => {
  const groupMembers = Array.from({ length: 40_001 }, (_, index) => ({
    groupID: `g${index % 3}`,
    userID: `u${index}`,
  }));
  const from = await fileOf({ groups: [{ groupID: "g1" }], groupMembers });
  const { status, stderr } = await imAdmin(["copy", "--from", from, "--to", server.url]);
  expect([status, stderr]).toEqual([0, expect.stringContaining("\n40001 groupMembers copied\n")]);
  const store = createPostgresStore({ pool: server.pool });
  const page = await store.listGroupMembers({ groupID: "g1", keyword: "", offset: 13_333, limit: 5 });
  expect([page?.total, page?.items.length]).toEqual([13_334, 1]);
  expect(await imAdmin(["check", "--db", server.url])).toMatchObject({ status: 0 });
});

it("says what it cannot copy", async () => {
  const folder = temporaryFolder();
  writeFileSync(
    join(folder, "text.db"),
    "This is a text, and longer than the header of a database file would be. ".repeat(9),
  );
  const said = async (from: string) => {
    const { status, stderr } = await imAdmin(["copy", "--from", join(folder, from), "--to", join(folder, "to.db")]);
    expect(status).toBe(1);
    return stderr.replaceAll(folder, "FOLDER");
  };
  expect(await said("none.db")).toBe("im-admin: there is no database FOLDER/none.db\n");
  expect(await said("text.db")).toMatch(/^im-admin: cannot copy FOLDER\/text.db: it is no SQLite database, /);
  copyFileSync(await fileOf(records), join(folder, "damaged.db"));
  truncateSync(join(folder, "damaged.db"), 50_000);
  expect(await said("damaged.db")).toMatch(
    /^im-admin: cannot copy FOLDER\/damaged.db: its pages are damaged: restore a backup, /,
  );
  expect(existsSync(join(folder, "to.db"))).toBe(false);
  const path = await fileOf(records);
  const link = join(folder, "link.db");
  symlinkSync(path, link);
  for (const to of [path, link, relative(tmpdir(), path), join(folder, "..", basename(folder), "link.db")]) {
    const { status, stderr } = await imAdmin(["copy", "--from", path, "--to", to]);
    expect(status).toBe(2);
    expect(stderr).toContain("--from and --to name the same file");
  }
});
