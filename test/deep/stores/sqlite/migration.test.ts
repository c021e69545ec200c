import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { openSqliteStore } from "../../../../src/stores/drivers/sqlite.js";
import { makeFile } from "../../../helpers/foreignFiles.js";
import { temporaryFolder } from "../../../helpers/stores.js";

it("waits with a migration for another process, however long its transaction takes", async () => {
  const path = join(temporaryFolder(), "im.db");
  makeFile(path, "CREATE TABLE host (name TEXT)");
  // That is longer than a driver waits by default.
  const child = fork(new URL("../../../children/sqliteHold.mjs", import.meta.url), [path, "7000"]);
  onTestFinished(() => void child.kill("SIGKILL"));
  child.send(["INSERT INTO host VALUES ('theirs')"]);
  await once(child, "message");
  const store = openSqliteStore({ path, adopt: true });
  await store.put({ users: [{ userID: "u1" }] });
  await store.close();
  const connection = new BetterSqlite3(path);
  expect(connection.prepare("SELECT name, user_id FROM host, im_admin_users").raw().all()).toEqual([["theirs", "u1"]]);
  connection.close();
});
